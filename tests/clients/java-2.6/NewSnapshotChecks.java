package vaquita.clients;

import static vaquita.clients.Text.b;
import static vaquita.clients.Text.values;

import java.util.Collections;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.SnapshotDescription;
import org.apache.hadoop.hbase.client.SnapshotType;
import org.apache.hadoop.hbase.client.Table;

/** What snapshots have since HBase 2.1: properties, and futures of all that is done with them. */
final class NewSnapshotChecks {
  private static final TableName NAME = TableName.valueOf("snapped");
  private static final TableName CLONE = TableName.valueOf("cloned");

  static void run(Connection connection) throws Exception {
    try (Admin admin = connection.getAdmin(); Table table = Tables.create(connection, "snapped", "f:1", "m")) {
      for (String row : "a z".split(" ")) table.put(new Put(b(row)).addColumn(b("f"), b("q"), b("1")));
      Check.section("snapshots 2.6: properties", () -> properties(connection, admin));
      Check.section("snapshots 2.6: asynchronously", () -> futures(connection, admin));
      Tables.drop(admin, CLONE);
    }
  }

  private static void properties(Connection connection, Admin admin) throws Exception {
    admin.snapshot("unflushed", NAME, SnapshotType.SKIPFLUSH, Collections.singletonMap("TTL", 1_000L));
    SnapshotDescription taken = admin.listSnapshots(Pattern.compile("unflushed")).get(0);
    Check.equal("its type and TTL", "SKIPFLUSH 1000", taken.getType() + " " + taken.getTtl());
    Tables.drop(admin, CLONE);
    admin.cloneSnapshot("unflushed", CLONE, false, "FILE");
    Check.equal("tracked as asked", "FILE", admin.getDescriptor(CLONE).getValue("hbase.store.file-tracker.impl"));
    try (Table clone = connection.getTable(CLONE)) {
      Check.equal("without what was in memory", "(none)", values(clone, new Scan()));
    }
    Tables.drop(admin, CLONE);
  }

  private static void futures(Connection connection, Admin admin) throws Exception {
    SnapshotDescription later = new SnapshotDescription("later", NAME, SnapshotType.FLUSH, null, -1, -1, Collections.emptyMap());
    admin.snapshotAsync(later).get(30, TimeUnit.SECONDS);
    Check.yes("finished", admin.isSnapshotFinished(later));
    admin.cloneSnapshotAsync("later", CLONE).get(30, TimeUnit.SECONDS);
    try (Table clone = connection.getTable(CLONE)) {
      Check.equal("cloned", "a f:q=1 | z f:q=1", values(clone, new Scan()));
    }
    admin.disableTable(CLONE);
    admin.snapshot("ofclone", CLONE);
    admin.restoreSnapshotAsync("ofclone").get(30, TimeUnit.SECONDS);
    admin.deleteSnapshots(Pattern.compile(".*"));
    Check.equal("none is left", 0, admin.listSnapshots().size());
  }

  private NewSnapshotChecks() {}
}
