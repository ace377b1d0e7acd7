package example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.vaquita.junit.Vaquita;
import org.vaquita.junit.VaquitaExtension;

/** A test that fails has the server's log beside it; one that is skipped does not. */
class FailureTest {
  /** Not found by Surefire, whose patterns want "Test" at the end. */
  static class Fails {
    @RegisterExtension static VaquitaExtension hbase = new VaquitaExtension().withProperty("no.such.property", "1").withTable("t", "f");

    @Test
    void fails(Vaquita vaquita) {
      fail("as it must");
    }
  }

  static class Skips {
    @RegisterExtension static VaquitaExtension hbase = new VaquitaExtension().withTable("t", "f");

    @Test
    void skips(Vaquita vaquita) {
      Assumptions.assumeTrue(false);
    }
  }

  private static String errorsOf(Class<?> tests, int failed) {
    PrintStream err = System.err;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setErr(new PrintStream(printed, true));
    try {
      SummaryGeneratingListener summary = new SummaryGeneratingListener();
      LauncherFactory.create().execute(LauncherDiscoveryRequestBuilder.request().selectors(selectClass(tests)).build(), summary);
      assertEquals(failed, summary.getSummary().getTestsFailedCount());
    } finally {
      System.setErr(err);
    }
    return printed.toString();
  }

  @Test
  void theLogIsPrinted() {
    String printed = errorsOf(Fails.class, 1);
    assertTrue(printed.contains("fails(Vaquita) failed.") && printed.contains("unknown property no.such.property"), printed);
    assertEquals("", errorsOf(Skips.class, 0));
  }
}
