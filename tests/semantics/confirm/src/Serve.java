import java.io.BufferedReader;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Paths;
import org.apache.hadoop.hbase.TableName;

/**
 * Keeps a real HBase for a client outside of this JVM. Says "ready" and ZooKeeper's port, and then does what is asked, line by line, and
 * says "done" after each: what no client can do to a cluster.
 */
final class Serve {
  private Serve() {}

  static void run(Cluster cluster, String commands, String answers) throws Exception {
    // In the order in which the other end opens them: each waits for the other.
    try (BufferedReader in = Files.newBufferedReader(Paths.get(commands));
        PrintWriter out = new PrintWriter(Files.newBufferedWriter(Paths.get(answers)), true)) {
      out.println("ready " + cluster.zooKeeperPort);
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        out.println(obey(cluster, line.split(" ")));
      }
    }
  }

  private static String obey(Cluster cluster, String[] words) {
    try {
      switch (words[0]) {
        case "advance":
          cluster.clock.advance(Long.parseLong(words[1]));
          return "done";
        case "settle":
          for (TableName table : cluster.admin.listTableNames()) {
            if (cluster.admin.isTableEnabled(table)) {
              cluster.compactReferences(table);
            }
          }
          return "done";
        case "clear":
          cluster.clear();
          return "done";
        default:
          return "unknown command";
      }
    } catch (Exception e) {
      return "failed: " + e;
    }
  }
}
