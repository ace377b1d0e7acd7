package org.vaquita.junit;

import com.github.dockerjava.api.command.InspectContainerResponse;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;

/**
 * Vaquita in a container of Testcontainers, for machines that the program does not run on. HBase's clients are told the addresses of
 * servers, so when the container runs the server is told which ports it was mapped to.
 *
 * <pre>{@code
 * try (VaquitaContainer hbase = new VaquitaContainer()) {
 *   hbase.start();
 *   Connection connection = ConnectionFactory.createConnection(hbase.getConfiguration());
 * }
 * }</pre>
 */
public class VaquitaContainer extends GenericContainer<VaquitaContainer> {
  private static final int ZOOKEEPER = 2181;
  private static final int INFO = 16010;

  /** The names that the control has for the services, and the ports in the container. */
  private static final Map<String, Integer> SERVICES = new LinkedHashMap<>();

  static {
    SERVICES.put("zookeeper", ZOOKEEPER);
    SERVICES.put("master", 16000);
    SERVICES.put("regionServer", 16020);
    SERVICES.put("grpc", 16040);
    SERVICES.put("masterInfo", INFO);
    SERVICES.put("regionServerInfo", 16030);
  }

  /** The image "vaquita", as packages/docker builds it. */
  public VaquitaContainer() {
    this("vaquita");
  }

  public VaquitaContainer(String image) {
    super(DockerImageName.parse(image));
    withExposedPorts(SERVICES.values().toArray(new Integer[0]));
    withCommand("standalone", "--ephemeral", "--bind", "0.0.0.0", "--insecure", "--test-control=any");
    waitingFor(Wait.forHttp("/health").forPort(INFO));
  }

  @Override
  protected void containerIsStarted(InspectContainerResponse container, boolean reused) {
    Map<String, String> addresses = new LinkedHashMap<>();
    SERVICES.forEach((service, port) -> addresses.put(service, getHost() + ":" + getMappedPort(port)));
    control("POST", "advertise", addresses);
  }

  /** Returns a new configuration for clients of this server. */
  public Configuration getConfiguration() {
    Map<String, String> properties = new LinkedHashMap<>();
    properties.put("hbase.zookeeper.quorum", getHost());
    properties.put("hbase.zookeeper.property.clientPort", String.valueOf(getMappedPort(ZOOKEEPER)));
    return HBaseConfigurations.create(properties);
  }

  /** Any operation of docs/test-control.md, e.g. {@code control("POST", "reset", emptyMap())}. */
  public final Map<String, Object> control(String httpMethod, String operation, Map<String, ?> request) {
    return new Control("http://" + getHost() + ":" + getMappedPort(INFO) + "/control/v1").call(httpMethod, operation, request);
  }
}
