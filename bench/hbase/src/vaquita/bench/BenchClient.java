package vaquita.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/**
 * The client of the comparisons with HBase. It reads commands, one a line, so that one warm client serves several
 * servers; after each it prints {@code done}.
 *
 * <pre>
 * first ADDRESS                      the milliseconds to the first get of the first put
 * phases ADDRESS PID ROWS            everyday phases ({@link ClientPhases})
 * hot ADDRESS PID                    gets of rows with many versions ({@link HotRowPhases})
 * regions ADDRESS PID ROWS REGIONS   a table of many regions ({@link RegionPhases})
 * restarted ADDRESS PID ROWS REGIONS its first read after a restart
 * drop ADDRESS PID ROWS REGIONS      its end
 * </pre>
 */
public final class BenchClient {
  public static void main(String[] args) throws Exception {
    BufferedReader commands = new BufferedReader(new InputStreamReader(System.in));
    for (String line; (line = commands.readLine()) != null;) {
      long begin = System.nanoTime();
      String[] words = line.split(" ");
      try (Connection connection = connect(words[1])) {
        run(words, connection, begin);
      }
      System.out.println("done");
    }
  }

  private static void run(String[] words, Connection connection, long begin) throws Exception {
    long[] numbers = new long[words.length];
    for (int i = 2; i < words.length; i++) {
      numbers[i] = Long.parseLong(words[i]);
    }
    switch (words[0]) {
      case "first":
        ClientPhases.firstPutAndGet(connection, begin);
        break;
      case "phases":
        new ClientPhases(connection, numbers[2], numbers[3]).run();
        break;
      case "hot":
        new HotRowPhases(connection, numbers[2]).run();
        break;
      case "regions":
        new RegionPhases(connection, numbers[2], numbers[3], (int) numbers[4]).beforeRestart();
        break;
      case "restarted":
        new RegionPhases(connection, numbers[2], numbers[3], (int) numbers[4]).firstAfterRestart();
        break;
      case "drop":
        new RegionPhases(connection, numbers[2], numbers[3], (int) numbers[4]).drop();
        break;
      default:
        throw new IllegalArgumentException("unknown command " + words[0]);
    }
  }

  private static Connection connect(String address) throws IOException {
    Configuration conf = HBaseConfiguration.create();
    conf.set("hbase.zookeeper.quorum", address.split(":")[0]);
    conf.set("hbase.zookeeper.property.clientPort", address.split(":")[1]);
    return ConnectionFactory.createConnection(conf);
  }
}
