package org.vaquita.junit;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;

/**
 * A server that stands in for HBase, in a process of its own on free ports, with its data in a folder that goes with it. It serves the
 * HBase client that the class path has, 1.7 to 2.6. Safe for use by several threads.
 *
 * <p>In JUnit 5 and 6: {@code @RegisterExtension static VaquitaExtension hbase = Vaquita.withTable("t", "f");}. In JUnit 4:
 * {@link VaquitaRule}. Anywhere: {@code try (Vaquita v = Vaquita.start()) { ... v.getConf() ... }}.
 *
 * <p>Methods that ask the server throw {@link VaquitaException} with its message if it refuses; docs/test-control.md has the rules.
 */
public final class Vaquita implements AutoCloseable {
  private final ServerProcess process;
  private final Control control;
  private final Map<String, String> properties;
  private final ClientConnection connection = new ClientConnection(this);
  private volatile boolean stopped;

  private Vaquita(ServerProcess process, Map<String, String> properties) {
    this.process = process;
    this.control = new Control(String.valueOf(process.ready().get("test_control")));
    this.properties = Collections.unmodifiableMap(properties);
  }

  /** Starts a server with the defaults. IllegalStateException if it does not start; the message has the end of its log. */
  public static Vaquita start() {
    return start(Collections.emptyMap());
  }

  /** Starts a server with properties as hbase-site.xml has them; {@link #getConf} has them as well. */
  public static Vaquita start(Map<String, String> properties) {
    return start(properties, null);
  }

  /** Starts a server whose data are in a folder and stay there; null: in one of its own that goes with it. */
  static Vaquita start(Map<String, String> properties, Path data) {
    ServerProcess process = ServerProcess.start(properties, data);
    Map<String, String> all = SiteFile.parse(String.valueOf(process.ready().get("hbase_site")));
    properties.forEach(all::putIfAbsent);
    return new Vaquita(process, all);
  }

  /**
   * Returns the server that the tests of this JVM share, started if it is not running: the one that {@link VaquitaExtension} and
   * {@link VaquitaRule} reset before each test. For what is set up before JUnit calls a test, as Spring's contexts are.
   */
  public static Vaquita shared() {
    return SharedServers.OF_THIS_JVM.get(Collections.emptyMap());
  }

  /** Returns an extension for JUnit 5 and 6 that gives each test this table with these families, and nothing else. */
  public static VaquitaExtension withTable(String table, String... families) {
    return new VaquitaExtension().withTable(table, families);
  }

  /** Returns a rule for JUnit 4 that gives each test this table with these families, and nothing else. */
  public static VaquitaRule ruleWithTable(String table, String... families) {
    return new VaquitaRule().withTable(table, families);
  }

  // Addresses.

  /** Returns a new configuration for clients of this server. */
  public Configuration getConf() {
    return HBaseConfigurations.create(properties);
  }

  /** Returns the same as names and values, for Spring's DynamicPropertyRegistry and the like. */
  public Map<String, String> properties() {
    return properties;
  }

  /** Returns ZooKeeper's address as "host:port". */
  public String zookeeper() {
    return ready("zookeeper");
  }

  /** Returns the address of Vaquita's own gRPC API as "host:port". */
  public String grpcAddress() {
    return ready("grpc_address");
  }

  /** Returns an hbase-site.xml for clients of this server. */
  public String hbaseSite() {
    return SiteFile.write(properties);
  }

  /** Returns a connection that stays open until the server is stopped, the same in each call unless it was closed. */
  public Connection getConnection() {
    return connection.get();
  }

  /** Returns the administration of {@link #getConnection}. */
  public Admin getAdmin() throws IOException {
    return connection.get().getAdmin();
  }

  // State.

  /** Drops all tables, namespaces, snapshots and faults, forgets calls, and returns to the machine's time. Connections stay. */
  public void reset() {
    post("reset", Collections.emptyMap());
    connection.forgetLocations();
  }

  /** Makes a table. */
  public void createTable(String table, String... families) {
    seed(ShellScript.createTable(table, families));
  }

  /** Runs commands of HBase's shell, one a line. */
  public String seed(String script) {
    return String.valueOf(post("seed", Collections.singletonMap("script", script)).get("output"));
  }

  /**
   * Puts records into a table, which is made if it is missing. The CSV has a header; a column becomes a cell. The key is a column, or a
   * design as in docs/lab.md, e.g. "reverse(id)". Returns how many rows there were.
   */
  public long seedCsv(String csv, String table, String family, String key) {
    Map<String, Object> request = new LinkedHashMap<>();
    request.put("csv", csv);
    request.put("table", table);
    request.put("family", family);
    request.put("key", key);
    return number(post("seed", request), "rows");
  }

  /** Makes a table, which must not be there, of a snapshot. */
  public void seedSnapshot(String snapshot, String table) {
    Map<String, Object> request = new LinkedHashMap<>();
    request.put("snapshot", snapshot);
    request.put("table", table);
    post("seed", request);
  }

  /** Keeps the whole state under a name, for {@link #restore}. */
  public void save(String name) {
    post("save", Collections.singletonMap("name", name));
  }

  /** Returns to a state that was saved. Connections stay. */
  public void restore(String name) {
    post("restore", Collections.singletonMap("name", name));
    connection.forgetLocations();
  }

  // Time.

  /** The server's clock stands still from now on. Returns its time. */
  public Instant freezeTime() {
    return clock("freeze", true);
  }

  /** The server's clock stands still at this time. */
  public Instant freezeTime(Instant at) {
    return clock("freezeMs", at.toEpochMilli());
  }

  /** Moves the server's clock forward; what is due then (TTL, leases, chores) is done. Returns its time. */
  public Instant advanceTime(Duration by) {
    return clock("advance", Durations.text(by));
  }

  /** The server's clock is the machine's again. */
  public Instant realTime() {
    return clock("real", true);
  }

  /** Returns the time of the server's clock. */
  public Instant time() {
    return Instant.ofEpochMilli(number(control.call("GET", "clock", null), "nowMs"));
  }

  private Instant clock(String name, Object value) {
    return Instant.ofEpochMilli(number(post("clock", Collections.singletonMap(name, value)), "nowMs"));
  }

  // Faults and calls.

  /** Adds a fault and returns its number. */
  public long addFault(Fault fault) {
    return number(post("faults", fault.fields()), "id");
  }

  /** Returns to how many calls the fault has applied. */
  public long faultHits(long fault) {
    for (Object each : (List<?>) control.call("GET", "faults", null).get("faults")) {
      if (number(map(each), "id") == fault) return number(map(each), "hits");
    }
    throw new VaquitaException("faults: unknown fault " + fault);
  }

  /** Removes all faults. */
  public void clearFaults() {
    control.call("DELETE", "faults", null);
  }

  /** Returns the last 10,000 calls on tables that are not HBase's own, the oldest first. */
  public List<Call> calls() {
    return calls(0);
  }

  /** Returns the calls with a number of at least this. */
  public List<Call> calls(long since) {
    List<Call> calls = new ArrayList<>();
    for (Object call : (List<?>) control.call("GET", "calls?since=" + since, null).get("calls")) calls.add(new Call(map(call)));
    return calls;
  }

  /** Returns the number that the next call will have, for {@link #calls(long)}. */
  public long nextCall() {
    return number(control.call("GET", "calls?since=" + Long.MAX_VALUE, null), "next");
  }

  // Maintenance; each returns when it is done.

  public void flush(String table) {
    post("flush", Collections.singletonMap("table", table));
  }

  /** A major compaction. */
  public void compact(String table) {
    post("compact", Collections.singletonMap("table", table));
  }

  /** Splits a table's only region. */
  public void split(String table, String splitRow) {
    Map<String, Object> request = new LinkedHashMap<>();
    request.put("table", table);
    request.put("splitRow", splitRow);
    post("split", request);
  }

  /** Any operation of docs/test-control.md, e.g. {@code control("POST", "balance", emptyMap())}. */
  public Map<String, Object> control(String httpMethod, String operation, Map<String, ?> request) {
    return control.call(httpMethod, operation, request);
  }

  // The process.

  public long pid() {
    return number(process.ready(), "pid");
  }

  public boolean isRunning() {
    return process.isAlive();
  }

  /** Returns the file of the server's log; it goes with the JVM. */
  public Path log() {
    return process.log();
  }

  /** Returns the last 50 lines of the server's log, under a heading. */
  public String lastLogLines() {
    return process.lastLines();
  }

  /** Throws VaquitaException, with the last lines of its log, if the server has ended without {@link #stop}. */
  void checkRunning() {
    if (stopped || isRunning()) return;
    throw new VaquitaException("the server has ended by itself. " + lastLogLines());
  }

  /** Closes {@link #getConnection} and ends the server. Nothing happens if it has ended. */
  public void stop() {
    stopped = true;
    connection.close();
    process.stop();
  }

  @Override
  public void close() {
    stop();
  }

  @Override
  public String toString() {
    return "Vaquita at " + zookeeper() + (isRunning() ? "" : " (stopped)");
  }

  private String ready(String key) {
    return String.valueOf(process.ready().get(key));
  }

  private Map<String, Object> post(String operation, Map<String, ?> request) {
    return control.call("POST", operation, request);
  }

  private static long number(Map<String, Object> answer, String name) {
    Object value = answer.get(name);
    return value == null ? 0 : Long.parseLong(value.toString());
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> map(Object object) {
    return (Map<String, Object>) object;
  }
}
