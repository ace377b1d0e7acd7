package vaquita.bench;

import java.io.File;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.LocalHBaseCluster;
import org.apache.hadoop.hbase.zookeeper.MiniZooKeeperCluster;

/**
 * A real HBase in one JVM, as its standalone mode runs it: ZooKeeper, a master and a region server on the local file
 * system, with the write-ahead log on. Prints the address of its ZooKeeper once the master is initialized, and stays up
 * until killed. Argument: an empty folder.
 */
public final class RealHBase {
  public static void main(String[] args) throws Exception {
    File folder = new File(args[0]).getAbsoluteFile();
    Configuration conf = HBaseConfiguration.create();
    conf.setBoolean("hbase.cluster.distributed", false);
    conf.setBoolean("hbase.unsafe.stream.capability.enforce", false); // a local file system has no hflush
    conf.set("hbase.rootdir", new File(folder, "hbase").toURI().toString());
    conf.set("hbase.tmp.dir", new File(folder, "tmp").getPath());
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
    System.out.println("127.0.0.1:" + port);
    Thread.currentThread().join();
  }
}
