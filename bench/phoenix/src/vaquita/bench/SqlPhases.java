package vaquita.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Asks a query server by Phoenix's thin driver; every answer is checked. Commands, one a line on standard input, so that
 * one warm client serves several servers: {@code PHASE ADDRESS NUMBER}. Each prints "operations N seconds S median M",
 * where M is the median of the operations' milliseconds, and then "done".
 */
public final class SqlPhases {
  private static final int THREADS = 4;
  private static final int BATCH = 1000;
  private static final int RANGE = 1000;
  private static final int CITIES = 100;
  private static final int LOG_REGIONS = 800;
  private static final int LOG_VALUES = 18;
  private static final int PHONES = 10_000;
  private static final int DAYS = 30;

  /** One operation, number {@code i} of a phase; the connection and the prepared statement are the thread's own. */
  private interface Operation {
    void run(Connection connection, PreparedStatement statement, long i) throws SQLException;
  }

  private final String address;
  private final long rows;

  private SqlPhases(String address, long rows) {
    this.address = address;
    this.rows = rows;
  }

  public static void main(String[] args) throws Exception {
    BufferedReader commands = new BufferedReader(new InputStreamReader(System.in));
    for (String line; (line = commands.readLine()) != null;) {
      String[] words = line.split(" ");
      new SqlPhases(words[1], Long.parseLong(words[2])).run(words[0]);
      System.out.println("done");
    }
  }

  private Connection connect() throws SQLException {
    return DriverManager.getConnection("jdbc:phoenix:thin:url=http://" + address + ";serialization=PROTOBUF");
  }

  private void run(String phase) throws Exception {
    switch (phase) {
      case "first": first(); break;
      case "create": create(); break;
      case "upsert": phase(rows / BATCH, 1, "UPSERT INTO POINTS VALUES (?, ?, ?, ?, ?)", this::upsert); break;
      case "point": phase(Math.min(rows / 5, 20_000), THREADS, "SELECT * FROM POINTS WHERE ID = ?", this::point); break;
      case "range":
        phase(2000, THREADS, "SELECT * FROM POINTS WHERE ID >= ? AND ID < ?", this::range);
        break;
      case "count": phase(5, 1, "SELECT COUNT(*) FROM POINTS", this::count); break;
      case "group":
        phase(5, 1, "SELECT CITY, COUNT(*), SUM(AMOUNT), MAX(PRICE) FROM POINTS GROUP BY CITY", this::group);
        break;
      case "log-create": createLog(); break;
      case "log-load": phase(rows / BATCH, THREADS, upsertLog(), this::loadLog); break;
      case "log-query": phase(200, 1, null, this::queryLog); break;
      default: throw new IllegalArgumentException(phase);
    }
  }

  private void execute(String... statements) throws SQLException {
    try (Connection connection = connect(); Statement statement = connection.createStatement()) {
      connection.setAutoCommit(true);
      for (String text : statements) {
        statement.executeUpdate(text);
      }
    }
  }

  private void first() throws SQLException {
    execute("CREATE TABLE BEGUN (ID BIGINT PRIMARY KEY, NAME VARCHAR)", "UPSERT INTO BEGUN VALUES (1, 'one')");
    try (Connection connection = connect(); Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT NAME FROM BEGUN WHERE ID = 1")) {
      check(row.next() && row.getString(1).equals("one"), "first answer");
    }
  }

  private void create() throws SQLException {
    execute("DROP TABLE IF EXISTS POINTS", "CREATE TABLE POINTS (ID BIGINT NOT NULL PRIMARY KEY, NAME VARCHAR,"
        + " CITY VARCHAR, AMOUNT INTEGER, PRICE DECIMAL(10, 2))");
  }

  private void upsert(Connection connection, PreparedStatement statement, long i) throws SQLException {
    for (long id = i * BATCH; id < (i + 1) * BATCH; id++) {
      statement.setLong(1, id);
      statement.setString(2, name(id));
      statement.setString(3, city(id));
      statement.setInt(4, amount(id));
      statement.setBigDecimal(5, java.math.BigDecimal.valueOf(id % 10_000, 2));
      statement.addBatch();
    }
    statement.executeBatch();
    connection.commit();
  }

  private void point(Connection connection, PreparedStatement statement, long i) throws SQLException {
    long id = random(i, rows);
    statement.setLong(1, id);
    try (ResultSet row = statement.executeQuery()) {
      check(row.next() && row.getLong(1) == id && row.getString(2).equals(name(id)), "row " + id);
      check(!row.next(), "one row " + id);
    }
  }

  private void range(Connection connection, PreparedStatement statement, long i) throws SQLException {
    long begin = random(i, rows - RANGE);
    statement.setLong(1, begin);
    statement.setLong(2, begin + RANGE);
    try (ResultSet row = statement.executeQuery()) {
      for (long id = begin; id < begin + RANGE; id++) {
        check(row.next() && row.getLong(1) == id && row.getString(3).equals(city(id)), "row " + id);
      }
      check(!row.next(), "rows from " + begin);
    }
  }

  private void count(Connection connection, PreparedStatement statement, long i) throws SQLException {
    try (ResultSet row = statement.executeQuery()) {
      check(row.next() && row.getLong(1) == rows, "COUNT(*)");
    }
  }

  private void group(Connection connection, PreparedStatement statement, long i) throws SQLException {
    long groups = 0;
    long all = 0;
    try (ResultSet row = statement.executeQuery()) {
      for (; row.next(); groups++) {
        all += row.getLong(2);
      }
    }
    check(groups == CITIES && all == rows, "GROUP BY");
  }

  private void createLog() throws SQLException {
    StringBuilder text = new StringBuilder("CREATE TABLE GPRS_201406 (ID VARCHAR PRIMARY KEY");
    for (int i = 1; i <= LOG_VALUES; i++) {
      text.append(", C").append(i).append(" VARCHAR");
    }
    text.append(") SPLIT ON (");
    for (int i = 1; i < LOG_REGIONS; i++) {
      text.append(i == 1 ? "" : ", ").append(String.format("'%05d'", 100_000 / LOG_REGIONS * i));
    }
    execute(text + ")");
  }

  private static String upsertLog() {
    return "UPSERT INTO GPRS_201406 VALUES (" + "?, ".repeat(LOG_VALUES) + "?)";
  }

  private void loadLog(Connection connection, PreparedStatement statement, long i) throws SQLException {
    for (long row = i * BATCH; row < (i + 1) * BATCH; row++) {
      statement.setString(1, logKey(row));
      for (int value = 1; value <= LOG_VALUES; value++) {
        statement.setString(value + 1, Long.toString(random(row * LOG_VALUES + value, 100_000_000)));
      }
      statement.addBatch();
    }
    statement.executeBatch();
    connection.commit();
  }

  /** The statement as the program of the courses has it: the text has the key, so that the server prepares it each time. */
  private void queryLog(Connection connection, PreparedStatement none, long i) throws SQLException {
    String day = phone(random(i, PHONES)) + String.format("201406%02d", 1 + random(-i, DAYS));
    long found = 0;
    try (Statement statement = connection.createStatement(); ResultSet row = statement.executeQuery(
            "select * from GPRS_201406 where id >= '" + day + "000000' and id <= '" + day + "235959'")) {
      for (; row.next(); found++) {
        check(row.getString(1).startsWith(day) && row.getString(LOG_VALUES + 1) != null, "log of " + day);
      }
    }
    long expected = rows / PHONES / DAYS;
    check(found == expected || found == expected + 1, "log of " + day + ": " + found + " rows");
  }

  /** The rows are in the order of keys: all of a phone, by day and time. */
  private String logKey(long row) {
    long each = rows / PHONES;
    long ofPhone = row % each;
    long day = ofPhone * DAYS / each;
    long second = ofPhone - (day * each + DAYS - 1) / DAYS;
    return phone(row / each) + String.format("201406%02d%02d%02d%02d", day + 1, second / 60 % 24, second % 60, 0);
  }

  /** Reversed, so that the phones of one exchange are not in one region: eleven digits, spread over all regions. */
  private static String phone(long number) {
    return String.format("%04d", number) + "7654" + "831";
  }

  /** Runs operations 0 to count - 1 in so many threads, each with a connection, and prints the phase's line. */
  private void phase(long count, int threads, String text, Operation operation) throws Exception {
    AtomicLong next = new AtomicLong();
    double[] milliseconds = new double[(int) count];
    List<Connection> connections = new ArrayList<>();
    for (int thread = 0; thread < threads; thread++) {
      connections.add(connect());
      connections.get(thread).setAutoCommit(text == null || !text.startsWith("UPSERT"));
    }
    long begin = System.nanoTime();
    inThreads(connections, connection -> {
      try (PreparedStatement statement = text == null ? null : connection.prepareStatement(text)) {
        for (long i; (i = next.getAndIncrement()) < count;) {
          long start = System.nanoTime();
          operation.run(connection, statement, i);
          milliseconds[(int) i] = (System.nanoTime() - start) / 1e6;
        }
      }
      return null;
    });
    double seconds = (System.nanoTime() - begin) / 1e9;
    for (Connection connection : connections) {
      connection.close();
    }
    Arrays.sort(milliseconds);
    System.out.printf("operations %d seconds %.4f median %.3f%n", count, seconds, milliseconds[(int) count / 2]);
  }

  private interface Work {
    Void run(Connection connection) throws Exception;
  }

  private static void inThreads(List<Connection> connections, Work work) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(connections.size());
    List<Future<Void>> futures = new ArrayList<>();
    for (Connection connection : connections) {
      futures.add(pool.submit(() -> work.run(connection)));
    }
    try {
      for (Future<Void> future : futures) {
        future.get();
      }
    } catch (ExecutionException e) {
      throw new IOException(e.getCause());
    } finally {
      pool.shutdownNow();
    }
  }

  private static void check(boolean ok, String what) {
    if (!ok) {
      throw new IllegalStateException("wrong: " + what);
    }
  }

  private static String name(long id) {
    return String.format("name-%016x", random(id, Long.MAX_VALUE));
  }

  private static String city(long id) {
    return "city-" + random(id, CITIES);
  }

  private static int amount(long id) {
    return (int) random(id, 1_000_000);
  }

  /** A number below {@code limit} that looks random and is always the same for {@code i}. */
  private static long random(long i, long limit) {
    long z = (i + 1) * 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return Long.remainderUnsigned(z ^ (z >>> 31), limit);
  }
}
