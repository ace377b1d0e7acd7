package example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Collections;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.junit.jupiter.api.Test;
import org.vaquita.junit.Vaquita;
import org.vaquita.junit.VaquitaCluster;

/** Without an extension. */
class PlainTest {
  @Test
  void startAndClose() throws IOException {
    Vaquita stopped;
    try (Vaquita v = Vaquita.start()) {
      v.createTable("t", "f");
      assertTrue(v.getAdmin().tableExists(TableName.valueOf("t")));
      stopped = v;
    }
    assertFalse(stopped.isRunning());
  }

  @Test
  void aStopThatIsInterruptedLeavesNoData() throws IOException {
    Vaquita v = Vaquita.start();
    Path data = null;
    try (DirectoryStream<Path> open = Files.newDirectoryStream(Paths.get("/proc/" + v.pid() + "/fd"))) {
      for (Path each : open) {
        Path opened = Files.readSymbolicLink(each);
        if (opened.toString().matches(".*/vaquita-ephemeral-[^/]*/LOCK")) data = opened.getParent();
      }
    }
    assertTrue(data != null && Files.exists(data));
    Thread.currentThread().interrupt();  // as JUnit does it after a test's time
    v.stop();
    assertTrue(Thread.interrupted());
    while (v.isRunning()) Thread.yield();
    assertFalse(Files.exists(data));
  }

  @Test
  void theShapeOfTestingHBaseCluster() throws IOException {
    VaquitaCluster cluster = VaquitaCluster.create();
    assertThrows(IllegalStateException.class, cluster::getConf);
    cluster.start();
    assertTrue(cluster.isHBaseClusterRunning());
    try (Connection connection = ConnectionFactory.createConnection(cluster.getConf()); Admin admin = connection.getAdmin()) {
      assertEquals(0, admin.listTableNames().length);
    }
    cluster.stop();
    assertFalse(cluster.isHBaseClusterRunning());
  }

  @Test
  void aServerThatDoesNotStartSaysWhy() {
    IllegalStateException e = assertThrows(
        IllegalStateException.class, () -> Vaquita.start(Collections.singletonMap("hbase.regionserver.handler.count", "many")));
    assertTrue(e.getMessage().contains("many") && e.getMessage().contains("exit code"), e.getMessage());
  }

  @Test
  void otherPlatformsAreToldWhatThereIs() {
    String os = System.getProperty("os.name");
    String arch = System.getProperty("os.arch");
    try {
      System.setProperty("os.name", "Mac OS X");
      System.setProperty("os.arch", "aarch64");
      String message = assertThrows(IllegalStateException.class, Vaquita::start).getMessage();
      for (String part : new String[] {"darwin-arm64", "VAQUITA_BINARY", "linux-amd64", "container image"}) {
        assertTrue(message.contains(part), message);
      }
    } finally {
      System.setProperty("os.name", os);
      System.setProperty("os.arch", arch);
    }
  }
}
