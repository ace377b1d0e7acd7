package vaquita.clients;

import static vaquita.clients.Text.b;
import static vaquita.clients.Text.values;

import java.util.regex.Pattern;
import org.apache.hadoop.hbase.TableExistsException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotDisabledException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.snapshot.RestoreSnapshotException;
import org.apache.hadoop.hbase.snapshot.SnapshotCreationException;
import org.apache.hadoop.hbase.snapshot.SnapshotDoesNotExistException;
import org.apache.hadoop.hbase.snapshot.SnapshotExistsException;

/** Snapshots: taken of enabled and disabled tables, listed, cloned, restored, deleted. */
final class SnapshotChecks {
  private static final TableName NAME = TableName.valueOf("snapped");
  private static final TableName CLONE = TableName.valueOf("cloned");
  private static final byte[] F = b("f");
  private static final byte[] Q = b("q");

  static void run(Connection connection) throws Exception {
    try (Admin admin = connection.getAdmin(); Table table = Tables.create(connection, "snapped", "f:1", "m")) {
      table.put(new Put(b("a")).addColumn(F, Q, b("1")));
      table.put(new Put(b("z")).addColumn(F, Q, b("1")));
      admin.deleteSnapshots(Pattern.compile(".*"));
      Check.section("snapshots: take and list", () -> take(admin, table));
      Check.section("snapshots: clone", () -> cloneSnapshot(connection, admin));
      Check.section("snapshots: restore", () -> restore(connection, admin, table));
      Check.section("snapshots: delete", () -> delete(admin));
    }
  }

  private static Put changed(String row) {
    return new Put(b(row)).addColumn(F, Q, b("2"));
  }

  private static void take(Admin admin, Table table) throws Exception {
    admin.snapshot("first", NAME);
    table.put(changed("a"));
    admin.snapshot("second", NAME);
    Check.equal("listed", 2, admin.listSnapshots().size());
    var one = admin.listSnapshots(Pattern.compile("fir.*"));  // each version has a class of its own
    Check.equal("by a pattern", "first snapped", one.get(0).getName() + " " + one.get(0).getTable());
    Check.yes("with its time", one.get(0).getCreationTime() > 0);
    Check.equal("by table", 2, admin.listTableSnapshots(Pattern.compile("snap.*"), Pattern.compile(".*")).size());
    Check.fails("again by the same name", SnapshotExistsException.class, () -> admin.snapshot("first", NAME));
    Check.fails("of no table", SnapshotCreationException.class, () -> admin.snapshot("third", TableName.valueOf("absent")));
  }

  private static void cloneSnapshot(Connection connection, Admin admin) throws Exception {
    Tables.drop(admin, CLONE);
    admin.cloneSnapshot("first", CLONE);
    try (Table clone = connection.getTable(CLONE)) {
      Check.equal("as it was then", "a f:q=1 | z f:q=1", values(clone, new Scan()));
      Check.equal("with its regions", "..m m..", LocationChecks.ranges(connection, CLONE));
      clone.put(changed("z"));
      Check.equal("a table of its own", "a f:q=1 | z f:q=2", values(clone, new Scan()));
    }
    Check.fails("over a table", TableExistsException.class, () -> admin.cloneSnapshot("first", CLONE));
    Check.fails("of no snapshot", SnapshotDoesNotExistException.class, () -> admin.cloneSnapshot("none", TableName.valueOf("other")));
    Tables.drop(admin, CLONE);
  }

  private static void restore(Connection connection, Admin admin, Table table) throws Exception {
    table.put(new Put(b("new")).addColumn(F, Q, b("2")));
    Tables.split(connection, NAME, "d");
    Check.fails("while enabled", TableNotDisabledException.class, () -> admin.restoreSnapshot("first"));
    admin.disableTable(NAME);
    admin.restoreSnapshot("first");
    admin.enableTable(NAME);
    Check.equal("as it was then", "a f:q=1 | z f:q=1", values(table, new Scan()));
    Check.equal("its regions, too", "..m m..", LocationChecks.ranges(connection, NAME));
    admin.disableTable(NAME);
    admin.snapshot("disabled", NAME);
    admin.deleteTable(NAME);
    admin.restoreSnapshot("disabled");
    Check.equal("of a table that is gone", "a f:q=1 | z f:q=1", values(table, new Scan()));
    Check.fails("from no snapshot", RestoreSnapshotException.class, () -> admin.restoreSnapshot("none"));
  }

  private static void delete(Admin admin) throws Exception {
    admin.deleteSnapshot("second");
    Check.fails("again", SnapshotDoesNotExistException.class, () -> admin.deleteSnapshot("second"));
    admin.deleteSnapshots(Pattern.compile("dis.*"));
    admin.deleteTableSnapshots(Pattern.compile("snapped"), Pattern.compile("f.*"));
    Check.equal("none is left", 0, admin.listSnapshots().size());
  }

  private SnapshotChecks() {}
}
