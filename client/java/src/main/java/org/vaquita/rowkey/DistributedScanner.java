package org.vaquita.rowkey;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Rows of a table with distributed keys, in the order of their original keys, which the results carry.
 *
 * <p>All buckets are read at once, each a batch ahead, and merged; memory is at most two batches a bucket, however long the scan. A batch
 * is the scan's caching (100 results, if it says nothing) or its maximum result size (256 KB). The limit counts rows of all buckets
 * together. What filters may be used, and how they are translated, README.md says.
 *
 * <p>{@link OneBytePrefixDistributor}: a row that was written more than once may be in several buckets; its parts become one, the newest
 * versions first. With a batch or partial results they follow one another. {@link BitReversalDistributor}: the range is read by gets of
 * every key between its two ends, which must have the same length, at most 8 bytes; the lower may be open.
 *
 * <p>One thread at a time. Close it.
 */
public final class DistributedScanner implements ResultScanner {
  private static final int THREADS = 8;
  private static final int BATCH_RESULTS = 100;
  private static final long BATCH_BYTES = 256 << 10;

  private final List<Bucket> buckets = new ArrayList<>();
  private final ExecutorService pool;
  private final PriorityQueue<Bucket> heads;
  private final Scan scan;
  private final boolean mergesParts;
  private volatile boolean closed;
  private boolean started;
  private IOException failure;  // the first: going on after it would leave out rows
  private int rows;
  private byte[] lastRow;

  /** IllegalArgumentException for a scan that the distributor's keys do not allow. {@code table} has the distributed keys. */
  public static ResultScanner create(Table table, Scan original, RowKeyDistributor distributor) throws IOException {
    Scan scan = bounded(original);
    if (distributor.getBucketPrefixes().length == 0) return new IdRangeScanner(table, scan, distributor);
    return new DistributedScanner(table, scan, distributor);
  }

  private static Scan bounded(Scan original) throws IOException {
    Scan scan = new Scan(original);
    if (scan.getCaching() <= 0) scan.setCaching(BATCH_RESULTS);
    if (scan.getMaxResultSize() <= 0) scan.setMaxResultSize(BATCH_BYTES);
    return scan;
  }

  private DistributedScanner(Table table, Scan scan, RowKeyDistributor distributor) throws IOException {
    this.scan = scan;
    boolean wholeRows = scan.getBatch() <= 0 && !scan.getAllowPartialResults();
    mergesParts = !distributor.isComputable() && wholeRows;
    Comparator<Bucket> order = (a, b) -> Bytes.compareTo(a.headRow(), b.headRow());
    heads = new PriorityQueue<>((scan.isReversed() ? order.reversed() : order).thenComparing(bucket -> bucket.index));
    try {
      for (byte[] prefix : distributor.getBucketPrefixes()) {
        buckets.add(new Bucket(buckets.size(), prefix.length, table.getScanner(BucketScan.of(scan, prefix))));
      }
    } catch (IOException | RuntimeException e) {
      buckets.forEach(bucket -> bucket.scanner.close());
      throw e;
    }
    pool = Executors.newFixedThreadPool(Math.min(THREADS, buckets.size()), task -> {
      Thread thread = new Thread(task, "distributed-scan-" + table.getName());
      thread.setDaemon(true);
      return thread;
    });
  }

  /** What was read of one bucket, and what is on its way. */
  private final class Bucket {
    final int index;
    private final int prefixLength;
    private final ResultScanner scanner;
    private Future<ArrayDeque<Result>> ahead;
    private ArrayDeque<Result> batch = new ArrayDeque<>();

    Bucket(int index, int prefixLength, ResultScanner scanner) {
      this.index = index;
      this.prefixLength = prefixLength;
      this.scanner = scanner;
    }

    byte[] headRow() {
      return batch.peek().getRow();
    }

    void readAhead() {
      ahead = pool.submit(this::read);
    }

    private ArrayDeque<Result> read() throws IOException {
      ArrayDeque<Result> results = new ArrayDeque<>();
      long bytes = 0;
      while (!closed && results.size() < scan.getCaching() && bytes < scan.getMaxResultSize()) {
        Result result = scanner.next();
        if (result == null) break;
        byte[] row = result.getRow();
        results.add(RowCopies.of(result, Arrays.copyOfRange(row, prefixLength, row.length)));
        bytes += Result.getTotalSizeOfCells(result);
      }
      return results;
    }

    /** Puts the bucket among the heads, if it has a next result. */
    void addHead() throws IOException {
      if (batch.isEmpty()) {
        batch = get(ahead);
        if (batch.isEmpty()) return;
        readAhead();
      }
      heads.add(this);
    }
  }

  private static <T> T get(Future<T> future) throws IOException {
    try {
      return future.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("interrupted while a bucket was read").initCause(e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException) throw (IOException) e.getCause();
      throw new IOException(e.getCause());
    }
  }

  @Override
  public Result next() throws IOException {
    if (closed) return null;
    if (failure != null) throw failure;
    try {
      return read();
    } catch (IOException e) {
      failure = e;
      throw e;
    }
  }

  private Result read() throws IOException {
    if (!started) {
      started = true;
      buckets.forEach(Bucket::readAhead);
      for (Bucket bucket : buckets) bucket.addHead();
    }
    if (heads.isEmpty() || !countRow()) return null;
    List<Result> parts = new ArrayList<>();
    parts.add(takeHead());
    while (mergesParts && !heads.isEmpty() && Bytes.equals(heads.peek().headRow(), parts.get(0).getRow())) parts.add(takeHead());
    return RowParts.merge(parts, scan.getMaxVersions(), scan.isRaw());
  }

  private Result takeHead() throws IOException {
    Bucket bucket = heads.poll();
    Result result = bucket.batch.poll();
    bucket.addHead();
    return result;
  }

  /** False if the next result begins a row that is over the limit. */
  private boolean countRow() {
    byte[] row = heads.peek().headRow();
    if (scan.getLimit() <= 0 || (lastRow != null && Bytes.equals(row, lastRow))) return true;
    if (rows == scan.getLimit()) return false;
    ++rows;
    lastRow = row;
    return true;
  }

  /** Waits for the answers that are under way. */
  @Override
  public void close() {
    closed = true;
    pool.shutdown();
    try {
      pool.awaitTermination(Long.MAX_VALUE, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    buckets.forEach(bucket -> bucket.scanner.close());
  }

  @Override
  public boolean renewLease() {
    return false;  // it would have to interrupt the threads that read
  }

  @Override
  public ScanMetrics getScanMetrics() {
    return null;
  }
}
