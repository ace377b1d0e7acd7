package example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.vaquita.junit.Vaquita;
import org.vaquita.junit.VaquitaExtension;

/** Who shares a process, and when it is reset. */
class SharedProcessTest {
  private static final AtomicLong PID = new AtomicLong();

  private static void seen(Vaquita vaquita) {
    if (!PID.compareAndSet(0, vaquita.pid())) assertEquals(PID.get(), vaquita.pid());
  }

  @Nested
  @ExtendWith(VaquitaExtension.class)
  class One {
    @Test
    void first(Vaquita vaquita) {
      seen(vaquita);
      assertSame(Vaquita.shared(), vaquita);
      vaquita.createTable("left", "f");
    }

    @Test
    void second(Vaquita vaquita) {
      seen(vaquita);
      vaquita.createTable("left", "f");  // it would be there already, if it had been left
    }
  }

  @Nested
  class Properties {
    @RegisterExtension
    VaquitaExtension hbase = new VaquitaExtension().withProperty("hbase.client.scanner.timeout.period", "3000");

    @Test
    void otherPropertiesAreAnotherProcess(Vaquita vaquita, Configuration configuration) {
      assertNotEquals(Vaquita.shared().pid(), vaquita.pid());
      assertEquals("3000", configuration.get("hbase.client.scanner.timeout.period"));
    }
  }
}

@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class PerClassTest {
  @RegisterExtension static VaquitaExtension hbase = new VaquitaExtension().resetPerClass();

  @BeforeAll
  static void seed(Vaquita vaquita) {
    vaquita.createTable("seeded", "f");
  }

  @Test
  @Order(1)
  void first(Vaquita vaquita) {
    vaquita.seed("put 'seeded', 'r', 'f:q', 'v'");
  }

  @Test
  @Order(2)
  void findsWhatTheFirstLeft(Vaquita vaquita) {
    String rows = vaquita.seed("scan 'seeded'");
    assertTrue(rows.contains("value=v"), rows);
  }
}
