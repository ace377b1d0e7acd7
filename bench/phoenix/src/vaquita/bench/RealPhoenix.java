package vaquita.bench;

import java.io.File;
import java.net.ServerSocket;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.LocalHBaseCluster;
import org.apache.hadoop.hbase.zookeeper.MiniZooKeeperCluster;
import org.apache.phoenix.queryserver.server.QueryServer;

/**
 * A real Phoenix in one JVM: HBase as its standalone mode runs it, on the local file system with the write-ahead log on,
 * and Phoenix's query server. Prints ZooKeeper's address and then the query server's once it listens, and stays up until
 * killed. Argument: an empty folder.
 */
public final class RealPhoenix {
  public static void main(String[] args) throws Exception {
    File folder = new File(args[0]).getAbsoluteFile();
    Configuration conf = HBaseConfiguration.create();
    conf.setBoolean("hbase.cluster.distributed", false);
    conf.setBoolean("hbase.unsafe.stream.capability.enforce", false); // a local file system has no hflush
    conf.set("hbase.rootdir", new File(folder, "hbase").toURI().toString());
    conf.set("hbase.tmp.dir", new File(folder, "tmp").getPath());
    conf.set("hbase.regionserver.wal.codec", "org.apache.hadoop.hbase.regionserver.wal.IndexedWALEditCodec");
    // By default each region that is written reserves 2 MB, so that 800 regions would need more than this JVM's heap.
    conf.setInt("hbase.hregion.memstore.mslab.chunksize", 256 * 1024);
    for (String server : new String[] {"master", "regionserver"}) {
      conf.setInt("hbase." + server + ".port", 0);
      conf.setInt("hbase." + server + ".info.port", -1);
      conf.set("hbase." + server + ".hostname", "localhost");
      conf.set("hbase." + server + ".ipc.address", "127.0.0.1");
    }
    MiniZooKeeperCluster zooKeeper = new MiniZooKeeperCluster(conf);
    int port = zooKeeper.startup(new File(folder, "zookeeper"));
    conf.set("hbase.zookeeper.quorum", "127.0.0.1");
    conf.setInt("hbase.zookeeper.property.clientPort", port);
    LocalHBaseCluster cluster = new LocalHBaseCluster(conf, 1, 1);
    cluster.startup();
    while (cluster.getActiveMaster() == null || !cluster.getActiveMaster().isInitialized()) {
      Thread.sleep(5);
    }
    try (ServerSocket free = new ServerSocket(0)) {
      conf.setInt("phoenix.queryserver.http.port", free.getLocalPort());
    }
    conf.setBoolean("phoenix.queryserver.jmxjsonendpoint.disabled", true);
    QueryServer server = new QueryServer(new String[0], conf);
    new Thread(server, "query server").start();
    server.awaitRunning(60, TimeUnit.SECONDS);
    System.out.println("zookeeper 127.0.0.1:" + port);
    System.out.println("127.0.0.1:" + conf.get("phoenix.queryserver.http.port"));
    Thread.currentThread().join();
  }
}
