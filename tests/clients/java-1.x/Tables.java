package vaquita.clients;

import static vaquita.clients.Text.b;
import static vaquita.clients.Text.bytes;

import org.apache.hadoop.hbase.HColumnDescriptor;
import org.apache.hadoop.hbase.HRegionInfo;
import org.apache.hadoop.hbase.HTableDescriptor;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Table;

/** The tables that checks work on, by HBase 1's Admin. */
final class Tables {
  /** A fresh table with families as in `f:3 g:1`: name and versions to keep. */
  static Table create(Connection connection, String name, String families, String... splits) throws Exception {
    TableName table = TableName.valueOf(name);
    try (Admin admin = connection.getAdmin()) {
      drop(admin, table);
      admin.createTable(descriptor(table, families), splits.length == 0 ? null : bytes(splits));
    }
    return connection.getTable(table);
  }

  static HTableDescriptor descriptor(TableName table, String families) {
    HTableDescriptor descriptor = new HTableDescriptor(table);
    for (String family : families.split(" ")) {
      String[] parts = family.split(":");
      descriptor.addFamily(new HColumnDescriptor(parts[0]).setMaxVersions(Integer.parseInt(parts[1])));
    }
    return descriptor;
  }

  static void drop(Admin admin, TableName table) throws Exception {
    if (!admin.tableExists(table)) return;
    if (admin.isTableEnabled(table)) admin.disableTable(table);
    admin.deleteTable(table);
  }

  /** Drops all tables and namespaces, for the next who starts. */
  static void dropAll(Connection connection) throws Exception {
    try (Admin admin = connection.getAdmin()) {
      for (TableName table : admin.listTableNames()) drop(admin, table);
      for (NamespaceDescriptor namespace : admin.listNamespaceDescriptors()) {
        if (!namespace.getName().equals("default") && !namespace.getName().equals("hbase")) admin.deleteNamespace(namespace.getName());
      }
    }
  }

  /** HBase 1's clients do not learn when a split is done, but by looking. */
  static void split(Connection connection, TableName table, String row) throws Exception {
    try (Admin admin = connection.getAdmin()) {
      int before = admin.getTableRegions(table).size();
      admin.splitRegion(region(admin, table, row).getRegionName(), b(row));
      Check.eventually("split of " + table, () -> admin.getTableRegions(table).size() == before + 1);
    }
  }

  /** Merges the regions that hold two rows. */
  static void merge(Connection connection, TableName table, String first, String second) throws Exception {
    try (Admin admin = connection.getAdmin()) {
      int before = admin.getTableRegions(table).size();
      admin.mergeRegions(region(admin, table, first).getEncodedNameAsBytes(),
                         region(admin, table, second).getEncodedNameAsBytes(), false);
      Check.eventually("merge of " + table, () -> admin.getTableRegions(table).size() == before - 1);
    }
  }

  /** Closes all regions and opens them again. */
  static void reopen(Connection connection, TableName table) throws Exception {
    try (Admin admin = connection.getAdmin()) {
      for (HRegionInfo region : admin.getTableRegions(table)) {
        admin.unassign(region.getRegionName(), false);
        admin.assign(region.getRegionName());
        admin.move(region.getEncodedNameAsBytes(), (byte[]) null);
      }
    }
  }

  /** The region that holds a row. */
  static HRegionInfo region(Admin admin, TableName table, String row) throws Exception {
    for (HRegionInfo region : admin.getTableRegions(table)) {
      if (region.containsRow(b(row))) return region;
    }
    throw new AssertionError("no region of " + table + " holds " + row);
  }

  private Tables() {}
}
