package vaquita.clients;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A server under control (docs/test-control.md), as hbase-client 2.6 sees it: every exception that it knows, connections that drop,
 * time that moves, and services behind a port mapping.
 *
 * <p>Arguments: --program VAQUITA.
 */
public final class ControlChecks {
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] QUALIFIER = Bytes.toBytes("q");
  private static final TableName NAME = TableName.valueOf("t");

  public static void main(String[] arguments) {
    String program = arguments[1];
    Check.program(() -> {
      try (ControlledServer server = new ControlledServer(program)) {
        Check.section("exceptions that are retried", () -> retried(server));
        Check.section("exceptions that end all", () -> givenUp(server));
        Check.section("lost answers", () -> lostAnswers(server));
        Check.section("parts of a multi", () -> partsOfAMulti(server));
        Check.section("time", () -> time(server));
        Check.section("states", () -> states(server));
        Check.section("calls", () -> calls(server));
        Check.section("a dead server", () -> deadServer(server));
      }
      try (ControlledServer server = new ControlledServer(program)) {
        Check.section("a port mapping", () -> portMapping(server));
      }
    });
  }

  /** Few and quick retries, without a pause that grows when a server says that it is overloaded. */
  private static Configuration configuration(String zookeeper) {
    Configuration configuration = HBaseConfiguration.create();
    int colon = zookeeper.lastIndexOf(':');
    configuration.set("hbase.zookeeper.quorum", zookeeper.substring(0, colon));
    configuration.set("hbase.zookeeper.property.clientPort", zookeeper.substring(colon + 1));
    configuration.setInt("hbase.client.pause", 5);
    configuration.setInt("hbase.client.pause.server.overloaded", 5);
    configuration.setInt("hbase.client.retries.number", 6);
    return configuration;
  }

  private static Connection connect(ControlledServer server) throws IOException {
    return ConnectionFactory.createConnection(configuration(server.text("zookeeper")));
  }

  private static void reset(ControlledServer server) throws IOException {
    server.post("reset", "");
    server.post("seed", "{'script': 'create \\'t\\', \\'f\\'\\n'}".replace("\\'", "\\\""));
  }

  private static Put put(String row) {
    return new Put(Bytes.toBytes(row)).addColumn(FAMILY, QUALIFIER, Bytes.toBytes("v"));
  }

  /** The IOExceptions in HBase's packages that a client can make of a message, and that are not to be retried, or are. */
  private static List<String> exceptions(boolean doNotRetry) throws Exception {
    URL place = Connection.class.getProtectionDomain().getCodeSource().getLocation();
    List<String> names = new ArrayList<>();
    try (JarFile jar = new JarFile(new File(place.toURI()))) {
      for (JarEntry entry : Collections.list(jar.entries())) {
        String path = entry.getName();
        if (!path.startsWith("org/apache/hadoop/hbase/") || !path.endsWith(".class") || path.contains("/shaded/")
            || path.contains("$")) {
          continue;
        }
        String name = path.substring(0, path.length() - ".class".length()).replace('/', '.');
        try {
          Class<?> candidate = Class.forName(name, false, ControlChecks.class.getClassLoader());
          if (!IOException.class.isAssignableFrom(candidate) || Modifier.isAbstract(candidate.getModifiers())) continue;
          candidate.getDeclaredConstructor(String.class);
          if (DoNotRetryIOException.class.isAssignableFrom(candidate) == doNotRetry) names.add(name);
        } catch (ReflectiveOperationException | LinkageError notOne) {
          // Needs what the client does not have.
        }
      }
    }
    return names;
  }

  private static String message(ControlledServer server, String exception) {
    if (!exception.endsWith("RegionMovedException")) return "as ordered";
    String[] name = server.text("server_name").split(",");
    return "Region moved to: hostname=" + name[0] + " port=" + name[1] + " startCode=" + name[2] + ". As of locationSeqNum=7.";
  }

  private static void retried(ControlledServer server) throws Exception {
    List<String> names = exceptions(false);
    Check.yes("there are many", names.size() > 40);
    reset(server);
    try (Connection connection = connect(server); Table table = connection.getTable(NAME)) {
      for (String name : names) {
        server.ask("DELETE", "faults", "");
        String calls = server.ask("GET", "calls?method=Mutate", "");
        String since = calls.replaceAll(".*\"next\":(\\d+).*", "$1").trim();
        server.post("faults", "{'match': {'methods': ['Mutate'], 'table': 't'}, 'times': 2, 'exception': {'class': '" + name
            + "', 'message': '" + message(server, name) + "'}}");
        try {
          table.put(put("r"));
        } catch (IOException e) {
          Check.equal(name + " is retried", "", e.toString());
          continue;
        }
        List<String> results =
            ControlledServer.texts("result", server.ask("GET", "calls?table=t&method=Mutate&since=" + since, ""));
        Check.equal(name, List.of(name, name, "OK"), results);
      }
    }
  }

  private static void givenUp(ControlledServer server) throws Exception {
    reset(server);
    List<String> names = exceptions(true);
    names.add("com.example.NobodyKnowsIt");
    try (Connection connection = connect(server); Table table = connection.getTable(NAME)) {
      for (String name : names) {
        reset(server);
        table.put(put("r"));  // the client has found the region
        server.post("faults", "{'match': {'methods': ['Mutate'], 'table': 't'}, 'exception': {'class': '" + name
            + "', 'message': 'as ordered', 'doNotRetry': true}}");
        try {
          table.put(put("r"));
          Check.equal(name + " ends the put", "an exception", "none");
        } catch (IOException e) {
          // A client that does not have the class only says so.
          Check.holds(name, name.startsWith("org.apache") ? "as ordered" : name, e.toString());
        }
        List<String> results = server.results("Mutate");
        Check.equal(name, name, results.get(results.size() - 1));
        Check.equal(name + " is not retried", 1L, results.stream().filter(name::equals).count());
      }
    }
  }

  private static void lostAnswers(ControlledServer server) throws Exception {
    reset(server);
    Configuration configuration = configuration(server.text("zookeeper"));
    configuration.setInt("hbase.rpc.timeout", 300);
    configuration.setInt("hbase.rpc.write.timeout", 300);
    try (Connection connection = ConnectionFactory.createConnection(configuration); Table table = connection.getTable(NAME)) {
      long expected = 0;
      for (String effect : List.of("'drop': 'before'", "'drop': 'after'", "'loseAnswer': true")) {
        server.post("faults", "{'match': {'methods': ['Mutate'], 'table': 't'}, 'times': 1, " + effect + "}");
        long sum = Bytes.toLong(
            table.increment(new Increment(Bytes.toBytes("i")).addColumn(FAMILY, QUALIFIER, 1)).getValue(FAMILY, QUALIFIER));
        Check.equal(effect + ": done once, though sent twice", ++expected, sum);
      }
      server.post("faults", "{'match': {'methods': ['Mutate'], 'table': 't'}, 'times': 1, 'drop': 'after'}");
      table.append(new Append(Bytes.toBytes("a")).addColumn(FAMILY, QUALIFIER, Bytes.toBytes("x")));
      Check.equal("an append, too", "x",
          Bytes.toString(table.get(new Get(Bytes.toBytes("a"))).getValue(FAMILY, QUALIFIER)));
    }
  }

  private static void partsOfAMulti(ControlledServer server) throws Exception {
    server.post("reset", "");
    server.post("seed", "{'script': 'create \\'t\\', \\'f\\', SPLITS => [\\'m\\']\\n'}".replace("\\'", "\\\""));
    try (Connection connection = connect(server); Table table = connection.getTable(NAME)) {
      server.post("faults", "{'match': {'methods': ['Multi'], 'table': 't', 'rowFrom': 'm'}, 'times': 2, "
          + "'exception': {'class': 'RegionTooBusyException', 'message': 'as ordered'}}");
      table.put(List.of(put("a"), put("z")));
      Check.yes("both rows are there", table.exists(new Get(Bytes.toBytes("a"))) && table.exists(new Get(Bytes.toBytes("z"))));
      List<String> results = server.results("Multi");
      Check.equal("the busy region's part was sent three times", 3, results.size());
    }
  }

  private static void time(ControlledServer server) throws Exception {
    server.post("reset", "");
    server.post("seed", "{'script': 'create \\'t\\', {NAME => \\'f\\', TTL => 3600}\\n'}".replace("\\'", "\\\""));
    server.post("clock", "{'freezeMs': 1900000000000}");
    try (Connection connection = connect(server); Table table = connection.getTable(NAME)) {
      table.put(put("r"));
      Check.equal("the server's time", 1900000000000L, table.get(new Get(Bytes.toBytes("r"))).rawCells()[0].getTimestamp());
      table.put(List.of(put("s"), put("u"), put("v")));
      ResultScanner scanner = table.getScanner(new Scan().setCaching(1));
      scanner.next();
      server.post("clock", "{'advance': '59m'}");
      Check.yes("before its TTL is over", table.exists(new Get(Bytes.toBytes("r"))));
      Check.yes("the scan goes on, with a new scanner for the one whose lease is over", scanner.next() != null);
      server.post("clock", "{'advance': '2m'}");
      Check.no("after it", table.exists(new Get(Bytes.toBytes("r"))));
    }
    Check.holds("back", "\"mode\":\"real\"", server.post("clock", "{'real': true}"));
  }

  private static void states(ControlledServer server) throws Exception {
    reset(server);
    try (Connection connection = connect(server); Table table = connection.getTable(NAME)) {
      table.put(put("kept"));
      Check.holds("saved", "\"tables\":1", server.post("save", "{'name': 'one'}"));
      table.put(put("later"));
      server.post("restore", "{'name': 'one'}");
      Check.yes("what was there", table.exists(new Get(Bytes.toBytes("kept"))));
      Check.no("what came later", table.exists(new Get(Bytes.toBytes("later"))));
      server.post("reset", "");
      server.post("restore", "{'name': 'one'}");
      Check.yes("after a reset as well", table.exists(new Get(Bytes.toBytes("kept"))));
      Check.holds("one that is not there", "there are: one", server.ask("POST", "restore", "{\"name\": \"two\"}"));
    }
  }

  private static void calls(ControlledServer server) throws Exception {
    reset(server);
    try (Connection connection = connect(server); Table table = connection.getTable(NAME)) {
      List<Get> gets = new ArrayList<>();
      for (int i = 0; i < 100; i++) gets.add(new Get(Bytes.toBytes("r" + i)));
      table.get(gets);
      Check.equal("100 gets are one multi", List.of("OK"), server.results("Multi"));
      Check.equal("and no get", List.of(), server.results("Get"));
    }
  }

  private static void deadServer(ControlledServer server) throws Exception {
    reset(server);
    try (Connection connection = connect(server); Table table = connection.getTable(NAME)) {
      table.put(put("r"));
      server.post("faults", "{'match': {'methods': ['Get']}, 'times': 1, 'serverDead': '30ms'}");
      Check.yes("it lives again", table.exists(new Get(Bytes.toBytes("r"))));
      Check.holds("it was dead", "\"hits\":1", server.ask("GET", "faults", ""));
    }
  }

  /** As behind a container's port mapping: clients reach the server by other ports than it has, and by them alone. */
  private static void portMapping(ControlledServer server) throws Exception {
    reset(server);
    try (PortForward zookeeper = new PortForward(server.text("zookeeper"));
        PortForward master = new PortForward(server.text("master"));
        PortForward regionServer = new PortForward(server.text("region_server"))) {
      String answer = server.post("advertise", "{'zookeeper': '" + zookeeper.address() + "', 'master': '" + master.address()
          + "', 'regionServer': '" + regionServer.address() + "'}");
      Check.holds("the advertised address", regionServer.address(), answer);
      try (Connection connection = ConnectionFactory.createConnection(configuration(zookeeper.address()));
          Table table = connection.getTable(NAME)) {
        table.put(put("r"));
        Check.yes("by the mapped ports", table.exists(new Get(Bytes.toBytes("r"))));
        connection.getAdmin().flush(NAME);
        Check.equal("what the cluster says of itself", regionServer.address(),
            connection.getAdmin().getRegionServers().iterator().next().getAddress().toString());
      }
      for (PortForward forward : List.of(zookeeper, master, regionServer)) {
        Check.yes("something went through " + forward.address(), forward.connections() > 0);
      }
    }
  }

  private ControlChecks() {}
}
