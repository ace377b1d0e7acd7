import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.LocalHBaseCluster;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.hadoop.hbase.zookeeper.MiniZooKeeperCluster;

/** A real HBase in this JVM: ZooKeeper, a master and a region server on the local file system, with the scripts' clock in it. */
final class Cluster implements AutoCloseable {
  final ScriptClock clock = new ScriptClock();
  final Connection connection;
  final Admin admin;
  final int zooKeeperPort;
  private final MiniZooKeeperCluster zooKeeper;
  private final LocalHBaseCluster cluster;

  Cluster(Path data) throws Exception {
    Configuration conf = HBaseConfiguration.create();
    conf.setBoolean("hbase.cluster.distributed", false);
    // The local file system cannot promise hflush and hsync as HDFS does.
    conf.setBoolean("hbase.unsafe.stream.capability.enforce", false);
    conf.setInt("hbase.master.info.port", -1);
    conf.setInt("hbase.regionserver.info.port", -1);
    conf.setInt("hbase.master.port", 0);
    conf.setInt("hbase.regionserver.port", 0);
    conf.set("hbase.master.hostname", "localhost");
    conf.set("hbase.regionserver.hostname", "localhost");
    conf.set("hbase.master.ipc.address", "127.0.0.1");
    conf.set("hbase.regionserver.ipc.address", "127.0.0.1");
    conf.set("hbase.rootdir", data.resolve("hbase").toUri().toString());
    conf.set("hbase.tmp.dir", data.resolve("tmp").toString());
    conf.setInt("hbase.procedure.remote.dispatcher.delay.msec", 1);
    // Permanent refusals must come back soon.
    conf.setInt("hbase.client.retries.number", 3);
    conf.setInt("hbase.client.pause", 20);

    EnvironmentEdgeManager.injectEdge(clock);
    zooKeeper = new MiniZooKeeperCluster(conf);
    zooKeeperPort = zooKeeper.startup(data.resolve("zookeeper").toFile());
    conf.set("hbase.zookeeper.quorum", "127.0.0.1");
    conf.setInt("hbase.zookeeper.property.clientPort", zooKeeperPort);
    cluster = new LocalHBaseCluster(conf, 1, 1);
    cluster.startup();
    while (cluster.getActiveMaster() == null || !cluster.getActiveMaster().isInitialized()) {
      Thread.sleep(20);
    }
    clock.handlersOfPort(server().getServerName().getPort());
    // The client would refuse large cells by itself; the server's words are wanted.
    Configuration clientConf = new Configuration(conf);
    clientConf.setInt("hbase.client.keyvalue.maxsize", 0);
    clientConf.setInt("hbase.rpc.timeout", 10_000);
    clientConf.setInt("hbase.client.operation.timeout", 20_000);
    connection = ConnectionFactory.createConnection(clientConf);
    admin = connection.getAdmin();
  }

  private HRegionServer server() {
    return cluster.getRegionServers().get(0).getRegionServer();
  }

  List<HRegion> regions(TableName table) throws Exception {
    List<HRegion> regions = new ArrayList<>();
    for (RegionInfo info : admin.getRegions(table)) {
      regions.add((HRegion) server().getOnlineRegion(info.getRegionName()));
    }
    return regions;
  }

  /** The compactions after a split or a merge, which HBase leaves to its own threads; a script's next line must find them done. */
  void compactReferences(TableName table) throws Exception {
    for (HRegion region : regions(table)) {
      while (region.hasReferences()) {
        clock.asDataThread(() -> region.compact(false));
        for (HStore store : region.getStores()) {
          // A compacted file counts as a reference until a chore has removed it.
          store.closeAndArchiveCompactedFiles();
        }
      }
    }
  }

  /** Everything that scripts made goes away, and time is back at the start. */
  void clear() throws Exception {
    for (TableName table : admin.listTableNames()) {
      if (admin.isTableEnabled(table)) {
        admin.disableTable(table);
      }
      admin.deleteTable(table);
    }
    for (NamespaceDescriptor namespace : admin.listNamespaceDescriptors()) {
      if (!namespace.getName().equals("hbase") && !namespace.getName().equals("default")) {
        admin.deleteNamespace(namespace.getName());
      }
    }
    clock.reset();
  }

  @Override
  public void close() throws Exception {
    connection.close();
  }
}
