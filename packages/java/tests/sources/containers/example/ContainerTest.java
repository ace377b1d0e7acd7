package example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.dockerjava.api.command.InspectContainerResponse;
import java.io.IOException;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.junit.jupiter.api.Test;
import org.vaquita.junit.Vaquita;
import org.vaquita.junit.VaquitaContainer;

/** Without a container engine: a process stands in for the container, and its ports for the mapped ones. */
class ContainerTest {
  private static final class Mapped extends VaquitaContainer {
    private final Map<Integer, Integer> ports = new HashMap<>();

    Mapped(Vaquita process) {
      put(2181, process, "zookeeper");
      put(16000, process, "master");
      put(16020, process, "regionServer");
      put(16040, process, "grpc");
      put(16010, process, "masterInfo");
      put(16030, process, "regionServerInfo");
    }

    private void put(int port, Vaquita process, String service) {
      String address = process.control("GET", "advertise", null).get(service).toString();
      ports.put(port, Integer.valueOf(address.substring(address.indexOf(':') + 1)));
    }

    @Override
    public String getHost() {
      return "localhost";
    }

    @Override
    public Integer getMappedPort(int port) {
      return ports.get(port);
    }

    void started() {
      containerIsStarted((InspectContainerResponse) null, false);
    }
  }

  @Test
  void clientsAreToldTheMappedAddresses() throws IOException {
    try (Vaquita process = Vaquita.start()) {
      Mapped container = new Mapped(process);
      container.started();
      process.createTable("t", "f");
      try (Connection connection = ConnectionFactory.createConnection(container.getConfiguration());
          Admin admin = connection.getAdmin(); RegionLocator locator = connection.getRegionLocator(TableName.valueOf("t"))) {
        assertTrue(admin.tableExists(TableName.valueOf("t")));
        assertEquals("localhost", locator.getRegionLocation(new byte[0]).getHostname());
      }
      container.control("POST", "reset", Collections.emptyMap());
      assertEquals("standalone", container.getCommandParts()[0]);
    }
  }
}
