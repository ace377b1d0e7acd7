package vaquita.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Gets of a row with columns that were written again and again, and of one whose columns were written once; in the
 * memstore and in a file; of a family that keeps one version and of one that keeps all; with delete markers and without.
 */
final class HotRowPhases extends Phases {
  private static final byte[] ONCE = Bytes.toBytes("once");
  private static final byte[] HOT = Bytes.toBytes("hot");
  private static final int COLUMNS = 10;
  private static final int WRITES = 1000;
  private static final int GETS = 20_000;
  private static final int ALL_VERSIONS = 1_000_000;

  private enum Markers { NONE, COLUMN, FAMILY }

  HotRowPhases(Connection connection, long pid) {
    super(connection, TableName.valueOf("hot"), pid, 0);
  }

  void run() throws Exception {
    for (int versions : new int[] {1, ALL_VERSIONS}) {
      for (Markers markers : Markers.values()) {
        createTable(ColumnFamilyDescriptorBuilder.newBuilder(FAMILY).setMaxVersions(versions).build(), new byte[0][]);
        write(markers);
        String name = (versions == 1 ? "one version" : "all versions") + ", "
            + new String[] {"no markers", "markers of columns", "markers of the family"}[markers.ordinal()];
        measure("memstore, " + name);
        try (Admin admin = connection.getAdmin()) {
          admin.flush(table);
        }
        measure("file, " + name);
      }
    }
    dropTable();
  }

  private void write(Markers markers) throws Exception {
    try (Table t = connection.getTable(table)) {
      t.put(columns(ONCE, 1));
      // A batch of mutations of one row is applied in order.
      for (int i = 0; i < WRITES; i += BATCH) {
        List<Row> batch = new ArrayList<>();
        for (int time = 2 * i; time < 2 * (i + BATCH); time += 2) {
          if (markers != Markers.NONE) {
            batch.add(marker(markers, time + 1));
          }
          batch.add(columns(HOT, time + 2));
        }
        t.batch(batch, new Object[batch.size()]);
      }
    }
  }

  private static Put columns(byte[] row, long time) {
    Put put = new Put(row);
    for (int c = 0; c < COLUMNS; c++) {
      put.addColumn(FAMILY, Bytes.toBytes("q" + c), time, value(c));
    }
    return put;
  }

  private static Delete marker(Markers markers, long time) {
    Delete delete = new Delete(HOT);
    if (markers == Markers.FAMILY) {
      return delete.addFamily(FAMILY, time);
    }
    for (int c = 0; c < COLUMNS; c++) {
      delete.addColumns(FAMILY, Bytes.toBytes("q" + c), time);
    }
    return delete;
  }

  private void measure(String name) throws Exception {
    for (byte[] row : new byte[][] {HOT, ONCE}) {
      Operation get = (t, i) -> {
        check(t.get(new Get(row)).size() == COLUMNS, "cells of row " + Bytes.toString(row));
        return 1;
      };
      try (Table t = connection.getTable(table)) {
        for (int i = 0; i < GETS / 10; i++) {
          get.run(t, i); // a server in Java compiles meanwhile, and Vaquita flushes what reads pass too often
        }
      }
      phase(name + ", " + Bytes.toString(row), GETS, get);
    }
  }
}
