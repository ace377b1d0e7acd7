package example;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.vaquita.junit.Vaquita;
import org.vaquita.junit.VaquitaExtension;

/** The three lines of the README, twice: what one test writes, the other does not find. */
class ThreeLinesTest {
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] Q = Bytes.toBytes("q");

  @RegisterExtension static VaquitaExtension hbase = Vaquita.withTable("t", "f");

  @Test
  void writes(Connection connection) throws IOException {
    writeOnce(connection, "first");
  }

  @Test
  void writesAgain(Connection connection) throws IOException {
    writeOnce(connection, "second");
  }

  private static void writeOnce(Connection connection, String value) throws IOException {
    try (Table table = connection.getTable(TableName.valueOf("t"))) {
      assertTrue(table.get(new Get(Bytes.toBytes("r"))).isEmpty());
      table.put(new Put(Bytes.toBytes("r")).addColumn(F, Q, Bytes.toBytes(value)));
      assertArrayEquals(Bytes.toBytes(value), table.get(new Get(Bytes.toBytes("r"))).getValue(F, Q));
    }
  }

  @Test
  void parameters(Admin admin, Configuration configuration, Vaquita vaquita) throws IOException {
    assertTrue(admin.tableExists(TableName.valueOf("t")));
    assertEquals(1, admin.listTableNames().length);
    assertEquals(vaquita.zookeeper(), configuration.get("hbase.zookeeper.quorum") + ":"
        + configuration.get("hbase.zookeeper.property.clientPort"));
    assertEquals(configuration.get("hbase.zookeeper.quorum"), vaquita.properties().get("hbase.zookeeper.quorum"));
    assertTrue(vaquita.hbaseSite().contains("hbase.zookeeper.property.clientPort"));
    assertNotEquals(0, vaquita.pid());
  }
}
