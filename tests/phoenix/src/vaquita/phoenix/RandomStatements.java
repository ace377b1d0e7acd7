package vaquita.phoenix;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Makes statements at random, the same ones for the same seed: tables with their rows, and then queries over expressions of
 * all types, groups, joins, sub-queries and changes. A statement whose rows have no order that Phoenix promises has no ORDER BY.
 */
final class RandomStatements {
  /** A column that expressions may name, with the kind of its values. */
  private record Column(String name, char kind) {}

  private static final int ROWS = 60;
  private static final int DEPTH = 2;
  private static final List<Column> R1 = List.of(new Column("K1", 'i'), new Column("K2", 't'), new Column("A", 'i'),
      new Column("B", 'i'), new Column("C", 't'), new Column("D", 'd'), new Column("E", 'r'), new Column("F", 'z'),
      new Column("G", 'b'), new Column("H", 't'), new Column("U", 'i'));
  private static final List<Column> R2 = List.of(new Column("ID", 't'), new Column("A", 'i'), new Column("N", 'd'),
      new Column("S", 't'), new Column("W", 'z'));
  private static final List<Column> R3 = List.of(new Column("ID", 'i'), new Column("X", 'i'), new Column("Y", 't'),
      new Column("Z", 'r'));
  private static final String[] WORDS = {"a", "b", "abc", "Abd", "x y", "zz", "B7", "q%", "m_n", "  p "};

  private final Random random;
  private List<Column> columns = new ArrayList<>();
  private String prefix = "";

  RandomStatements(long seed) {
    random = new Random(seed);
  }

  private boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  private String pick(String... texts) {
    return texts[random.nextInt(texts.length)];
  }

  private String word() {
    return "'" + pick(WORDS) + "'";
  }

  private String orNull(String value) {
    return chance(15) ? "NULL" : value;
  }

  private String number() {
    return String.valueOf(random.nextInt(40) - 15);
  }

  private String decimal() {
    return (random.nextInt(2000) - 700) / 100 + "." + (10 + random.nextInt(90));
  }

  private String date() {
    return String.format("TO_DATE('2014-%02d-%02d %02d:00:00')", 1 + random.nextInt(12), 1 + random.nextInt(28), random.nextInt(24));
  }

  /** The tables with their rows, and an index. */
  List<String> setup() {
    List<String> all = new ArrayList<>(List.of("DROP TABLE IF EXISTS R1", "DROP TABLE IF EXISTS R2", "DROP TABLE IF EXISTS R3",
        "CREATE TABLE R1 (K1 INTEGER NOT NULL, K2 VARCHAR NOT NULL, A INTEGER, B BIGINT, C VARCHAR, D DECIMAL(10,2), E DOUBLE,"
            + " F DATE, G BOOLEAN, H CHAR(3), U UNSIGNED_INT, CONSTRAINT PK PRIMARY KEY (K1, K2 DESC))",
        "CREATE TABLE R2 (ID VARCHAR PRIMARY KEY, A INTEGER, N DECIMAL, S VARCHAR, W DATE) SALT_BUCKETS=4",
        "CREATE TABLE R3 (ID BIGINT PRIMARY KEY DESC, X INTEGER, Y VARCHAR, Z DOUBLE) IMMUTABLE_ROWS=true",
        "CREATE INDEX R1A ON R1 (A) INCLUDE (C)"));
    for (int i = 0; i < ROWS; i++) {
      all.add("UPSERT INTO R1 VALUES (" + i % 12 + ", " + pick("'k1'", "'k2'", "'k3'", "'k33'", "'K'") + ", " + orNull(number()) + ", "
          + orNull(number() + "000000000") + ", " + orNull(word()) + ", " + orNull(decimal()) + ", " + orNull(number() + ".25") + ", "
          + orNull(date()) + ", " + orNull(pick("TRUE", "FALSE")) + ", " + orNull(pick("'a'", "'ab'", "'abc'")) + ", "
          + orNull(String.valueOf(random.nextInt(9))) + ")");
      all.add("UPSERT INTO R2 VALUES ('" + pick("k", "r", "Z") + random.nextInt(40) + "', " + orNull(number()) + ", " + orNull(decimal() + "5")
          + ", " + orNull(word()) + ", " + orNull(date()) + ")");
      all.add("UPSERT INTO R3 VALUES (" + (random.nextInt(200) - 50) + ", " + orNull(number()) + ", " + orNull(word()) + ", "
          + orNull(number() + ".5") + ")");
    }
    return all;
  }

  private String column(char kind) {
    List<Column> some = columns.stream().filter(c -> c.kind == kind).toList();
    return some.isEmpty() ? null : some.get(random.nextInt(some.size())).name;
  }

  /** Phoenix ends with a Java exception at ABS of a literal. */
  private String orColumn(char kind, String expression) {
    String column = column(kind);
    return column == null || !expression.matches("[-0-9.]+") ? expression : column;
  }

  private String leaf(char kind) {
    String column = column(kind);
    if (column != null && chance(70)) {
      return column;
    }
    switch (kind) {
      case 'i': return number();
      case 'd': return decimal();
      case 'r': return column == null ? "TO_NUMBER('2.5')" : column;
      case 'z': return date();
      case 'b': return pick("TRUE", "FALSE");
      default: return word();
    }
  }

  /** An expression of this kind: i integer, d decimal, r double, z date, b boolean, t text. */
  private String expression(char kind, int depth) {
    if (depth == 0 || chance(30)) {
      return leaf(kind);
    }
    if (chance(12)) {
      return "CASE WHEN " + condition(depth - 1) + " THEN " + expression(kind, depth - 1)
          + (chance(70) ? " ELSE " + expression(kind, depth - 1) : "") + " END";
    }
    if (chance(8)) {
      return "COALESCE(" + expression(kind, depth - 1) + ", " + leaf(kind) + ")";
    }
    String a = expression(kind, depth - 1);
    switch (kind) {
      case 'i':
        switch (random.nextInt(8)) {
          case 0: return "LENGTH(" + expression('t', depth - 1) + ")";
          case 1: return pick("YEAR", "MONTH", "DAYOFMONTH", "HOUR") + "(" + expression('z', depth - 1) + ")";
          case 2: return "ABS(" + orColumn(kind, a) + ")";
          case 3: return "INSTR(" + expression('t', depth - 1) + ", " + word() + ")";
          case 4: return "(" + a + " / " + (1 + random.nextInt(7)) + ")";
          case 5: return "(" + a + " % " + (1 + random.nextInt(7)) + ")";
          default: return "(" + a + pick(" + ", " - ", " * ") + expression('i', depth - 1) + ")";
        }
      case 'd':
        switch (random.nextInt(6)) {
          case 0: return "ROUND(" + a + ", " + random.nextInt(3) + ")";
          case 1: return "ABS(" + orColumn(kind, a) + ")";
          case 2: return "(" + a + " / " + (1 + random.nextInt(8)) + ")";
          case 3: return "(" + a + pick(" + ", " - ", " * ") + expression('i', depth - 1) + ")";
          default: return "(" + a + pick(" + ", " - ", " * ") + expression('d', depth - 1) + ")";
        }
      case 'r':
        return chance(30) ? "ABS(" + orColumn(kind, a) + ")" : "(" + a + pick(" + ", " - ", " * ") + pick("2", "0.5", expression('i', depth - 1)) + ")";
      case 'z':
        return chance(50) ? pick("TRUNC", "FLOOR", "CEIL", "ROUND") + "(" + a + ", " + pick("'DAY'", "'HOUR'", "'MONTH'") + ")"
            : "(" + a + pick(" + ", " - ") + random.nextInt(9) + ")";
      case 'b':
        return "(" + condition(depth - 1) + ")";
      default:
        switch (random.nextInt(9)) {
          case 0: return "UPPER(" + a + ")";
          case 1: return "LOWER(" + a + ")";
          case 2: return "SUBSTR(" + a + ", " + (random.nextInt(5) - 1) + (chance(50) ? ", " + random.nextInt(4) : "") + ")";
          case 3: return pick("TRIM", "LTRIM", "RTRIM", "REVERSE") + "(" + a + ")";
          case 4: return "TO_CHAR(" + expression(pick("i", "d").charAt(0), depth - 1) + ")";
          case 5: return "LPAD(" + a + ", " + (1 + random.nextInt(6)) + ", '*')";
          case 6: return "REGEXP_REPLACE(" + a + ", '[ab]', '#')";
          default: return "(" + a + " || " + expression('t', depth - 1) + ")";
        }
    }
  }

  private String condition(int depth) {
    if (depth > 0 && chance(35)) {
      return "(" + condition(depth - 1) + pick(" AND ", " OR ") + condition(depth - 1) + ")";
    }
    char kind = pick("i", "i", "t", "t", "d", "r", "z", "b").charAt(0);
    if (column(kind) == null) {
      kind = 'i';
    }
    String a = chance(50) ? column(kind) : expression(kind, depth);
    switch (random.nextInt(10)) {
      case 0: return a + " IS " + pick("", "NOT ") + "NULL";
      case 1: return kind == 'b' ? a : a + pick(" ", " NOT ") + "BETWEEN " + leafConstant(kind) + " AND " + leafConstant(kind);
      case 2: return kind == 'b' ? "NOT " + a : a + pick(" ", " NOT ") + "IN (" + leafConstant(kind) + ", " + leafConstant(kind) + ", " + leafConstant(kind) + ")";
      case 3: return kind == 't' ? a + pick(" ", " NOT ") + "LIKE " + pick("'a%'", "'%b'", "'_b%'", "'k3%'", "'%'", "'k_'") : a + " <> " + leafConstant(kind);
      case 4: return "NOT (" + a + " = " + leafConstant(kind) + ")";
      default: return a + pick(" = ", " < ", " <= ", " > ", " >= ", " <> ") + (chance(70) ? leafConstant(kind) : expression(kind, depth));
    }
  }

  private String leafConstant(char kind) {
    switch (kind) {
      case 'i': return number();
      case 'd': return decimal();
      case 'r': return number() + ".25";
      case 'z': return date();
      case 'b': return pick("TRUE", "FALSE");
      default: return chance(30) ? pick("'k1'", "'k2'", "'k33'") : word();
    }
  }

  private char kind() {
    return pick("i", "i", "t", "t", "d", "r", "z", "b").charAt(0);
  }

  private void use(List<Column> table, String alias) {
    prefix = alias.isEmpty() ? "" : alias + ".";
    for (Column column : table) {
      columns.add(new Column(prefix + column.name, column.kind));
    }
  }

  private String where(int percent) {
    return chance(percent) ? " WHERE " + condition(DEPTH) : "";
  }

  private String outputs(int count) {
    List<String> some = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      some.add(expression(kind(), DEPTH));
    }
    return String.join(", ", some);
  }

  private String aggregate() {
    switch (random.nextInt(8)) {
      case 0: return "COUNT(*)";
      case 1: return "COUNT(" + expression(kind(), 1) + ")";
      case 2: return "COUNT(DISTINCT " + leaf(pick("i", "t").charAt(0)) + ")";
      case 3: return "AVG(" + expression(pick("i", "d").charAt(0), 1) + ")";
      case 4: return "SUM(" + expression(pick("i", "d").charAt(0), 1) + ")";
      case 5: return "SUM(CASE WHEN " + condition(1) + " THEN 1 ELSE 0 END)";
      default: return pick("MIN", "MAX") + "(" + expression(pick("i", "d", "t", "z").charAt(0), 1) + ")";
    }
  }

  private String table() {
    int which = random.nextInt(3);
    use(which == 0 ? R1 : which == 1 ? R2 : R3, "");
    return "R" + (which + 1);
  }

  /** The next statement. */
  String next() {
    columns = new ArrayList<>();
    switch (random.nextInt(12)) {
      case 0: case 1: case 2: {
        String from = table();
        return "SELECT " + outputs(1 + random.nextInt(4)) + " FROM " + from + where(85);
      }
      case 3: {
        use(R1, "");
        return "SELECT * FROM R1" + where(90) + " ORDER BY K1" + pick("", " DESC") + ", K2" + pick("", " DESC")
            + (chance(60) ? " LIMIT " + (1 + random.nextInt(9)) + (chance(30) ? " OFFSET " + random.nextInt(5) : "") : "");
      }
      case 4: {
        use(R2, "");
        return "SELECT ID, " + outputs(1 + random.nextInt(2)) + " FROM R2" + where(70) + " ORDER BY ID" + pick("", " DESC") + " LIMIT " + (1 + random.nextInt(12));
      }
      case 5: {
        String from = table();
        return "SELECT " + aggregate() + ", " + aggregate() + ", " + aggregate() + " FROM " + from + where(60);
      }
      case 6: case 7: {
        String from = table();
        String key = chance(60) ? leaf(pick("i", "t").charAt(0)) : expression(pick("i", "t", "z").charAt(0), 1);
        if (key.matches("\\(?([-0-9']|TO_DATE).*")) {
          key = columns.get(1).name;
        }
        return "SELECT " + key + ", " + aggregate() + ", " + aggregate() + " FROM " + from + where(50) + " GROUP BY " + key
            + (chance(30) ? " HAVING COUNT(*) " + pick("> 1", "< 5", "= 2") : "");
      }
      case 8: {
        use(R1, "P");
        use(R2, "Q");
        return "SELECT " + outputs(2) + " FROM R1 P " + pick("JOIN", "JOIN", "LEFT JOIN") + " R2 Q ON P.K1 = Q.A" + where(60);
      }
      case 9: {
        use(R3, "P");
        String outer = condition(1);
        columns.clear();
        use(R2, "Q");
        String inner = condition(1);
        switch (random.nextInt(3)) {
          case 0: return "SELECT P.ID, P.Y FROM R3 P WHERE P.X " + pick("", "NOT ") + "IN (SELECT Q.A FROM R2 Q WHERE Q.A IS NOT NULL AND " + inner + ") AND " + outer;
          case 1: return "SELECT P.ID FROM R3 P WHERE " + pick("", "NOT ") + "EXISTS (SELECT 1 FROM R2 Q WHERE Q.A = P.X AND " + inner + ")";
          default: return "SELECT P.ID FROM R3 P WHERE P.X > (SELECT MIN(Q.A) FROM R2 Q WHERE " + inner + ")";
        }
      }
      case 10: {
        String from = table();
        return "SELECT DISTINCT " + column('t') + ", " + expression(pick("i", "t").charAt(0), 1) + " FROM " + from + where(50);
      }
      default:
        return change();
    }
  }

  private String change() {
    switch (random.nextInt(5)) {
      case 0:
        use(R1, "");
        return "DELETE FROM R1 WHERE " + condition(DEPTH) + " AND K1 = " + random.nextInt(12) + " AND A > 20";
      case 1:
        use(R1, "");
        return "UPSERT INTO R1 (K1, K2, A, C) SELECT K1, K2, " + expression('i', 1) + ", " + expression('t', 1) + " FROM R1 WHERE " + condition(1);
      case 2:
        use(R2, "");
        return "UPSERT INTO R2 (ID, N, S) SELECT ID, " + expression('d', 1) + ", " + expression('t', 1) + " FROM R2 WHERE " + condition(1);
      case 3:
        return "UPSERT INTO R2 (ID, A, N) VALUES ('n" + random.nextInt(9) + "', " + number() + " + " + number() + ", " + decimal() + " * " + number() + ")";
      default:
        return "UPSERT INTO R1 (K1, K2, A) VALUES (" + random.nextInt(12) + ", 'k1', " + number() + ") ON DUPLICATE KEY UPDATE A = A + 1, C = 'dup'";
    }
  }
}
