package vaquita.clients;

import static vaquita.clients.Text.b;
import static vaquita.clients.Text.bytes;

import java.util.regex.Pattern;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.NamespaceExistException;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableExistsException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotEnabledException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.exceptions.MergeRegionException;

/** AsyncAdmin: tables, namespaces, regions and the cluster. */
final class AsyncAdminChecks {
  private static final TableName NAME = TableName.valueOf("asyncmade");

  static void run(AsyncConnection connection) {
    AsyncAdmin admin = connection.getAdmin();
    Check.section("async admin: tables", () -> tables(admin));
    Check.section("async admin: regions", () -> regions(connection, admin));
    Check.section("async admin: namespaces", () -> namespaces(admin));
    Check.section("async admin: cluster", () -> cluster(admin));
  }

  private static void tables(AsyncAdmin admin) throws Exception {
    TableDescriptor table = Tables.descriptor(NAME, "f:2").build();
    admin.createTable(table, bytes("h", "q")).get();
    Check.yes("exists", admin.tableExists(NAME).get());
    Check.yes("available", admin.isTableAvailable(NAME).get());
    Check.fails("create again", TableExistsException.class, () -> admin.createTable(table).get());
    Check.equal("descriptor", 2, admin.getDescriptor(NAME).get().getColumnFamily(b("f")).getMaxVersions());
    Check.fails("descriptor of no table", TableNotFoundException.class, () -> admin.getDescriptor(TableName.valueOf("absent")).get());
    Check.equal("listed", 1, admin.listTableNames(Pattern.compile("asyncm.*"), false).get().size());
    admin.addColumnFamily(NAME, ColumnFamilyDescriptorBuilder.of("g")).get();
    admin.modifyColumnFamily(NAME, ColumnFamilyDescriptorBuilder.newBuilder(b("g")).setMaxVersions(4).build()).get();
    Check.equal("family added and modified", 4, admin.getDescriptor(NAME).get().getColumnFamily(b("g")).getMaxVersions());
    admin.deleteColumnFamily(NAME, b("g")).get();
    Check.equal("and deleted", 1, admin.getDescriptor(NAME).get().getColumnFamilyCount());
    admin.disableTable(NAME).get();
    Check.yes("disabled", admin.isTableDisabled(NAME).get());
    Check.fails("disable again", TableNotEnabledException.class, () -> admin.disableTable(NAME).get());
    admin.truncateTable(NAME, true).get();
    Check.yes("truncated and enabled", admin.isTableEnabled(NAME).get());
  }

  private static void regions(AsyncConnection connection, AsyncAdmin admin) throws Exception {
    connection.getTable(NAME).put(new Put(b("k")).addColumn(b("f"), b("q"), b("v"))).get();
    Check.equal("regions", 3, admin.getRegions(NAME).get().size());
    admin.flush(NAME).get();
    admin.majorCompact(NAME).get();
    Check.eventually("compactions are over", () -> admin.getCompactionState(NAME).get() == CompactionState.NONE);
    admin.splitRegion(region(admin, 1).getRegionName(), b("m")).get();
    Check.eventually("split", () -> admin.getRegions(NAME).get().size() == 4);
    Check.fails("merge of a region with itself", MergeRegionException.class,
                () -> admin.mergeRegions(region(admin, 0).getEncodedNameAsBytes(), region(admin, 0).getEncodedNameAsBytes(), false).get());
    ServerName server = admin.getRegionServers().get().iterator().next();
    admin.move(region(admin, 0).getRegionName(), server).get();
    Check.yes("regions of the server", admin.getRegions(server).get().size() >= 4);
    Check.equal("metrics of the regions", 4, admin.getRegionMetrics(server, NAME).get().size());
    admin.disableTable(NAME).get();
    admin.deleteTable(NAME).get();
    Check.no("dropped", admin.tableExists(NAME).get());
  }

  private static RegionInfo region(AsyncAdmin admin, int index) throws Exception {
    return admin.getRegions(NAME).get().get(index);
  }

  private static void namespaces(AsyncAdmin admin) throws Exception {
    NamespaceDescriptor space = NamespaceDescriptor.create("asyncspace").build();
    admin.createNamespace(space).get();
    Check.fails("create again", NamespaceExistException.class, () -> admin.createNamespace(space).get());
    Check.equal("all", 3, admin.listNamespaceDescriptors().get().size());
    admin.deleteNamespace("asyncspace").get();
  }

  private static void cluster(AsyncAdmin admin) throws Exception {
    Check.equal("servers", 1, admin.getClusterMetrics().get().getLiveServerMetrics().size());
    Check.yes("master", admin.getMaster().get().getPort() > 0);
    Check.yes("balancer", admin.isBalancerEnabled().get());
    Check.holds("procedures", "[", admin.getProcedures().get());
    Check.holds("locks", "[", admin.getLocks().get());
    Check.equal("replication peers", 0, admin.listReplicationPeers().get().size());
  }

  private AsyncAdminChecks() {}
}
