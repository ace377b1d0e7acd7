package vaquita.bench;

import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.util.Bytes;

/** The everyday phases of an HBase client; every answer is checked. */
final class ClientPhases extends Phases {
  private static final int REGIONS = 16;
  private static final int COUNTERS = 1000;

  ClientPhases(Connection connection, long pid, long rows) {
    super(connection, TableName.valueOf("phases"), pid, rows);
  }

  /** Prints the milliseconds from {@code begin}, in the terms of nanoTime, to the first get of the first put. */
  static void firstPutAndGet(Connection connection, long begin) throws IOException {
    TableName first = TableName.valueOf("first");
    try (Admin admin = connection.getAdmin(); Table t = connection.getTable(first)) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(first).setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY)).build());
      t.put(put(0));
      check(Arrays.equals(t.get(new Get(row(0))).getValue(FAMILY, VALUE), value(0)), "first get");
    }
    System.out.printf("first milliseconds %d%n", (System.nanoTime() - begin) / 1_000_000);
  }

  void run() throws Exception {
    createTable(ColumnFamilyDescriptorBuilder.of(FAMILY), evenSplits(REGIONS));
    load();
    phase("put", rows / 10, (t, i) -> {
      t.put(put(random(i, rows)));
      return 1;
    });
    phase("random get", rows / 5, this::get);
    phase("multi-get of 100", rows / 2 / BATCH, this::multiGet);
    phase("scan", 5, (t, i) -> scanAll(t));
    phase("scan of 50", rows / 100, this::scanShort);
    phase("increment", rows / 20, (t, i) -> {
      t.incrementColumnValue(row(i % COUNTERS), FAMILY, COUNTER, 1);
      return 1;
    });
    checkCounters();
    phase("check-and-mutate", rows / 20, (t, i) -> {
      Put put = put(i);
      check(t.checkAndMutate(CheckAndMutate.newBuilder(put.getRow()).ifEquals(FAMILY, VALUE, value(i)).build(put))
          .isSuccess(), "condition on row " + i);
      return 1;
    });
    phase("filter scan", 20, (t, i) -> scanFiltered(t));
    phase("delete", rows / 20, (t, i) -> {
      t.delete(new Delete(row(i)));
      return 1;
    });
    check(countRows(new Scan().addColumn(FAMILY, VALUE)) == rows - rows / 20, "rows after the deletes");
  }

  /** Reads the keys of a sixteenth of the table. The server looks at every row; the rows returned count. */
  private long scanFiltered(Table t) throws IOException {
    Scan scan = new Scan().setCaching(1000)
        .setFilter(new FilterList(new PrefixFilter(Bytes.toBytes("a")), new KeyOnlyFilter()));
    long n = 0;
    try (ResultScanner scanner = t.getScanner(scan)) {
      for (Result result : scanner) {
        check(result.getRow()[0] == 'a' && result.value().length == 0, "key with its prefix");
        n++;
      }
    }
    check(n > 0, "no row has the prefix");
    return n;
  }

  private long countRows(Scan scan) throws IOException {
    long n = 0;
    try (Table t = connection.getTable(table); ResultScanner scanner = t.getScanner(scan)) {
      for (Result ignored : scanner) {
        n++;
      }
    }
    return n;
  }

  private void checkCounters() throws IOException {
    long sum = 0;
    try (Table t = connection.getTable(table);
        ResultScanner scanner = t.getScanner(new Scan().addColumn(FAMILY, COUNTER))) {
      for (Result result : scanner) {
        sum += Bytes.toLong(result.getValue(FAMILY, COUNTER));
      }
    }
    check(sum == rows / 20, "counters add up to " + sum);
  }
}
