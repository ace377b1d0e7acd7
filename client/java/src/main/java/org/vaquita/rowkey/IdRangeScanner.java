package org.vaquita.rowkey;

import java.io.IOException;
import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;

/** A range of ids, read by gets, {@code caching} at a time, 1000 at most: for tables whose keys keep no order. */
final class IdRangeScanner implements ResultScanner {
  private static final int MAX_ID_BYTES = 8;
  private static final int MAX_GETS = 1000;  // at a time: callers of scans may ask for Integer.MAX_VALUE rows in an answer

  private final Table table;
  private final Scan scan;
  private final RowKeyDistributor distributor;
  private final int keyBytes;
  private BigInteger first;  // the ids [first, last] are still to be read
  private BigInteger last;
  private final ArrayDeque<Result> ready = new ArrayDeque<>();
  private int rows;

  IdRangeScanner(Table table, Scan scan, RowKeyDistributor distributor) {
    this.table = table;
    this.scan = scan;
    this.distributor = distributor;
    if (scan.isRaw() || scan.getBatch() > 0) {
      throw new IllegalArgumentException(distributor + ": a scan, which is made of gets, can be neither raw nor batched");
    }
    if (scan.getFilter() != null) BucketScan.checkIgnoresRows(scan.getFilter());
    byte[] low = scan.isReversed() ? scan.getStopRow() : scan.getStartRow();
    byte[] high = scan.isReversed() ? scan.getStartRow() : scan.getStopRow();
    if (high.length == 0 || high.length > MAX_ID_BYTES || (low.length != 0 && low.length != high.length)) {
      throw new IllegalArgumentException(distributor + " keeps no order of rows: a scan needs the largest row of its range, of at most "
          + MAX_ID_BYTES + " bytes, and a smallest of the same length or none");
    }
    boolean lowIn = low.length == 0 || (scan.isReversed() ? scan.includeStopRow() : scan.includeStartRow());
    boolean highIn = scan.isReversed() ? scan.includeStartRow() : scan.includeStopRow();
    keyBytes = high.length;
    first = new BigInteger(1, low).add(lowIn ? BigInteger.ZERO : BigInteger.ONE);
    last = new BigInteger(1, high).subtract(highIn ? BigInteger.ZERO : BigInteger.ONE);
  }

  @Override
  public Result next() throws IOException {
    if (scan.getLimit() > 0 && rows == scan.getLimit()) return null;
    while (ready.isEmpty()) {
      if (first.compareTo(last) > 0) return null;
      read();
    }
    ++rows;
    return ready.poll();
  }

  private void read() throws IOException {
    List<Get> gets = new ArrayList<>();
    BigInteger left = last.subtract(first);
    int most = Math.min(scan.getCaching(), MAX_GETS);
    for (int i = 0; i < most && left.signum() >= 0; ++i, left = left.subtract(BigInteger.ONE)) {
      BigInteger id = scan.isReversed() ? last.subtract(BigInteger.valueOf(i)) : first.add(BigInteger.valueOf(i));
      gets.add(RowCopies.of(scan, distributor.getDistributedKey(keyOf(id))));
    }
    for (Result result : table.get(gets)) {
      if (!result.isEmpty()) ready.add(RowCopies.of(result, distributor.getOriginalKey(result.getRow())));
    }
    if (scan.isReversed()) last = last.subtract(BigInteger.valueOf(gets.size()));
    else first = first.add(BigInteger.valueOf(gets.size()));
  }

  private byte[] keyOf(BigInteger id) {
    byte[] bytes = id.toByteArray();
    byte[] key = new byte[keyBytes];
    int length = Math.min(bytes.length, keyBytes);
    System.arraycopy(bytes, bytes.length - length, key, keyBytes - length, length);
    return key;
  }

  @Override
  public void close() {
    first = last.add(BigInteger.ONE);
    ready.clear();
  }

  @Override
  public boolean renewLease() {
    return true;  // gets have no lease
  }

  @Override
  public ScanMetrics getScanMetrics() {
    return null;
  }
}
