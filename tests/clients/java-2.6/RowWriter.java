package vaquita.clients;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Makes two tables of eight regions, and writes the same rows to both, 300 a second for ten seconds: `java_rising` by a key
 * that rises with time, `java_hashed` by a hash. Gets every tenth row. For tests of what the console shows.
 */
public final class RowWriter {
  private static final int REGIONS = 8;
  private static final int ROWS = 3_000;
  private static final int ROWS_PER_STEP = 60;
  private static final long STEP_MS = 200;
  private static final byte[] FAMILY = Bytes.toBytes("f");

  public static void main(String[] arguments) throws Exception {
    try (Connection connection = ConnectionFactory.createConnection(Address.of(arguments).configuration())) {
      TableName rising = create(connection, "java_rising", "2026-0%d");
      TableName hashed = create(connection, "java_hashed", "%d");
      try (BufferedMutator toRising = connection.getBufferedMutator(rising);
          BufferedMutator toHashed = connection.getBufferedMutator(hashed);
          Table table = connection.getTable(hashed)) {
        long start = System.currentTimeMillis();
        for (int row = 0; row < ROWS; ++row) {
          toRising.mutate(put(String.format("2026-11-22T%06d", row)));
          toHashed.mutate(put(hashedKey(row)));
          if ((row + 1) % ROWS_PER_STEP != 0) continue;
          toRising.flush();
          toHashed.flush();
          List<Get> gets = new ArrayList<>();
          for (int asked = row + 1 - ROWS_PER_STEP; asked <= row; asked += 10) gets.add(new Get(Bytes.toBytes(hashedKey(asked))));
          for (var result : table.get(gets)) {
            if (result.isEmpty()) throw new IllegalStateException("a row that was written is not there");
          }
          long due = start + (row + 1) / ROWS_PER_STEP * STEP_MS;
          Thread.sleep(Math.max(0, due - System.currentTimeMillis()));
        }
      }
      System.out.println(ROWS);
    }
  }

  private static TableName create(Connection connection, String name, String split) throws Exception {
    TableName table = TableName.valueOf(name);
    byte[][] splits = new byte[REGIONS - 1][];
    for (int region = 1; region < REGIONS; ++region) splits[region - 1] = Bytes.toBytes(String.format(split, region));
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(table).setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY)).build(), splits);
    }
    return table;
  }

  /** Begins with a digit from 0 to 7. */
  private static String hashedKey(int row) {
    return String.format("%d-%08d", Integer.remainderUnsigned(row * 0x9e3779b1 >>> 8, REGIONS), row);
  }

  private static Put put(String row) {
    return new Put(Bytes.toBytes(row)).addColumn(FAMILY, Bytes.toBytes("q"), Bytes.toBytes("value"));
  }

  private RowWriter() {}
}
