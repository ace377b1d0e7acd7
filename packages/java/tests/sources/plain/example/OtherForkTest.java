package example;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.vaquita.junit.Vaquita;
import org.vaquita.junit.VaquitaExtension;

/** Runs in another JVM than PlainTest, at the same time: both unpack the program. */
class OtherForkTest {
  @RegisterExtension static VaquitaExtension hbase = Vaquita.withTable("ns_t", "f", "g");

  @RepeatedTest(3)
  void hasItsTable(Admin admin) throws IOException {
    assertTrue(admin.tableExists(TableName.valueOf("ns_t")));
  }
}
