package vaquita.clients;

import static vaquita.clients.Text.b;
import static vaquita.clients.Text.values;

import java.util.Arrays;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/** Families with NEW_VERSION_BEHAVIOR; tests/semantics/new_versions has their rules. */
final class NewVersionChecks {
  private static final TableName NAME = TableName.valueOf("ordered");
  private static final byte[] F = b("f");
  private static final byte[] Q = b("q");

  static void run(Connection connection) throws Exception {
    try (Admin admin = connection.getAdmin()) {
      Tables.drop(admin, NAME);
      admin.createTable(TableDescriptorBuilder.newBuilder(NAME)
          .setColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(F).setMaxVersions(3).setNewVersionBehavior(true).build()).build());
      try (Table table = connection.getTable(NAME)) {
        Check.section("new version behavior", () -> order(connection, admin, table));
        Check.section("new version behavior: altered", () -> altered(admin, table));
      }
      Tables.drop(admin, NAME);
    }
  }

  private static Put put(String row, long timestamp, String value) {
    return new Put(b(row)).addColumn(F, Q, timestamp, b(value));
  }

  private static void order(Connection connection, Admin admin, Table table) throws Exception {
    Check.yes("in the descriptor", admin.getDescriptor(NAME).getColumnFamily(F).isNewVersionBehavior());
    table.put(put("a", 5, "five"));
    table.delete(new Delete(b("a")).addColumns(F, Q, 9));
    table.put(put("a", 4, "four"));
    table.put(put("z", 5, "five"));
    table.delete(new Delete(b("z"), 9));
    table.put(put("z", 9, "nine"));
    String seen = "a f:q=four | z f:q=nine";
    Check.equal("puts after deletes", seen, values(table, new Scan()));
    table.mutateRow(RowMutations.of(Arrays.asList(new Delete(b("a")).addColumns(F, Q, 20), put("a", 20, "together"))));
    Check.equal("a delete and a put in one", "z f:q=nine", values(table, new Scan()));
    table.put(put("a", 4, "four"));
    admin.flush(NAME);
    Check.equal("flushed", seen, values(table, new Scan()));
    Tables.reopen(connection, NAME);
    Check.equal("opened again", seen, values(table, new Scan()));
    Tables.split(connection, NAME, "m");
    table.put(put("z", 8, "eight"));
    table.delete(new Delete(b("z")).addColumn(F, Q, 9));
    Check.equal("split", "a f:q=four | z f:q=eight", values(table, new Scan()));
    admin.majorCompact(NAME);
    Check.eventually("compacted", () -> admin.getCompactionState(NAME).toString().equals("NONE"));
    table.put(put("z", 7, "seven"));
    Check.equal("after a major compaction", "a f:q=four | z f:q=eight", values(table, new Scan()));
    admin.snapshot("inorder", NAME);
    TableName clone = TableName.valueOf("orderedclone");
    admin.cloneSnapshot("inorder", clone);
    try (Table cloned = connection.getTable(clone)) {
      Check.equal("cloned", "a f:q=four | z f:q=eight", values(cloned, new Scan()));
      cloned.delete(new Delete(b("z"), 8));
      cloned.put(put("z", 1, "one"));
      Check.equal("written to", "a f:q=four | z f:q=one", values(cloned, new Scan()));
    }
    Tables.drop(admin, clone);
    admin.deleteSnapshot("inorder");
  }

  private static void altered(Admin admin, Table table) throws Exception {
    admin.modifyColumnFamily(NAME, ColumnFamilyDescriptorBuilder.newBuilder(F).setMaxVersions(3).build());
    table.put(put("b", 5, "five"));
    table.delete(new Delete(b("b")).addColumns(F, Q, 9));
    table.put(put("b", 4, "four"));
    Check.equal("by timestamps", "(none)", values(table, new Scan().withStartRow(b("b")).withStopRow(b("c"))));
    admin.modifyColumnFamily(NAME, ColumnFamilyDescriptorBuilder.newBuilder(F).setMaxVersions(3).setNewVersionBehavior(true).build());
    table.put(put("b", 3, "three"));
    Check.holds("by order again", "f:q=three", values(table, new Scan().withStartRow(b("b")).withStopRow(b("c"))));
  }

  private NewVersionChecks() {}
}
