package example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.vaquita.junit.Call;
import org.vaquita.junit.Fault;
import org.vaquita.junit.Vaquita;
import org.vaquita.junit.VaquitaException;
import org.vaquita.junit.VaquitaExtension;

/** Faults, calls, time, seeds and saved states, seen by the client. */
class ControlTest {
  private static final byte[] F = Bytes.toBytes("f");

  @RegisterExtension
  static VaquitaExtension hbase = Vaquita.withTable("t", "f").withSeed("create 'short', {NAME => 'f', TTL => 60}");

  private static Put put(String row) {
    return new Put(Bytes.toBytes(row)).addColumn(F, F, F);
  }

  @Test
  void faultsAreRetried(Connection connection, Vaquita vaquita) throws IOException {
    long fault = vaquita.addFault(Fault.on("Mutate", "Multi").table("t").times(2).throwing("RegionTooBusyException", "as ordered"));
    try (Table table = connection.getTable(TableName.valueOf("t"))) {
      table.put(put("r"));
      assertTrue(table.exists(new Get(Bytes.toBytes("r"))));
    }
    assertEquals(2, vaquita.faultHits(fault));
  }

  @Test
  void callsAreCounted(Connection connection, Vaquita vaquita) throws IOException {
    long since = vaquita.nextCall();
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < 100; ++i) puts.add(put("r" + i));
    try (Table table = connection.getTable(TableName.valueOf("t"))) {
      table.put(puts);
    }
    List<Call> calls = vaquita.calls(since);
    assertEquals(1, calls.size(), calls.toString());
    assertEquals("Multi", calls.get(0).method());
    assertEquals(100, calls.get(0).rowCount());
    assertEquals("OK", calls.get(0).result());
  }

  @Test
  void timeMoves(Connection connection, Vaquita vaquita) throws IOException {
    try (Table table = connection.getTable(TableName.valueOf("short"))) {
      table.put(put("r"));
      vaquita.advanceTime(Duration.ofSeconds(59));
      assertTrue(table.exists(new Get(Bytes.toBytes("r"))));
      vaquita.advanceTime(Duration.ofSeconds(2));
      assertFalse(table.exists(new Get(Bytes.toBytes("r"))));
    }
  }

  @Test
  void statesAreKept(Connection connection, Vaquita vaquita) throws IOException {
    assertEquals(2, vaquita.seedCsv("id,name\n1,Ann\n2,Ben\n", "people", "f", "id"));
    vaquita.save("two-people");
    try (Table table = connection.getTable(TableName.valueOf("people"))) {
      table.put(put("3"));
      vaquita.restore("two-people");
      assertTrue(table.exists(new Get(Bytes.toBytes("2"))));
      assertFalse(table.exists(new Get(Bytes.toBytes("3"))));
    }
  }

  @Test
  void snapshotsSeed(Connection connection, Vaquita vaquita) throws IOException {
    vaquita.seed("put 't', 'r', 'f:q', 'v'\nsnapshot 't', 's'");
    vaquita.seedSnapshot("s", "clone");
    try (Table table = connection.getTable(TableName.valueOf("clone"))) {
      assertTrue(table.exists(new Get(Bytes.toBytes("r"))));
    }
  }

  @Test
  void refusalsHaveTheServersMessage(Vaquita vaquita) {
    VaquitaException e = assertThrows(VaquitaException.class, () -> vaquita.restore("nothing"));
    assertTrue(e.getMessage().contains("nothing"), e.getMessage());
  }
}
