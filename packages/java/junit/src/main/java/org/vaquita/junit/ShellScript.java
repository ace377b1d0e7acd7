package org.vaquita.junit;

/** Commands of HBase's shell. */
final class ShellScript {
  private ShellScript() {}

  static String createTable(String table, String... families) {
    if (families.length == 0) throw new IllegalArgumentException("the table " + table + " needs a family");
    StringBuilder out = new StringBuilder("create ").append(quoted(table));
    for (String family : families) out.append(", ").append(quoted(family));
    return out.append('\n').toString();
  }

  private static String quoted(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }
}
