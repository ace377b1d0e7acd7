package org.vaquita.junit;

import java.util.LinkedHashMap;
import java.util.Map;

/** The servers that the tests of this JVM share: one for each set of properties. */
final class SharedServers implements AutoCloseable {
  /** They end with the run of JUnit 5 that uses them, else with the JVM. */
  static final SharedServers OF_THIS_JVM = new SharedServers();

  private final Map<Map<String, String>, Vaquita> servers = new LinkedHashMap<>();
  private int runs;

  /** Notes a run of tests that will close this. */
  synchronized SharedServers opened() {
    ++runs;
    return this;
  }

  synchronized Vaquita get(Map<String, String> properties) {
    Vaquita vaquita = servers.get(properties);
    if (vaquita == null || !vaquita.isRunning()) {  // a test may have stopped it, or failed because it had crashed
      if (vaquita != null) vaquita.stop();  // closes its connection
      vaquita = Vaquita.start(properties);
      servers.put(new LinkedHashMap<>(properties), vaquita);
    }
    return vaquita;
  }

  /** The last of the runs ends the servers. */
  @Override
  public synchronized void close() {
    if (--runs > 0) return;
    servers.values().forEach(Vaquita::stop);
    servers.clear();
  }
}
