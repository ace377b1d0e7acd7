package org.vaquita.rowkey;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.Filter;

/**
 * Reads and writes of a table with distributed keys that take and give original keys.
 *
 * <p>Where the original key says which row it is, each is one call. Where it does not ({@link OneBytePrefixDistributor}), a put goes to
 * the next bucket, gets and deletes go to all buckets in one batch; what a get finds becomes one row. A delete of several buckets is not
 * atomic. Everything else is for the {@link Table} itself, with {@link RowKeyDistributor#getDistributedKey}.
 *
 * <p>Threads: as Table. Closing it closes the table.
 */
public final class DistributedTable implements Closeable {
  private final Table table;
  private final RowKeyDistributor distributor;

  public DistributedTable(Table table, RowKeyDistributor distributor) {
    this.table = table;
    this.distributor = distributor;
  }

  /** The table with the distributor that its descriptor says. */
  public static DistributedTable open(Connection connection, TableName name) throws IOException {
    Table table = connection.getTable(name);
    return new DistributedTable(table, RowKeyDistributor.load(table.getDescriptor()));
  }

  public RowKeyDistributor getDistributor() {
    return distributor;
  }

  public void put(Put put) throws IOException {
    table.put(RowCopies.of(put, distributor.getDistributedKey(put.getRow())));
  }

  public void put(List<Put> puts) throws IOException {
    List<Put> distributed = new ArrayList<>();
    for (Put put : puts) distributed.add(RowCopies.of(put, distributor.getDistributedKey(put.getRow())));
    table.put(distributed);
  }

  public void delete(Delete delete) throws IOException {
    List<Delete> deletes = new ArrayList<>();
    for (byte[] key : distributor.getAllDistributedKeys(delete.getRow())) deletes.add(RowCopies.of(delete, key));
    table.delete(deletes);
  }

  public Result get(Get get) throws IOException {
    List<Get> gets = new ArrayList<>();
    for (byte[] key : distributor.getAllDistributedKeys(get.getRow())) gets.add(RowCopies.of(get, key, filterFor(get, key)));
    List<Result> parts = new ArrayList<>();
    for (Result part : table.get(gets)) parts.add(part.isEmpty() ? part : RowCopies.of(part, get.getRow()));
    return RowParts.merge(parts, get.getMaxVersions(), false);
  }

  public boolean exists(Get get) throws IOException {
    return get(new Get(get).setCheckExistenceOnly(true)).getExists();
  }

  /** See {@link DistributedScanner}. */
  public ResultScanner getScanner(Scan scan) throws IOException {
    return DistributedScanner.create(table, scan, distributor);
  }

  private Filter filterFor(Get get, byte[] key) throws IOException {
    Filter filter = get.getFilter();
    if (filter == null) return null;
    if (distributor.getBucketPrefixes().length == 0) {
      BucketScan.checkIgnoresRows(filter);
      return filter;
    }
    return BucketScan.filter(filter, Arrays.copyOf(key, key.length - get.getRow().length));
  }

  @Override
  public void close() throws IOException {
    table.close();
  }
}
