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
import org.junit.platform.launcher.listeners.TestExecutionSummary;
import org.vaquita.junit.Vaquita;
import org.vaquita.junit.VaquitaExtension;

/** A test that fails has the server's log beside it; one that is skipped does not. A test whose server crashes fails. */
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

  static class Crashes {
    @RegisterExtension static VaquitaExtension hbase = new VaquitaExtension().withProperty("no.other.property", "1");

    @Test
    void crashes(Vaquita vaquita) throws Exception {
      new ProcessBuilder("kill", "-9", "" + vaquita.pid()).start().waitFor();
      while (vaquita.isRunning()) Thread.sleep(1);
    }
  }

  private static String errorsOf(Class<?> tests, int failed) {
    PrintStream err = System.err;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setErr(new PrintStream(printed, true));
    try {
      assertEquals(failed, summaryOf(tests).getTestsFailedCount());
    } finally {
      System.setErr(err);
    }
    return printed.toString();
  }

  private static TestExecutionSummary summaryOf(Class<?> tests) {
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    LauncherFactory.create().execute(LauncherDiscoveryRequestBuilder.request().selectors(selectClass(tests)).build(), listener);
    return listener.getSummary();
  }

  @Test
  void theLogIsPrinted() {
    String printed = errorsOf(Fails.class, 1);
    assertTrue(printed.contains("fails(Vaquita) failed.") && printed.contains("unknown property no.such.property"), printed);
    assertEquals("", errorsOf(Skips.class, 0));
  }

  @Test
  void aCrashIsAFailure() {
    TestExecutionSummary summary = summaryOf(Crashes.class);
    assertEquals(1, summary.getTestsFailedCount());
    String message = summary.getFailures().get(0).getException().getMessage();
    assertTrue(message.contains("has ended by itself") && message.contains("unknown property no.other.property"), message);
  }
}
