package vaquita.clients;

import org.apache.hadoop.hbase.ClusterStatus;
import org.apache.hadoop.hbase.ServerLoad;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;

/** The cluster as HBase 1's Admin shows it. */
final class ClusterChecks {
  static void run(Connection connection) throws Exception {
    Tables.create(connection, "measured", "f:1", "m");
    try (Admin admin = connection.getAdmin()) {
      Check.section("admin: cluster status", () -> status(admin));
      Check.section("admin: switches", () -> switches(admin));
      Check.section("admin: procedures, servers", () -> others(admin));
    }
  }

  private static void status(Admin admin) throws Exception {
    ClusterStatus status = admin.getClusterStatus();
    Check.holds("version", ".", status.getHBaseVersion());
    Check.yes("id", status.getClusterId().length() > 10);
    Check.equal("servers", 1, status.getServersSize());
    Check.equal("dead servers", 0, status.getDeadServers());
    Check.equal("backup masters", 0, status.getBackupMastersSize());
    Check.yes("master", status.getMaster().getPort() > 0);
    Check.yes("balancer", status.getBalancerOn());
    ServerLoad load = status.getLoad(status.getServers().iterator().next());
    Check.yes("the server's regions", load.getNumberOfRegions() >= 2 && load.getRegionsLoad().size() >= 2);
    Check.yes("regions", status.getRegionsCount() >= 2);
  }

  private static void switches(Admin admin) throws Exception {
    Check.yes("balancer was on", admin.setBalancerRunning(false, true));
    Check.no("balancer", admin.isBalancerEnabled());
    Check.no("balancer was off", admin.setBalancerRunning(true, true));
    admin.balancer();
    boolean normalizer = admin.isNormalizerEnabled();
    Check.equal("normalizer was", normalizer, admin.setNormalizerRunning(!normalizer));
    admin.setNormalizerRunning(normalizer);
    admin.normalize();
    Check.yes("catalog janitor was on", admin.enableCatalogJanitor(false));
    Check.no("catalog janitor", admin.isCatalogJanitorEnabled());
    Check.no("catalog janitor was off", admin.enableCatalogJanitor(true));
    admin.runCatalogScan();
    Check.yes("splits were on", admin.setSplitOrMergeEnabled(false, true, Admin.MasterSwitchType.SPLIT)[0]);
    Check.no("splits", admin.isSplitOrMergeEnabled(Admin.MasterSwitchType.SPLIT));
    Check.yes("merges", admin.isSplitOrMergeEnabled(Admin.MasterSwitchType.MERGE));
    Check.no("splits were off", admin.setSplitOrMergeEnabled(true, true, Admin.MasterSwitchType.SPLIT)[0]);
  }

  private static void others(Admin admin) throws Exception {
    ServerName server = admin.getClusterStatus().getServers().iterator().next();
    admin.rollWALWriter(server);
    admin.updateConfiguration(server);
    Check.yes("security capabilities", admin.getSecurityCapabilities() != null);
    Check.no("abort of no procedure", admin.abortProcedure(123_456_789, true));
    Check.equal("dead servers", 0, admin.listDeadServers().size());
  }

  private ClusterChecks() {}
}
