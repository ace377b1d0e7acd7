package example;

import static org.apache.hadoop.hbase.util.Bytes.toBytes;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;
import org.vaquita.junit.Fault;
import org.vaquita.junit.Vaquita;
import org.vaquita.junit.VaquitaCluster;
import org.vaquita.junit.VaquitaExtension;

/** The code blocks of docs/testing.md, as they are printed. */
class SnippetsTest {
// snippet: java-three-lines

// snippet: java-fault

// snippet: java-power-cut

// snippet: java-time

// snippet: java-calls

  @Test
  void plain() throws IOException {
// snippet: java-plain
  }

  @Test
  void cluster() {
// snippet: java-cluster
    assertNotNull(configuration.get("hbase.zookeeper.quorum"));
  }
}

@SpringJUnitConfig(SpringSnippetTest.Application.class)
@ExtendWith(VaquitaExtension.class)
class SpringSnippetTest {
  static class Application {
    @Value("${hbase.zookeeper.property.clientPort}")
    String port;
  }

// snippet: java-spring

  @Test
  void hasTheAddress(@org.springframework.beans.factory.annotation.Autowired Application application, Vaquita vaquita) {
    assertTrue(vaquita.zookeeper().endsWith(":" + application.port));
  }
}

class ReadmeSnippetTest {
// snippet: readme-java
}
