package vaquita.clients;

import static vaquita.clients.Text.b;
import static vaquita.clients.Text.bytes;

import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/** The tables that checks work on, by HBase 2's Admin. */
final class Tables {
  /** A fresh table with families as in `f:3 g:1`: name and versions to keep. */
  static Table create(Connection connection, String name, String families, String... splits) throws Exception {
    TableName table = TableName.valueOf(name);
    try (Admin admin = connection.getAdmin()) {
      drop(admin, table);
      admin.createTable(descriptor(table, families).build(), splits.length == 0 ? null : bytes(splits));
    }
    return connection.getTable(table);
  }

  static TableDescriptorBuilder descriptor(TableName table, String families) {
    TableDescriptorBuilder builder = TableDescriptorBuilder.newBuilder(table);
    for (String family : families.split(" ")) {
      String[] parts = family.split(":");
      builder.setColumnFamily(
          ColumnFamilyDescriptorBuilder.newBuilder(b(parts[0])).setMaxVersions(Integer.parseInt(parts[1])).build());
    }
    return builder;
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

  static void split(Connection connection, TableName table, String row) throws Exception {
    try (Admin admin = connection.getAdmin()) {
      await(admin.splitRegionAsync(region(admin, table, row).getRegionName(), b(row)));
    }
  }

  /** Merges the regions that hold two rows. */
  static void merge(Connection connection, TableName table, String first, String second) throws Exception {
    try (Admin admin = connection.getAdmin()) {
      byte[][] names = {region(admin, table, first).getEncodedNameAsBytes(), region(admin, table, second).getEncodedNameAsBytes()};
      await(admin.mergeRegionsAsync(names, false));
    }
  }

  /** HBase 2.1's futures cannot be waited for without a limit. */
  static <T> T await(Future<T> future) throws Exception {
    return future.get(30, TimeUnit.SECONDS);
  }

  /** Closes all regions and opens them again. */
  static void reopen(Connection connection, TableName table) throws Exception {
    try (Admin admin = connection.getAdmin()) {
      for (RegionInfo region : admin.getRegions(table)) {
        admin.unassign(region.getRegionName(), false);
        admin.assign(region.getRegionName());
        admin.move(region.getEncodedNameAsBytes(), (byte[]) null);
      }
    }
  }

  /** The region that holds a row. */
  static RegionInfo region(Admin admin, TableName table, String row) throws Exception {
    for (RegionInfo region : admin.getRegions(table)) {
      if (region.containsRow(b(row))) return region;
    }
    throw new AssertionError("no region of " + table + " holds " + row);
  }

  private Tables() {}
}
