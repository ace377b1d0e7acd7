package vaquita.clients;

import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.ClusterMetrics.Option;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/** The cluster as Admin shows it: metrics, switches, procedures, locks. */
final class ClusterChecks {
  static void run(Connection connection) throws Exception {
    try (Admin admin = connection.getAdmin(); Table table = Tables.create(connection, "measured", "f:1", "m")) {
      for (int i = 0; i < 10; ++i) table.put(new Put(Bytes.toBytes("r" + i)).addColumn(Bytes.toBytes("f"), null, Bytes.toBytes("v")));
      Check.section("admin: cluster metrics", () -> metrics(admin));
      Check.section("admin: switches", () -> switches(admin));
      Check.section("admin: procedures and locks", () -> procedures(admin));
      Check.section("admin: features that are off", () -> absent(admin));
      Check.section("admin: servers", () -> servers(admin));
    }
  }

  private static void metrics(Admin admin) throws Exception {
    ClusterMetrics metrics = admin.getClusterMetrics();
    Check.holds("version", ".", metrics.getHBaseVersion());
    Check.yes("id", metrics.getClusterId().length() > 10);
    Check.equal("servers", 1, metrics.getLiveServerMetrics().size());
    Check.equal("dead servers", 0, metrics.getDeadServerNames().size());
    Check.equal("backup masters", 0, metrics.getBackupMasterNames().size());
    Check.yes("master", metrics.getMasterName().getPort() > 0);
    Check.yes("balancer", metrics.getBalancerOn());
    Check.equal("regions in transition", 0, metrics.getRegionStatesInTransition().size());
    ServerMetrics server = metrics.getLiveServerMetrics().values().iterator().next();
    Check.yes("the server's regions", server.getRegionMetrics().size() >= 2);
    Check.yes("its heap", server.getMaxHeapSize().getLongValue() > 0);
    ClusterMetrics some = admin.getClusterMetrics(EnumSet.of(Option.MASTER, Option.HBASE_VERSION));
    Check.yes("only what was asked for", some.getHBaseVersion() != null && some.getLiveServerMetrics().isEmpty());
    Check.equal("master, asked alone", metrics.getMasterName(), admin.getMaster());
    Check.equal("servers, asked alone", metrics.getLiveServerMetrics().keySet(), new HashSet<>(admin.getRegionServers()));
    ServerName name = admin.getRegionServers().iterator().next();
    Check.eventually("requests and sizes of a table's regions", () -> {
      long writes = 0;
      for (RegionMetrics region : admin.getRegionMetrics(name, TableName.valueOf("measured"))) writes += region.getWriteRequestCount();
      return writes == 10;
    });
    Check.equal("regions of a table", 2, admin.getRegionMetrics(name, TableName.valueOf("measured")).size());
  }

  private static void switches(Admin admin) throws Exception {
    Check.yes("balancer was on", admin.balancerSwitch(false, true));
    Check.no("balancer", admin.isBalancerEnabled());
    Check.no("and does not run", admin.balancer());
    Check.no("balancer was off", admin.balancerSwitch(true, true));
    boolean normalizer = admin.isNormalizerEnabled();
    Check.equal("normalizer was", normalizer, admin.normalizerSwitch(!normalizer));
    Check.equal("normalizer", !normalizer, admin.isNormalizerEnabled());
    admin.normalizerSwitch(normalizer);
    Check.yes("catalog janitor was on", admin.catalogJanitorSwitch(false));
    Check.no("catalog janitor", admin.isCatalogJanitorEnabled());
    Check.no("catalog janitor was off", admin.catalogJanitorSwitch(true));
    admin.runCatalogJanitor();
    Check.yes("cleaner was on", admin.cleanerChoreSwitch(false));
    Check.no("cleaner", admin.isCleanerChoreEnabled());
    Check.no("cleaner was off", admin.cleanerChoreSwitch(true));
    admin.runCleanerChore();
    Check.yes("splits were on", admin.splitSwitch(false, true));
    Check.equal("splits and merges", "false true", admin.isSplitEnabled() + " " + admin.isMergeEnabled());
    byte[] region = admin.getRegions(TableName.valueOf("measured")).get(0).getRegionName();
    Check.fails("a split while they are off", DoNotRetryIOException.class,
                () -> Tables.await(admin.splitRegionAsync(region, Bytes.toBytes("c"))));
    Check.no("splits were off", admin.splitSwitch(true, true));
    Check.yes("merges were on", admin.mergeSwitch(false, true));
    Check.no("merges were off", admin.mergeSwitch(true, true));
  }

  private static void procedures(Admin admin) throws Exception {
    Check.holds("procedures as JSON", "[", admin.getProcedures());
    Check.holds("locks as JSON", "[", admin.getLocks());
    Check.no("abort of none", Tables.await(admin.abortProcedureAsync(123_456_789, true)));
  }

  private static void absent(Admin admin) throws Exception {
    Check.equal("replication peers", 0, admin.listReplicationPeers().size());
    Check.equal("decommissioned servers", 0, admin.listDecommissionedRegionServers().size());
    Check.equal("dead servers", 0, admin.listDeadServers().size());
    Check.equal("replicated families", 0, admin.listReplicatedTableCFs().size());
    Check.yes("security capabilities", admin.getSecurityCapabilities() != null);
    Check.yes("coprocessors of the master", admin.getMasterCoprocessorNames() != null);
    Check.no("maintenance", admin.isMasterInMaintenanceMode());
  }

  private static void servers(Admin admin) throws Exception {
    ServerName server = admin.getRegionServers().iterator().next();
    admin.rollWALWriter(server);
    admin.updateConfiguration(server);
    admin.updateConfiguration();
    admin.clearCompactionQueues(server, Collections.singleton("short"));
    Check.equal("block cache cleared without trouble", 0, admin.clearBlockCache(TableName.valueOf("measured")).getExceptionCount());
  }

  private ClusterChecks() {}
}
