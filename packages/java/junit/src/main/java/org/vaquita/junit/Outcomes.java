package org.vaquita.junit;

/** What the end of a test means. */
final class Outcomes {
  private Outcomes() {}

  /** Returns whether an assumption did not hold: JUnit's own classes for it, or those of others that follow opentest4j. */
  static boolean isSkipped(Throwable e) {
    for (Class<?> type = e.getClass(); type != null; type = type.getSuperclass()) {
      String name = type.getSimpleName();
      if (name.equals("AssumptionViolatedException") || name.equals("TestAbortedException")) return true;
    }
    return false;
  }
}
