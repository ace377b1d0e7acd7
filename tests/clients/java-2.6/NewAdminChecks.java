package vaquita.clients;

import static vaquita.clients.Text.b;
import static vaquita.clients.Text.rows;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotEnabledException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.BalanceRequest;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.NormalizeTableFilterParams;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.ServerType;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.BigDecimalComparator;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.BinaryComponentComparator;
import org.apache.hadoop.hbase.filter.ColumnValueFilter;
import org.apache.hadoop.hbase.filter.QualifierFilter;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.util.Bytes;

/** What Admin, RegionLocator and the filters have since HBase 2.1. */
final class NewAdminChecks {
  private static final TableName NAME = TableName.valueOf("modern");
  private static final byte[] F = b("f");
  private static final byte[] Q = b("q");

  static void run(Connection connection) throws Exception {
    try (Admin admin = connection.getAdmin(); Table table = Tables.create(connection, "modern", "f:1 g:1", "h", "q")) {
      for (String row : "a i r".split(" ")) table.put(new Put(b(row)).addColumn(F, Q, b(row)).addColumn(b("g"), Q, b(row)));
      Check.section("admin 2.6: tables and regions", () -> tables(connection, admin, table));
      Check.section("admin 2.6: switches", () -> switches(admin));
      Check.section("admin 2.6: servers and logs", () -> servers(admin));
      Check.section("region locator 2.6", () -> locator(table));
      Check.section("filters 2.6", () -> filters(table));
    }
  }

  private static void tables(Connection connection, Admin admin, Table table) throws Exception {
    admin.flush(NAME, F);
    admin.flush(NAME, Arrays.asList(F, b("g")));
    admin.flushRegion(admin.getRegions(NAME).get(0).getRegionName(), F);
    Check.yes("in the list of enabled tables", admin.listTableNamesByState(true).contains(NAME));
    Check.no("not in that of disabled ones", admin.listTableNamesByState(false).contains(NAME));
    Check.yes("descriptors by state", admin.listTableDescriptorsByState(true).stream().anyMatch(each -> each.getTableName().equals(NAME)));
    Check.yes("namespaces", Arrays.asList(admin.listNamespaces()).contains("default"));
    admin.modifyTable(Tables.descriptor(NAME, "f:1 g:1").setValue("K", "v").build(), false);
    Check.equal("modified without reopening", "v", admin.getDescriptor(NAME).getValue("K"));
    admin.disableTable(NAME);
    Check.fails("flush of a disabled table", TableNotEnabledException.class, () -> admin.flush(NAME));
    admin.enableTable(NAME);
    admin.truncateRegion(Tables.region(admin, NAME, "i").getRegionName());
    Check.equal("a region truncated", "a r", rows(table, new Scan()));
    table.put(new Put(b("i")).addColumn(F, Q, b("i")));
    RegionInfo region = Tables.region(admin, NAME, "i");
    admin.unassign(region.getRegionName());
    admin.assign(region.getRegionName());
    admin.move(region.getEncodedNameAsBytes());
    Check.equal("unassigned, assigned, moved", "a i r", rows(table, new Scan()));
  }

  private static void switches(Admin admin) throws Exception {
    Check.yes("balance, on a request", admin.balance(BalanceRequest.newBuilder().setDryRun(true).build()).isBalancerRan());
    admin.balance();
    admin.normalize(new NormalizeTableFilterParams.Builder().namespace("default").build());
    Check.equal("snapshot cleanup", admin.isSnapshotCleanupEnabled(), admin.snapshotCleanupSwitch(admin.isSnapshotCleanupEnabled(), true));
    admin.compactionSwitch(false, Collections.emptyList()).forEach((server, before) -> Check.yes("compactions were on", before));
    admin.compactionSwitch(true, Collections.emptyList()).forEach((server, before) -> Check.no("compactions were off", before));
    Check.yes("replication peers may be modified", admin.isReplicationPeerModificationEnabled());
    admin.isRpcThrottleEnabled();
  }

  private static void servers(Admin admin) throws Exception {
    Set<ServerName> servers = new HashSet<>(admin.getRegionServers(true));
    Check.equal("not decommissioned", 1, servers.size());
    ServerName server = servers.iterator().next();
    admin.decommissionRegionServers(Collections.singletonList(server), false);
    Check.equal("decommissioned", Collections.singletonList(server), admin.listDecommissionedRegionServers());
    admin.recommissionRegionServer(server, Collections.emptyList());
    Check.equal("recommissioned", 0, admin.listDecommissionedRegionServers().size());
    Check.equal("unknown", 0, admin.listUnknownServers().size());
    Check.equal("slow calls", 0, admin.getLogEntries(servers, "SLOW_LOG", ServerType.REGION_SERVER, 5, Collections.emptyMap()).size());
    admin.clearSlowLogResponses(servers);
    Check.yes("cached files", admin.getCachedFilesList(servers.iterator().next()) != null);
    Check.equal("sizes for quotas", 0, admin.getSpaceQuotaTableSizes().size());
  }

  private static void locator(Table table) throws Exception {
    try (RegionLocator locator = table.getRegionLocator()) {
      locator.clearRegionLocationCache();
      Check.equal("replicas of a row's region", 1, locator.getRegionLocations(b("i"), true).size());
      Check.equal("the first replica", "h", Bytes.toString(locator.getRegionLocation(b("i"), 0, true).getRegion().getStartKey()));
    }
    Check.equal("prefix", "i", rows(table, new Scan().setStartStopRowForPrefixScan(b("i"))));
  }

  private static void filters(Table table) throws Exception {
    table.put(new Put(b("n1")).addColumn(F, b("n"), Bytes.toBytes(new BigDecimal("1.5"))));
    table.put(new Put(b("n2")).addColumn(F, b("n"), Bytes.toBytes(new BigDecimal("2.5"))));
    SingleColumnValueFilter number =
        new SingleColumnValueFilter(F, b("n"), CompareOperator.GREATER, new BigDecimalComparator(new BigDecimal("2")));
    number.setFilterIfMissing(true);
    Check.equal("BigDecimalComparator", "n2", rows(table, new Scan().setFilter(number)));
    Check.equal("BinaryComponentComparator", "n1", rows(table, new Scan().setFilter(
        new RowFilter(CompareOperator.EQUAL, new BinaryComponentComparator(b("1"), 1)))));
    Check.equal("ColumnValueFilter", "i", rows(table, new Scan().setFilter(new ColumnValueFilter(F, Q, CompareOperator.EQUAL, b("i")))));
    Check.equal("operators by their new name", "n1 n2", rows(table, new Scan().setFilter(
        new QualifierFilter(CompareOperator.LESS, new BinaryComparator(Q)))));
  }

  private NewAdminChecks() {}
}
