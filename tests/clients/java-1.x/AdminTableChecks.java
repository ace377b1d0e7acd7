package vaquita.clients;

import static vaquita.clients.Text.b;
import static vaquita.clients.Text.bytes;
import static vaquita.clients.Text.rows;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HColumnDescriptor;
import org.apache.hadoop.hbase.HTableDescriptor;
import org.apache.hadoop.hbase.InvalidFamilyOperationException;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.NamespaceExistException;
import org.apache.hadoop.hbase.NamespaceNotFoundException;
import org.apache.hadoop.hbase.TableExistsException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotDisabledException;
import org.apache.hadoop.hbase.TableNotEnabledException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.io.compress.Compression;

/** HBase 1's Admin for tables, families and namespaces. */
final class AdminTableChecks {
  private static final TableName NAME = TableName.valueOf("made");
  private static final TableName ABSENT = TableName.valueOf("absent");
  private static final byte[] F = b("f");
  private static final byte[] Q = b("q");

  static void run(Connection connection) throws Exception {
    try (Admin admin = connection.getAdmin()) {
      Check.section("admin: create, list, drop", () -> createAndDrop(connection, admin));
      Check.section("admin: descriptors", () -> descriptors(admin));
      Check.section("admin: enable and disable", () -> states(connection, admin));
      Check.section("admin: truncate", () -> truncate(connection, admin));
      Check.section("admin: families", () -> families(connection, admin));
      Check.section("admin: namespaces", () -> namespaces(admin));
    }
  }

  private static HTableDescriptor made(String families) {
    return Tables.descriptor(NAME, families);
  }

  private static void createAndDrop(Connection connection, Admin admin) throws Exception {
    Tables.drop(admin, NAME);
    admin.createTable(made("f:1"));
    Check.equal("one region", "..", LocationChecks.ranges(connection, NAME));
    Check.yes("exists", admin.tableExists(NAME));
    Check.no("does not exist", admin.tableExists(ABSENT));
    Check.yes("available", admin.isTableAvailable(NAME));
    Check.equal("listed by a pattern", "[made]", Arrays.toString(admin.listTableNames(Pattern.compile("mad.*"))));
    Check.equal("descriptors by a pattern", 1, admin.listTables("made").length);
    Check.fails("create again", TableExistsException.class, () -> admin.createTable(made("f:1")));
    Check.fails("delete while enabled", TableNotDisabledException.class, () -> admin.deleteTable(NAME));
    Tables.drop(admin, NAME);
    admin.createTable(made("f:1"), b("b"), b("y"), 4);
    Check.equal("with a number of regions", 4, admin.getTableRegions(NAME).size());
    Tables.drop(admin, NAME);
    admin.createTableAsync(made("f:1"), bytes("h", "q"));
    Check.eventually("asynchronously", () -> admin.isTableAvailable(NAME));
    Check.equal("with splits", "..h h..q q..", LocationChecks.ranges(connection, NAME));
    Check.equal("disabled and deleted by a pattern", "0 0",
                admin.disableTables("mad.").length + " " + admin.deleteTables("mad.").length);
    Tables.drop(admin, NAME);
    Check.fails("no family", DoNotRetryIOException.class, () -> admin.createTable(new HTableDescriptor(NAME)));
    Check.fails("no such namespace", NamespaceNotFoundException.class,
                () -> admin.createTable(Tables.descriptor(TableName.valueOf("nowhere:made"), "f:1")));
    Check.fails("delete what is not there", TableNotFoundException.class, () -> admin.deleteTable(ABSENT));
    Check.fails("describe what is not there", TableNotFoundException.class, () -> admin.getTableDescriptor(ABSENT));
  }

  private static void descriptors(Admin admin) throws Exception {
    HColumnDescriptor family = new HColumnDescriptor("f").setMaxVersions(7).setMinVersions(2).setTimeToLive(86_400)
        .setBlocksize(4_096).setCompressionType(Compression.Algorithm.GZ).setInMemory(true).setBlockCacheEnabled(false);
    HTableDescriptor asked = new HTableDescriptor(NAME).addFamily(family).setMaxFileSize(1L << 30).setDurability(Durability.ASYNC_WAL);
    asked.setValue("OWNER", "someone");
    admin.createTable(asked);
    HTableDescriptor got = admin.getTableDescriptor(NAME);
    HColumnDescriptor column = got.getFamily(F);
    Check.equal("family", "7 2 86400 4096 GZ true false",
                column.getMaxVersions() + " " + column.getMinVersions() + " " + column.getTimeToLive() + " " + column.getBlocksize()
                    + " " + column.getCompressionType() + " " + column.isInMemory() + " " + column.isBlockCacheEnabled());
    Check.equal("table", (1L << 30) + " ASYNC_WAL someone", got.getMaxFileSize() + " " + got.getDurability() + " " + got.getValue("OWNER"));
    got.setValue("OWNER", "another");
    admin.modifyTable(NAME, got);
    Check.eventually("modified", () -> "another".equals(admin.getTableDescriptor(NAME).getValue("OWNER")));
    Check.equal("regions to update", 0, admin.getAlterStatus(NAME).getFirst());
    Tables.drop(admin, NAME);
  }

  private static void states(Connection connection, Admin admin) throws Exception {
    Table table = Tables.create(connection, "made", "f:1", "m");
    table.put(new Put(b("a")).addColumn(F, Q, b("v")));
    Check.equal("enabled", "true false", admin.isTableEnabled(NAME) + " " + admin.isTableDisabled(NAME));
    admin.disableTable(NAME);
    Check.equal("disabled", "false true", admin.isTableEnabled(NAME) + " " + admin.isTableDisabled(NAME));
    Check.fails("disable again", TableNotEnabledException.class, () -> admin.disableTable(NAME));
    admin.enableTable(NAME);
    Check.equal("enabled again", "a", rows(table, new Scan()));
    Check.fails("enable again", TableNotDisabledException.class, () -> admin.enableTable(NAME));
    Check.fails("disable what is not there", TableNotFoundException.class, () -> admin.disableTable(ABSENT));
    Check.fails("enable what is not there", TableNotFoundException.class, () -> admin.enableTable(ABSENT));
  }

  private static void truncate(Connection connection, Admin admin) throws Exception {
    Table table = Tables.create(connection, "made", "f:1", "m");
    table.put(new Put(b("a")).addColumn(F, Q, b("v")));
    Check.fails("while enabled", TableNotDisabledException.class, () -> admin.truncateTable(NAME, true));
    admin.disableTable(NAME);
    admin.truncateTable(NAME, true);
    Check.equal("emptied", Text.NONE, rows(table, new Scan()));
    Check.equal("splits kept", "..m m..", LocationChecks.ranges(connection, NAME));
    admin.disableTable(NAME);
    admin.truncateTable(NAME, false);
    Check.equal("splits gone", "..", LocationChecks.ranges(connection, NAME));
  }

  private static void families(Connection connection, Admin admin) throws Exception {
    Table table = Tables.create(connection, "made", "f:1", "m");
    table.put(new Put(b("a")).addColumn(F, Q, b("v")));
    HColumnDescriptor g = new HColumnDescriptor("g").setMaxVersions(2);
    admin.addColumn(NAME, g);
    table.put(new Put(b("z")).addColumn(b("g"), Q, b("w")));
    Check.equal("added, and used", "a z", rows(table, new Scan()));
    Check.fails("add again", InvalidFamilyOperationException.class, () -> admin.addColumn(NAME, g));
    admin.modifyColumn(NAME, g.setMaxVersions(5));
    Check.eventually("modified", () -> admin.getTableDescriptor(NAME).getFamily(b("g")).getMaxVersions() == 5);
    Check.fails("modify what is not there", InvalidFamilyOperationException.class,
                () -> admin.modifyColumn(NAME, new HColumnDescriptor("none")));
    Check.fails("delete what is not there", InvalidFamilyOperationException.class, () -> admin.deleteColumn(NAME, b("none")));
    admin.deleteColumn(NAME, b("g"));
    Check.equal("deleted, with its cells", "a", rows(table, new Scan()));
    Check.fails("the last one stays", InvalidFamilyOperationException.class, () -> admin.deleteColumn(NAME, F));
  }

  private static void namespaces(Admin admin) throws Exception {
    TableName inside = TableName.valueOf("space:inside");
    admin.createNamespace(NamespaceDescriptor.create("space").addConfiguration("k", "v").build());
    Check.equal("created", "v", admin.getNamespaceDescriptor("space").getConfigurationValue("k"));
    List<String> names = new ArrayList<>();
    for (NamespaceDescriptor descriptor : admin.listNamespaceDescriptors()) names.add(descriptor.getName());
    Check.equal("all", "[default, hbase, space]", names.toString());
    Check.fails("create again", NamespaceExistException.class, () -> admin.createNamespace(NamespaceDescriptor.create("space").build()));
    admin.modifyNamespace(NamespaceDescriptor.create("space").addConfiguration("k", "w").build());
    Check.equal("modified", "w", admin.getNamespaceDescriptor("space").getConfigurationValue("k"));
    admin.createTable(Tables.descriptor(inside, "f:1"));
    Check.equal("its tables", "[space:inside]", Arrays.toString(admin.listTableNamesByNamespace("space")));
    Check.failsWith("delete with a table in it", "ConstraintException", () -> admin.deleteNamespace("space"));
    Tables.drop(admin, inside);
    admin.deleteNamespace("space");
    Check.fails("deleted", NamespaceNotFoundException.class, () -> admin.getNamespaceDescriptor("space"));
    Check.failsWith("delete a reserved one", "ConstraintException", () -> admin.deleteNamespace("default"));
  }

  private AdminTableChecks() {}
}
