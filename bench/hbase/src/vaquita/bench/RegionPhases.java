package vaquita.bench;

import java.io.IOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Table;

/** One client's work on a table of many regions, before and after a restart of the server; every answer is checked. */
final class RegionPhases extends Phases {
  private final byte[][] splits;

  RegionPhases(Connection connection, long pid, long rows, int regions) {
    super(connection, TableName.valueOf("regions"), pid, rows);
    splits = evenSplits(regions);
  }

  void beforeRestart() throws Exception {
    once("creation", () -> createTable(ColumnFamilyDescriptorBuilder.of(FAMILY), splits));
    load();
    phase("put", rows / 10, (t, i) -> {
      t.put(put(i));
      return 1;
    });
    phase("get", rows / 5, this::get);
    phase("multi-get of 100", rows / 2 / BATCH, this::multiGet);
    phase("scan of all", 3, (t, i) -> scanAll(t));
    phase("scan of 50 rows", rows / 100, this::scanShort);
    phase("first increment of a region", splits.length, (t, i) -> {
      check(t.incrementColumnValue(splits[(int) i], FAMILY, COUNTER, 1) == 1, "first increment");
      return 1;
    });
    once("flush of all", () -> {
      try (Admin admin = connection.getAdmin()) {
        admin.flush(table);
      }
    });
  }

  /** Reads a row of the middle, by which the server serves again. */
  void firstAfterRestart() throws IOException {
    try (Table t = connection.getTable(table)) {
      check(!t.get(new Get(splits[splits.length / 2])).isEmpty(), "a counter after the restart");
    }
  }

  void drop() throws Exception {
    once("drop", this::dropTable);
  }

  private interface Step {
    void run() throws IOException;
  }

  private void once(String name, Step step) throws IOException {
    Meter meter = new Meter();
    step.run();
    meter.print(name, 1);
  }
}
