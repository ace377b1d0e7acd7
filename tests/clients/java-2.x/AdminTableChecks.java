package vaquita.clients;

import static vaquita.clients.Text.b;
import static vaquita.clients.Text.bytes;
import static vaquita.clients.Text.rows;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.DoNotRetryIOException;
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
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;
import org.apache.hadoop.hbase.util.Bytes;

/** Admin's calls for tables, families and namespaces. */
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
      Check.section("admin: truncate, clone a schema", () -> truncate(connection, admin));
      Check.section("admin: families", () -> families(connection, admin));
      Check.section("admin: namespaces", () -> namespaces(admin));
      Check.section("admin: futures", () -> futures(admin));
    }
  }

  private static TableDescriptor made(String families) {
    return Tables.descriptor(NAME, families).build();
  }

  private static void createAndDrop(Connection connection, Admin admin) throws Exception {
    Tables.drop(admin, NAME);
    admin.createTable(made("f:1"));
    Check.equal("one region", "..", LocationChecks.ranges(connection, NAME));
    Check.yes("exists", admin.tableExists(NAME));
    Check.no("does not exist", admin.tableExists(ABSENT));
    Check.yes("available", admin.isTableAvailable(NAME));
    Check.equal("listed", true, Arrays.asList(admin.listTableNames()).contains(NAME));
    Check.equal("listed by a pattern", "[made]", Arrays.toString(admin.listTableNames(Pattern.compile("mad.*"), false)));
    Check.equal("system tables by a pattern", true,
                Arrays.asList(admin.listTableNames(Pattern.compile("hbase:.*"), true)).contains(TableName.META_TABLE_NAME));
    Check.equal("descriptors by a pattern", 1, admin.listTableDescriptors(Pattern.compile("made"), false).size());
    Check.equal("descriptors by names", "made", admin.listTableDescriptors(Arrays.asList(NAME)).get(0).getTableName().getNameAsString());
    Check.fails("create again", TableExistsException.class, () -> admin.createTable(made("f:1")));
    Check.fails("delete while enabled", TableNotDisabledException.class, () -> admin.deleteTable(NAME));
    Tables.drop(admin, NAME);
    Check.no("dropped", admin.tableExists(NAME));

    admin.createTable(made("f:1"), bytes("h", "q"));
    Check.equal("with splits", "..h h..q q..", LocationChecks.ranges(connection, NAME));
    Tables.drop(admin, NAME);
    admin.createTable(made("f:1"), b("b"), b("y"), 4);
    Check.equal("with a number of regions", 4, admin.getRegions(NAME).size());
    Tables.drop(admin, NAME);
    Check.fails("no family", DoNotRetryIOException.class, () -> admin.createTable(TableDescriptorBuilder.newBuilder(NAME).build()));
    Check.fails("no such namespace", NamespaceNotFoundException.class,
                () -> admin.createTable(Tables.descriptor(TableName.valueOf("nowhere:made"), "f:1").build()));
    Check.fails("delete what is not there", TableNotFoundException.class, () -> admin.deleteTable(ABSENT));
    Check.fails("describe what is not there", TableNotFoundException.class, () -> admin.getDescriptor(ABSENT));
  }

  private static void descriptors(Admin admin) throws Exception {
    ColumnFamilyDescriptor family = ColumnFamilyDescriptorBuilder.newBuilder(F)
        .setMaxVersions(7).setMinVersions(2).setTimeToLive(86_400).setBlocksize(4_096).setBloomFilterType(BloomType.ROWCOL)
        .setCompressionType(Compression.Algorithm.GZ).setInMemory(true).setBlockCacheEnabled(false)
        .setConfiguration("hbase.hstore.blockingStoreFiles", "20").setValue("OWN", "value").build();
    TableDescriptor asked = TableDescriptorBuilder.newBuilder(NAME).setColumnFamily(family)
        .setMaxFileSize(1L << 30).setMemStoreFlushSize(1 << 26).setDurability(Durability.ASYNC_WAL).setCompactionEnabled(false)
        .setPriority(3).setValue("OWNER", "someone").build();
    admin.createTable(asked);
    TableDescriptor got = admin.getDescriptor(NAME);
    ColumnFamilyDescriptor column = got.getColumnFamily(F);
    Check.equal("family", "7 2 86400 4096 ROWCOL GZ true false 20 value",
                column.getMaxVersions() + " " + column.getMinVersions() + " " + column.getTimeToLive() + " " + column.getBlocksize()
                    + " " + column.getBloomFilterType() + " " + column.getCompressionType() + " " + column.isInMemory() + " "
                    + column.isBlockCacheEnabled() + " " + column.getConfigurationValue("hbase.hstore.blockingStoreFiles") + " "
                    + Bytes.toString(column.getValue(b("OWN"))));
    Check.equal("max file size", asked.getMaxFileSize(), got.getMaxFileSize());
    Check.equal("flush size", asked.getMemStoreFlushSize(), got.getMemStoreFlushSize());
    Check.equal("durability", Durability.ASYNC_WAL, got.getDurability());
    Check.no("compactions", got.isCompactionEnabled());
    Check.equal("a user's own", "someone", got.getValue("OWNER"));
    TableDescriptor changed = TableDescriptorBuilder.newBuilder(got).setValue("OWNER", "another").setReadOnly(true).build();
    admin.modifyTable(changed);
    Check.equal("modified", "another true", admin.getDescriptor(NAME).getValue("OWNER") + " " + admin.getDescriptor(NAME).isReadOnly());
    Check.fails("modify what is not there", TableNotFoundException.class,
                () -> admin.modifyTable(Tables.descriptor(ABSENT, "f:1").build()));
    Tables.drop(admin, NAME);
  }

  private static void states(Connection connection, Admin admin) throws Exception {
    Table table = Tables.create(connection, "made", "f:1", "m");
    table.put(new Put(b("a")).addColumn(F, Q, b("v")));
    Check.equal("enabled", "true false", admin.isTableEnabled(NAME) + " " + admin.isTableDisabled(NAME));
    admin.disableTable(NAME);
    Check.equal("disabled", "false true", admin.isTableEnabled(NAME) + " " + admin.isTableDisabled(NAME));
    Check.fails("disable again", TableNotEnabledException.class, () -> admin.disableTable(NAME));
    Check.fails("get", TableNotEnabledException.class, () -> table.get(new Get(b("a"))));
    Check.fails("put", TableNotEnabledException.class, () -> table.put(new Put(b("a")).addColumn(F, Q, b("v"))));
    admin.enableTable(NAME);
    Check.equal("enabled again", "a", rows(table, new Scan()));
    Check.fails("enable again", TableNotDisabledException.class, () -> admin.enableTable(NAME));
    Check.fails("disable what is not there", TableNotFoundException.class, () -> admin.disableTable(ABSENT));
    Check.fails("enable what is not there", TableNotFoundException.class, () -> admin.enableTable(ABSENT));
    Check.fails("state of what is not there", TableNotFoundException.class, () -> admin.isTableEnabled(ABSENT));
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
    TableName copy = TableName.valueOf("copied");
    admin.cloneTableSchema(NAME, copy, false);
    Check.equal("a schema's copy", "[f]", names(admin.getDescriptor(copy)));
    Check.fails("over a table", TableExistsException.class, () -> admin.cloneTableSchema(NAME, copy, false));
    Tables.drop(admin, copy);
  }

  private static String names(TableDescriptor table) {
    List<String> names = new ArrayList<>();
    for (byte[] name : table.getColumnFamilyNames()) names.add(new String(name));
    return names.toString();
  }

  private static void families(Connection connection, Admin admin) throws Exception {
    Table table = Tables.create(connection, "made", "f:1", "m");
    table.put(new Put(b("a")).addColumn(F, Q, b("v")));
    ColumnFamilyDescriptor g = ColumnFamilyDescriptorBuilder.newBuilder(b("g")).setMaxVersions(2).build();
    admin.addColumnFamily(NAME, g);
    table.put(new Put(b("z")).addColumn(b("g"), Q, b("w")));
    Check.equal("added, and used", "a z", rows(table, new Scan()));
    Check.equal("families", "[f, g]", names(admin.getDescriptor(NAME)));
    Check.fails("add again", InvalidFamilyOperationException.class, () -> admin.addColumnFamily(NAME, g));
    admin.modifyColumnFamily(NAME, ColumnFamilyDescriptorBuilder.newBuilder(g).setMaxVersions(5).build());
    Check.equal("modified", 5, admin.getDescriptor(NAME).getColumnFamily(b("g")).getMaxVersions());
    ColumnFamilyDescriptor none = ColumnFamilyDescriptorBuilder.of("none");
    Check.fails("modify what is not there", InvalidFamilyOperationException.class, () -> admin.modifyColumnFamily(NAME, none));
    Check.fails("delete what is not there", InvalidFamilyOperationException.class, () -> admin.deleteColumnFamily(NAME, b("none")));
    admin.deleteColumnFamily(NAME, b("g"));
    Check.equal("deleted, with its cells", "a", rows(table, new Scan()));
    Check.fails("and unknown", NoSuchColumnFamilyException.class, () -> table.get(new Get(b("z")).addFamily(b("g"))));
    Check.fails("the last one stays", InvalidFamilyOperationException.class, () -> admin.deleteColumnFamily(NAME, F));
    Check.fails("of an unknown table", TableNotFoundException.class, () -> admin.addColumnFamily(ABSENT, g));
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
    admin.createTable(Tables.descriptor(inside, "f:1").build());
    Check.equal("its tables", "[space:inside]", Arrays.toString(admin.listTableNamesByNamespace("space")));
    Check.equal("their descriptors", 1, admin.listTableDescriptorsByNamespace(b("space")).size());
    Check.failsWith("delete with a table in it", "ConstraintException", () -> admin.deleteNamespace("space"));
    Tables.drop(admin, inside);
    admin.deleteNamespace("space");
    Check.fails("deleted", NamespaceNotFoundException.class, () -> admin.getNamespaceDescriptor("space"));
    Check.fails("delete again", NamespaceNotFoundException.class, () -> admin.deleteNamespace("space"));
    Check.fails("modify what is not there", NamespaceNotFoundException.class,
                () -> admin.modifyNamespace(NamespaceDescriptor.create("space").build()));
    Check.failsWith("delete a reserved one", "ConstraintException", () -> admin.deleteNamespace("default"));
  }

  private static void futures(Admin admin) throws Exception {
    Tables.drop(admin, NAME);
    Tables.await(admin.createTableAsync(made("f:1"), bytes("m")));
    Check.yes("created", admin.tableExists(NAME));
    Check.fails("created again", TableExistsException.class, () -> Tables.await(admin.createTableAsync(made("f:1"), bytes("m"))));
    Tables.await(admin.addColumnFamilyAsync(NAME, ColumnFamilyDescriptorBuilder.of("g")));
    Tables.await(admin.modifyColumnFamilyAsync(NAME, ColumnFamilyDescriptorBuilder.newBuilder(b("g")).setMaxVersions(9).build()));
    Check.equal("family added and modified", 9, admin.getDescriptor(NAME).getColumnFamily(b("g")).getMaxVersions());
    Tables.await(admin.deleteColumnFamilyAsync(NAME, b("g")));
    Tables.await(admin.disableTableAsync(NAME));
    Tables.await(admin.truncateTableAsync(NAME, true));
    Tables.await(admin.disableTableAsync(NAME));
    Tables.await(admin.enableTableAsync(NAME));
    Tables.await(admin.disableTableAsync(NAME));
    Tables.await(admin.deleteTableAsync(NAME));
    Check.no("deleted", admin.tableExists(NAME));
  }

  private AdminTableChecks() {}
}
