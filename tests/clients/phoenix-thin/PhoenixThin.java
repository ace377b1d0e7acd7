package vaquita.clients;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.Date;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.ParameterMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Time;
import java.sql.Timestamp;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.TimeZone;

/** Phoenix's thin JDBC driver, or Avatica's own: what a program does with tables, statements, types, metadata and errors. */
public final class PhoenixThin {
  private static final long DAY_MS = 86_400_000L;
  private static int passed;
  private static int failed;
  private static String url;
  private static boolean plain;  // Avatica's own driver

  interface Body {
    void run() throws Exception;
  }

  private static void section(String name, Body body) {
    int before = passed;
    long start = System.nanoTime();
    try {
      body.run();
    } catch (Throwable unexpected) {
      failed++;
      unexpected.printStackTrace(System.out);
    }
    System.out.printf("%-30s %5d checks %6.2f s%n", name, passed - before, (System.nanoTime() - start) / 1e9);
  }

  private static void equal(String what, Object expected, Object got) {
    if (Objects.equals(expected, got)) {
      passed++;
      return;
    }
    failed++;
    System.out.println("FAILED: " + what + "\n  expected: " + expected + "\n  got:      " + got);
  }

  /** The statement must fail with Phoenix's words; "ERROR 1012 (42M03)", say. */
  private static void fails(String part, Body body) throws Exception {
    try {
      body.run();
      equal("an error with " + part, part, "no error");
    } catch (Exception e) {
      // For a prepared statement and a batch the driver lets an unchecked exception of its own through.
      equal(e.getMessage() + " has " + part, true, String.valueOf(e.getMessage()).contains(part));
    }
  }

  private static Connection connect() throws SQLException {
    Connection connection = DriverManager.getConnection(url);
    connection.setAutoCommit(true);
    return connection;
  }

  private static int run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      return statement.executeUpdate(sql);
    }
  }

  /** A query's rows, each as its values with | between them. */
  private static List<String> rows(ResultSet rows) throws SQLException {
    List<String> texts = new ArrayList<>();
    int columns = rows.getMetaData().getColumnCount();
    while (rows.next()) {
      StringBuilder text = new StringBuilder();
      for (int i = 1; i <= columns; i++) {
        text.append(i == 1 ? "" : "|").append(rows.getString(i));
      }
      texts.add(text.toString());
    }
    return texts;
  }

  private static List<String> query(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      return rows(statement.executeQuery(sql));
    }
  }

  /** The courses' program: a log table, and one phone's day of it. */
  private static void log() throws Exception {
    try (Connection connection = connect()) {
      run(connection, "DROP TABLE IF EXISTS GPRS_201406");
      run(connection, "CREATE TABLE GPRS_201406 (id VARCHAR PRIMARY KEY, PHONE_NO VARCHAR, LAC BIGINT, UP_FLOW BIGINT)"
          + " SPLIT ON ('4','8','c')");
      run(connection, "UPSERT INTO GPRS_201406 VALUES ('f9a1860113421020140624000001', '18601134210', 1, 100)");
      run(connection, "UPSERT INTO GPRS_201406 VALUES ('f9a1860113421020140624000002', '18601134210', 2, NULL)");
      run(connection, "UPSERT INTO GPRS_201406 VALUES ('f9a1860113421020140625000001', '18601134210', -3, 300)");
      equal("one day", List.of("f9a1860113421020140624000001|18601134210|1|100",
          "f9a1860113421020140624000002|18601134210|2|null"), query(connection,
          "select * from GPRS_201406 where id >= 'f9a1860113421020140624' and id <= 'f9a1860113421020140625'"));
      equal("a sum", List.of("3|400"), query(connection, "select count(*), sum(up_flow) from GPRS_201406"));
      run(connection, "DROP TABLE GPRS_201406");
    }
  }

  /** As it is in the courses: the thick driver's class and URL, which client/java-phoenix owns. */
  private static void thick(String address) throws Exception {
    int colon = address.lastIndexOf(':');
    System.setProperty("phoenix.queryserver.http.port", address.substring(colon + 1));
    Class.forName("org.apache.phoenix.jdbc.PhoenixDriver");
    try (Connection connection = DriverManager.getConnection("jdbc:phoenix:" + address.substring(0, colon) + ":2181")) {
      connection.setAutoCommit(true);
      run(connection, "DROP TABLE IF EXISTS THICK");
      StringBuilder splits = new StringBuilder();
      for (int i = 1; i < 800; i++) {
        splits.append(i == 1 ? "" : ",").append(String.format("'%03x'", i * 0x1000 / 800));
      }
      run(connection, "CREATE TABLE THICK (ID VARCHAR PRIMARY KEY, V BIGINT) SPLIT ON (" + splits + ")");
      for (int phone = 0; phone < 50; phone++) {
        String prefix = String.format("%03x|186%08d|", phone * 80, phone);
        for (String day : List.of("20140623", "20140624", "20140625")) {
          run(connection, "UPSERT INTO THICK VALUES ('" + prefix + day + "', " + phone + ")");
        }
      }
      equal("a day of a phone", List.of("230|18600000007|20140624|7"), query(connection,
          "select * from THICK where id >= '230|18600000007|20140624' and id < '230|18600000007|20140625'"));
      equal("the rows that it reads", true, query(connection, "explain analyze select * from THICK where id >= '230|18600000007|20140624'"
          + " and id < '230|18600000007|20140625'").toString().contains("ROWS READ: 1, SENT BY REGIONS: 1, ANSWERED: 1|"));
      equal("all of it", List.of("150|3675"), query(connection, "select count(*), sum(v) from THICK"));
      run(connection, "DROP TABLE THICK");
    }
  }

  private static void types() throws Exception {
    try (Connection connection = connect()) {
      run(connection, "DROP TABLE IF EXISTS TYPES");
      run(connection, "CREATE TABLE TYPES (ID INTEGER PRIMARY KEY, BI BIGINT, SM SMALLINT, TI TINYINT, UI UNSIGNED_INT,"
          + " F FLOAT, D DOUBLE, DE DECIMAL(10,2), BO BOOLEAN, DT DATE, TM TIME, TS TIMESTAMP, VA VARCHAR, CH CHAR(4),"
          + " VB VARBINARY, BN BINARY(3))");
      byte[] bytes = {0, 1, -1};
      long ms = 1_400_000_000_123L;
      try (PreparedStatement upsert = connection.prepareStatement(
          "UPSERT INTO TYPES VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)")) {
        ParameterMetaData parameters = upsert.getParameterMetaData();
        equal("parameters", 16, parameters.getParameterCount());
        equal("the first one's type", Types.INTEGER, parameters.getParameterType(1));
        equal("a decimal's class", "java.math.BigDecimal", parameters.getParameterClassName(8));
        Object[] values = {1, Long.MIN_VALUE, (short) -7, (byte) 8, 9, 1.5f, -2.25d, new BigDecimal("12.5"), true,
            new Date(ms / DAY_MS * DAY_MS), new Time(ms % DAY_MS), new Timestamp(ms), "text \u00e4\u20ac", "ab", bytes, bytes};
        for (int i = 0; i < values.length; i++) {
          if (values[i] instanceof BigDecimal) {
            upsert.setBigDecimal(i + 1, (BigDecimal) values[i]);  // the driver's setObject cannot
          } else {
            upsert.setObject(i + 1, values[i]);
          }
        }
        equal("a row", 1, upsert.executeUpdate());
        upsert.setInt(1, 2);
        for (int i = 2; i <= 16; i++) {
          upsert.setNull(i, parameters.getParameterType(i));
        }
        equal("a row of nulls", 1, upsert.executeUpdate());
      }
      try (Statement statement = connection.createStatement();
           ResultSet row = statement.executeQuery("SELECT * FROM TYPES ORDER BY ID")) {
        ResultSetMetaData meta = row.getMetaData();
        equal("columns", 16, meta.getColumnCount());
        equal("a label", "BI", meta.getColumnLabel(2));
        equal("a type's name", "UNSIGNED_INT", meta.getColumnTypeName(5));
        equal("a type", Types.DECIMAL, meta.getColumnType(8));
        equal("a precision", 10, meta.getPrecision(8));
        equal("a scale", 2, meta.getScale(8));
        equal("a key column", ResultSetMetaData.columnNoNulls, meta.isNullable(1));
        equal("another column", ResultSetMetaData.columnNullable, meta.isNullable(2));
        equal("a class", "java.sql.Timestamp", meta.getColumnClassName(12));
        equal("row 1", true, row.next());
        equal("INTEGER", 1, row.getInt(1));
        equal("BIGINT", Long.MIN_VALUE, row.getLong("BI"));
        equal("SMALLINT", (short) -7, row.getShort(3));
        equal("TINYINT", (byte) 8, row.getByte(4));
        equal("UNSIGNED_INT", 9, row.getInt(5));
        equal("FLOAT", 1.5f, row.getFloat(6));
        equal("DOUBLE", -2.25d, row.getDouble(7));
        // Phoenix's driver adds what the scale has.
        equal("DECIMAL", new BigDecimal(plain ? "12.5" : "12.50"), row.getBigDecimal(8));
        equal("BOOLEAN", true, row.getBoolean(9));
        equal("DATE", ms / DAY_MS * DAY_MS, row.getDate(10).getTime());
        equal("TIME", ms % DAY_MS, row.getTime(11).getTime());
        equal("TIMESTAMP", ms, row.getTimestamp(12).getTime());
        equal("VARCHAR", "text \u00e4\u20ac", row.getString(13));
        equal("CHAR", "ab  ", row.getString(14));  // the driver pads it
        equal("VARBINARY", true, Arrays.equals(bytes, row.getBytes(15)));
        equal("BINARY", true, Arrays.equals(bytes, row.getBytes(16)));
        equal("row 2", true, row.next());
        for (int i = 2; i <= 16; i++) {
          equal("null of column " + i, null, row.getObject(i));
        }
        equal("no more", false, row.next());
      }
      run(connection, "DROP TABLE TYPES");
    }
  }

  private static void statements() throws Exception {
    try (Connection connection = connect()) {
      run(connection, "DROP TABLE IF EXISTS PEOPLE");
      run(connection, "CREATE TABLE PEOPLE (CITY VARCHAR NOT NULL, N INTEGER NOT NULL, NAME VARCHAR, AGE INTEGER,"
          + " CONSTRAINT PK PRIMARY KEY (CITY, N DESC)) SALT_BUCKETS=4");
      try (PreparedStatement upsert = connection.prepareStatement("UPSERT INTO PEOPLE VALUES (?,?,?,?)")) {
        for (int i = 0; i < 1000; i++) {
          upsert.setString(1, "city" + i % 10);
          upsert.setInt(2, i);
          upsert.setString(3, "name" + i);
          upsert.setInt(4, i % 50);
          upsert.addBatch();
        }
        int[] counts = upsert.executeBatch();
        equal("a batch", 1000, counts.length);
        equal("its counts", 1000, Arrays.stream(counts).sum());
      }
      // More rows than a frame holds.
      try (Statement statement = connection.createStatement()) {
        statement.setFetchSize(70);
        List<String> all = rows(statement.executeQuery("SELECT N FROM PEOPLE ORDER BY N"));
        equal("all rows", 1000, all.size());
        equal("the last row", "999", all.get(999));
        statement.setMaxRows(130);
        equal("most rows", 130, rows(statement.executeQuery("SELECT N FROM PEOPLE ORDER BY N")).size());
      }
      try (PreparedStatement select = connection.prepareStatement(
          "SELECT NAME FROM PEOPLE WHERE CITY = ? AND N < ? ORDER BY N DESC LIMIT 2")) {
        for (int i = 0; i < 3; i++) {
          select.setString(1, "city" + i);
          select.setInt(2, 500);
          equal("by parameters", List.of("name" + (490 + i), "name" + (480 + i)), rows(select.executeQuery()));
        }
        select.setString(1, "nowhere");
        equal("none", List.of(), rows(select.executeQuery()));
      }
      equal("groups", List.of("city0|100", "city1|100"), query(connection,
          "SELECT CITY, COUNT(*) FROM PEOPLE GROUP BY CITY HAVING COUNT(*) > 10 ORDER BY CITY LIMIT 2"));
      equal("a join", List.of("name7|name7"), query(connection,
          "SELECT A.NAME, B.NAME FROM PEOPLE A JOIN PEOPLE B ON A.CITY = B.CITY AND A.N = B.N WHERE A.N = 7"));
      equal("UPSERT SELECT", 100, run(connection, "UPSERT INTO PEOPLE SELECT 'copy', N, NAME, AGE FROM PEOPLE WHERE CITY = 'city3'"));
      equal("DELETE", 100, run(connection, "DELETE FROM PEOPLE WHERE CITY = 'copy'"));
      try (Statement statement = connection.createStatement()) {
        statement.addBatch("UPSERT INTO PEOPLE VALUES ('x', 1, 'a', 1)");
        statement.addBatch("UPSERT INTO PEOPLE VALUES ('x', 2, 'b', 2)");
        equal("a batch of texts", List.of(1, 1), Arrays.stream(statement.executeBatch()).boxed().toList());
      }

      connection.setAutoCommit(false);
      run(connection, "UPSERT INTO PEOPLE VALUES ('y', 1, 'a', 1)");
      equal("before the commit", List.of("0"), query(connection, "SELECT COUNT(*) FROM PEOPLE WHERE CITY = 'y'"));
      connection.rollback();
      run(connection, "UPSERT INTO PEOPLE VALUES ('y', 2, 'a', 1)");
      connection.commit();
      equal("after the commit", List.of("2"), query(connection, "SELECT N FROM PEOPLE WHERE CITY = 'y'"));
      connection.setAutoCommit(true);
      run(connection, "DROP TABLE PEOPLE");
    }
  }

  private static void metadata() throws Exception {
    try (Connection connection = connect()) {
      run(connection, "DROP TABLE IF EXISTS META.T1");
      run(connection, "CREATE TABLE META.T1 (A VARCHAR(20) NOT NULL, B INTEGER NOT NULL, F.C DECIMAL(8,3),"
          + " CONSTRAINT PK PRIMARY KEY (A, B DESC))");
      DatabaseMetaData meta = connection.getMetaData();
      equal("the product", plain ? "Avatica" : "Phoenix", meta.getDatabaseProductName());
      try (ResultSet tables = meta.getTables(null, "META", "T%", new String[] {"TABLE", "VIEW"})) {
        equal("a table", true, tables.next());
        equal("its schema", "META", tables.getString("TABLE_SCHEM"));
        equal("its name", "T1", tables.getString("TABLE_NAME"));
        equal("its kind", "TABLE", tables.getString("TABLE_TYPE"));
        equal("no more tables", false, tables.next());
      }
      List<String> columns = new ArrayList<>();
      try (ResultSet rows = meta.getColumns(null, "META", "T1", null)) {
        while (rows.next()) {
          columns.add(rows.getString("COLUMN_NAME") + " " + rows.getInt("DATA_TYPE") + " " + rows.getString("TYPE_NAME")
              + " " + rows.getObject("COLUMN_SIZE") + " " + rows.getObject("DECIMAL_DIGITS") + " " + rows.getInt("NULLABLE")
              + " " + rows.getInt("ORDINAL_POSITION") + " " + rows.getString("COLUMN_FAMILY") + " " + rows.getObject("KEY_SEQ"));
        }
      }
      equal("columns", List.of("A 12 VARCHAR 20 null 0 1 null 1", "B 4 INTEGER null null 0 2 null 2",
          "C 3 DECIMAL 8 3 1 3 F null"), columns);
      try (ResultSet types = meta.getTableTypes()) {
        equal("kinds of tables", List.of("INDEX", "SEQUENCE", "SYSTEM TABLE", "TABLE", "VIEW"), rows(types));
      }
      try (ResultSet schemas = meta.getSchemas()) {
        equal("a schema", true, rows(schemas).contains("META|null"));
      }
      run(connection, "DROP TABLE META.T1");
    }
  }

  private static void errors() throws Exception {
    try (Connection connection = connect()) {
      run(connection, "DROP TABLE IF EXISTS E");
      run(connection, "CREATE TABLE E (ID VARCHAR(3) PRIMARY KEY, N INTEGER)");
      fails("ERROR 601 (42P00)", () -> query(connection, "SELECT FROM E"));
      fails("ERROR 1012 (42M03): Table undefined. tableName=NOPE", () -> query(connection, "SELECT * FROM NOPE"));
      fails("ERROR 504 (42703)", () -> query(connection, "SELECT NOPE FROM E"));
      fails("ERROR 1013 (42M04)", () -> run(connection, "CREATE TABLE E (ID VARCHAR PRIMARY KEY)"));
      fails("ERROR 203 (22005)", () -> run(connection, "UPSERT INTO E VALUES ('a', 'b')"));
      fails("ERROR 206 (22003)", () -> run(connection, "UPSERT INTO E VALUES ('abcd', 1)"));
      fails("ERROR 218 (23018)", () -> run(connection, "UPSERT INTO E (N) VALUES (1)"));
      fails("ERROR 202 (22012)", () -> query(connection, "SELECT 1/0 FROM E"));
      fails("ERROR 6001 (42F01)", () -> query(connection, "SELECT NOFUNCTION(ID) FROM E"));
      try (PreparedStatement upsert = connection.prepareStatement("UPSERT INTO E VALUES (?, ?)")) {
        upsert.setString(1, "a");
        upsert.setString(2, "b");
        fails("ERROR 203 (22005)", upsert::executeUpdate);
        upsert.setInt(2, 1);
        equal("the statement goes on", 1, upsert.executeUpdate());
      }
      try (Statement batch = connection.createStatement()) {
        batch.addBatch("UPSERT INTO E VALUES ('b', 1)");
        batch.addBatch("SELECT * FROM E");
        fails("ERROR 1151 (XCL51)", batch::executeBatch);
      }
      run(connection, "DROP TABLE E");
    }
  }

  public static void main(String[] arguments) throws Exception {
    TimeZone.setDefault(TimeZone.getTimeZone("UTC"));
    plain = arguments.length == 3 && arguments[0].equals("--avatica");
    if (arguments.length != (plain ? 3 : 2) || !arguments[arguments.length - 2].equals("--address")) {
      System.err.println("usage: PhoenixThin [--avatica] --address HOST:PORT");
      System.exit(2);
    }
    String address = arguments[arguments.length - 1];
    url = "jdbc:" + (plain ? "avatica:remote" : "phoenix:thin") + ":url=http://" + address + ";serialization=PROTOBUF";
    section("the log table", PhoenixThin::log);
    if (!plain) {
      section("the thick driver's URL", () -> thick(address));
    }
    section("types", PhoenixThin::types);
    section("statements", PhoenixThin::statements);
    section("metadata", PhoenixThin::metadata);
    section("errors", PhoenixThin::errors);
    System.out.println(passed + " checks passed, " + failed + " failed");
    System.exit(failed == 0 && passed > 0 ? 0 : 1);
  }
}
