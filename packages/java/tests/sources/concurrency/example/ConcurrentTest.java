package example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hbase.client.Admin;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.vaquita.junit.Vaquita;
import org.vaquita.junit.VaquitaExtension;

/** Tests that run at the same time have a process each; a class whose tests do not, beside other classes, has one. */
@Execution(ExecutionMode.CONCURRENT)
class ConcurrentTest {
  private static final Set<Long> PIDS = ConcurrentHashMap.newKeySet();

  @RegisterExtension static VaquitaExtension hbase = Vaquita.withTable("t", "f");

  @RepeatedTest(6)
  void hasAProcessOfItsOwn(Vaquita vaquita, Admin admin) throws IOException {
    assertTrue(PIDS.add(vaquita.pid()), "shared with another test");
    assertEquals(1, admin.listTableNames().length);
    vaquita.createTable("u", "f");
    assertEquals(2, admin.listTableNames().length);
  }
}

@Execution(ExecutionMode.CONCURRENT)
class ClassBesideOthersTest {
  private static final Set<Long> PIDS = ConcurrentHashMap.newKeySet();

  @RegisterExtension static VaquitaExtension hbase = Vaquita.withTable("t", "f");

  @Test
  @Execution(ExecutionMode.SAME_THREAD)
  void first(Vaquita vaquita) {
    PIDS.add(vaquita.pid());
    vaquita.createTable("u", "f");
    assertEquals(1, PIDS.size());
    assertNotEquals(Vaquita.shared().pid(), vaquita.pid());
  }

  @Test
  @Execution(ExecutionMode.SAME_THREAD)
  void second(Vaquita vaquita) {
    first(vaquita);
  }
}
