package vaquita.clients;

import java.io.OutputStream;
import java.io.PrintStream;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;

/** Counts what is checked and prints what is not as expected. Any thread may use it. */
final class Check {
  private static final long PATIENCE_MS = 30_000;
  /** What a client would still call "at once": far less than one round of its retries takes. */
  private static final long AT_ONCE_MS = 5_000;

  private static String section = "";
  private static int passed;
  private static int failed;

  interface Body {
    void run() throws Exception;
  }

  /** Runs a part of the program; an exception fails this part, and the next goes on. */
  static void section(String name, Body body) {
    section = name;
    int before = passed;
    long start = System.nanoTime();
    try {
      body.run();
    } catch (Throwable unexpected) {
      fail("unexpected " + unexpected);
      unexpected.printStackTrace(System.out);
    }
    System.out.printf("%-40s %5d checks %6.2f s%n", name, passed - before, (System.nanoTime() - start) / 1e9);
  }

  static void equal(String what, Object expected, Object got) {
    if (Objects.equals(expected, got)) {
      pass();
    } else {
      fail(what + "\n  expected: " + expected + "\n  got:      " + got);
    }
  }

  static void yes(String what, boolean value) {
    equal(what, true, value);
  }

  static void no(String what, boolean value) {
    equal(what, false, value);
  }

  /** Text that holds a part. */
  static void holds(String what, String part, String text) {
    if (text != null && text.contains(part)) {
      pass();
    } else {
      fail(what + "\n  expected: text with " + part + "\n  got:      " + text);
    }
  }

  /** `body` throws exactly this class, or something caused by exactly this class, without a client's long retries. */
  static <E extends Throwable> E fails(String what, Class<E> expected, Body body) {
    Throwable thrown = thrown(what, body);
    if (thrown == null) return null;
    E found = find(expected, thrown);
    if (found != null) {
      pass();
    } else {
      fail(what + "\n  expected: " + expected.getName() + "\n  got:      " + thrown);
      thrown.printStackTrace(System.out);
    }
    return found;
  }

  /** As `fails`, for an exception whose class the client does not have: it is told by its name. */
  static void failsWith(String what, String name, Body body) {
    Throwable thrown = thrown(what, body);
    if (thrown != null) holds(what, name, String.valueOf(thrown));
  }

  /** What `body` throws, at once; null if that is a failure already. */
  private static Throwable thrown(String what, Body body) {
    long start = System.nanoTime();
    try {
      body.run();
    } catch (Throwable thrown) {
      long tookMs = (System.nanoTime() - start) / 1_000_000;
      if (tookMs <= AT_ONCE_MS) return thrown;
      fail(what + "\n  expected: an exception at once\n  got:      " + thrown + " after " + tookMs + " ms");
      return null;
    }
    fail(what + "\n  expected: an exception\n  got:      none");
    return null;
  }

  /** Waits until `condition` holds. */
  static void eventually(String what, Callable<Boolean> condition) throws Exception {
    long deadline = System.currentTimeMillis() + PATIENCE_MS;
    while (!condition.call()) {
      if (System.currentTimeMillis() > deadline) {
        fail(what + " does not come about");
        return;
      }
      Thread.sleep(10);
    }
    pass();
  }

  /** A whole program: its end is the process's, with code 0 if nothing failed. */
  static void program(Body body) {
    System.setErr(new PrintStream(OutputStream.nullOutputStream()));  // clients print exceptions there that they then handle
    try {
      body.run();
    } catch (Throwable unexpected) {
      fail("unexpected " + unexpected);
      unexpected.printStackTrace(System.out);
    }
    System.out.println(failed == 0 ? passed + " checks passed" : failed + " of " + (passed + failed) + " checks failed");
    System.exit(failed == 0 ? 0 : 1);
  }

  private static <E extends Throwable> E find(Class<E> expected, Throwable thrown) {
    if (thrown == null) return null;
    if (thrown.getClass() == expected) return expected.cast(thrown);
    if (thrown instanceof RetriesExhaustedWithDetailsException) {
      for (Throwable cause : ((RetriesExhaustedWithDetailsException) thrown).getCauses()) {
        E found = find(expected, cause);
        if (found != null) return found;
      }
    }
    return find(expected, thrown.getCause());
  }

  private static synchronized void pass() {
    ++passed;
  }

  private static synchronized void fail(String message) {
    ++failed;
    System.out.println("FAILED " + section + ": " + message);
  }
}
