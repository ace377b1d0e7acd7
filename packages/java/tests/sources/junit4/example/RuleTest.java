package example;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;

import java.io.IOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.vaquita.junit.Vaquita;
import org.vaquita.junit.VaquitaRule;

/** JUnit 4, with no JUnit 5 in the class path: as a rule, and as a rule of the class in a process of its own. */
public class RuleTest {
  @ClassRule public static VaquitaRule other = new VaquitaRule().withOwnProcess().withTable("kept", "f");
  @Rule public VaquitaRule hbase = Vaquita.ruleWithTable("t", "f");

  private void writesOnce() throws IOException {
    byte[] f = Bytes.toBytes("f");
    try (Table table = hbase.getConnection().getTable(TableName.valueOf("t"))) {
      assertFalse(table.exists(new Get(f)));
      table.put(new Put(f).addColumn(f, f, f));
    }
    assertEquals(1, hbase.getAdmin().listTableNames().length);
    assertEquals(1, other.getAdmin().listTableNames().length);
    assertFalse(hbase.vaquita().pid() == other.vaquita().pid());
  }

  @Test
  public void first() throws IOException {
    writesOnce();
  }

  @Test
  public void second() throws IOException {
    writesOnce();
  }
}
