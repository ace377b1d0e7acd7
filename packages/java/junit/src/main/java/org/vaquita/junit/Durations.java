package org.vaquita.junit;

import java.time.Duration;

/** Durations as the server's control reads them. */
final class Durations {
  private Durations() {}

  static String text(Duration duration) {
    return duration.toMillis() + "ms";
  }
}
