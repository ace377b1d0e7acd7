package org.vaquita.junit;

import java.util.LinkedHashMap;
import java.util.Map;

/** What a test class asks for: the server's properties, and what its state is before each test. */
final class Declaration {
  private final Map<String, String> properties = new LinkedHashMap<>();
  private final StringBuilder script = new StringBuilder();

  void table(String table, String... families) {
    script.append(ShellScript.createTable(table, families));
  }

  void seed(String commands) {
    script.append(commands).append('\n');
  }

  void property(String name, String value) {
    properties.put(name, value);
  }

  Map<String, String> properties() {
    return properties;
  }

  /** Gives the server the state that was asked for. */
  void prepare(Vaquita vaquita) {
    vaquita.reset();
    if (script.length() > 0) vaquita.seed(script.toString());
  }
}
