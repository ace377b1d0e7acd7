package vaquita.clients;

import static vaquita.clients.Text.b;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.filter.SubstringComparator;
import org.apache.hadoop.hbase.filter.ValueFilter;
import org.apache.hadoop.hbase.filter.WhileMatchFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.vaquita.rowkey.DistributedTable;
import org.vaquita.rowkey.Hasher;
import org.vaquita.rowkey.OneBytePrefixDistributor;
import org.vaquita.rowkey.RowKeyDistributor;

/**
 * Vaquita's row key distributors (client/java) with HBase's client: the keys that the C++ client makes, too ({@code --vectors FILE}),
 * reads and writes, scans compared with those of a plain table, and MapReduce jobs.
 */
public final class Distributors {
  private static final byte[] F = b("f");
  private static final byte[] Q = b("q");
  private static final String[] KINDS = {"Identity()", "OneBytePrefix(5)", "HashPrefix(OneByteSimpleHash(7))",
                                         "HashPrefix(vaquita.clients.EdgeHasher(2))"};

  public static void main(String[] arguments) {
    Address address = Address.of(arguments);
    Path vectors = Paths.get(arguments[Arrays.asList(arguments).indexOf("--vectors") + 1]);
    Check.program(() -> {
      Configuration configuration = address.configuration();
      Check.section("the same keys as in C++", () -> vectors(vectors));
      Check.section("distributors as text", () -> texts());
      Check.section("a bucket that fails", () -> BrokenBucket.staysBroken());
      try (Connection connection = ConnectionFactory.createConnection(configuration)) {
        Tables.dropAll(connection);
        Check.section("puts, gets and deletes", () -> readsAndWrites(connection));
        Check.section("rows in several buckets", () -> rowsInSeveralBuckets(connection));
        Check.section("the table's attribute", () -> attribute(connection));
        Check.section("random scans", () -> RandomScans.compare(connection, KINDS));
        Check.section("scans through splits", () -> scansThroughSplits(connection));
        Check.section("reversed bits", () -> reversedBits(connection));
        Check.section("refusals", () -> refusals(connection));
        Check.section("MapReduce", () -> new DistributorJobs(connection, configuration).run());
        Tables.dropAll(connection);
      }
    });
  }

  private static void vectors(Path file) throws Exception {
    Map<String, RowKeyDistributor> distributors = new TreeMap<>();
    int count = 0;
    for (String line : Files.readAllLines(file)) {
      if (line.startsWith("#")) continue;
      String[] parts = line.split("\t");
      RowKeyDistributor distributor = distributors.computeIfAbsent(parts[0], Distributors::fromFirstBucket);
      byte[] original = Bytes.toBytesBinary(parts[1]);
      byte[] distributed = Bytes.toBytesBinary(parts[2]);
      Check.equal(parts[0] + " of " + parts[1], parts[2], Bytes.toStringBinary(distributor.getDistributedKey(original)));
      Check.equal(parts[0] + " back", parts[1], Bytes.toStringBinary(distributor.getOriginalKey(distributed)));
      Check.yes(parts[0] + " is one of all", Arrays.stream(distributor.getAllDistributedKeys(original)).anyMatch(
                                                 key -> Arrays.equals(key, distributed)));
      Check.equal("text", parts[0], distributor.getParamsToStore());
      ++count;
    }
    Check.equal("vectors", 152, count);
  }

  private static RowKeyDistributor fromFirstBucket(String text) {
    if (!text.startsWith("OneBytePrefix(")) return RowKeyDistributor.parse(text);
    return new OneBytePrefixDistributor(Integer.parseInt(text.substring(14, text.length() - 1)), 0);
  }

  private static void texts() {
    for (String kind : KINDS) Check.equal("there and back", kind, RowKeyDistributor.parse(kind).toString());
    for (String wrong : new String[] {"", "OneBytePrefix", "OneBytePrefix(0)", "OneBytePrefix(257)", "OneBytePrefix(x)", "Salt(4)",
                                      "HashPrefix(x)", "HashPrefix(OneByteSimpleHash(0))", "HashPrefix(java.lang.String(x))"}) {
      Check.fails(wrong, IllegalArgumentException.class, () -> RowKeyDistributor.parse(wrong));
    }
    Check.fails("not distributed", IllegalArgumentException.class,
                () -> RowKeyDistributor.parse("OneBytePrefix(3)").getOriginalKey(new byte[] {3, 'a'}));
  }

  private static DistributedTable table(Connection connection, String kind, String... splits) throws Exception {
    return new DistributedTable(Tables.create(connection, "distributed", "f:3", splits), RowKeyDistributor.parse(kind));
  }

  private static Put put(String row, String value) {
    return new Put(b(row)).addColumn(F, Q, b(value));
  }

  private static void readsAndWrites(Connection connection) throws Exception {
    List<String> kinds = new ArrayList<>(Arrays.asList(KINDS));
    kinds.add("BitReversal()");
    for (String kind : kinds) {
      DistributedTable table = table(connection, kind, "\2", "\4");
      table.put(put("row", "v"));
      table.put(Arrays.asList(put("a", "1"), put("b", "2")));
      Check.equal(kind + " get", "row f:q=v", Text.values(table.get(new Get(b("row")))));
      Check.equal(kind + " get, filtered", "a f:q=1", Text.values(table.get(new Get(b("a")).setFilter(
                                                          new ValueFilter(CompareOperator.EQUAL, new BinaryComparator(b("1")))))));
      Check.yes(kind + " exists", table.exists(new Get(b("b"))));
      Check.no(kind + " exists not", table.exists(new Get(b("c"))));
      table.delete(new Delete(b("row")));
      Check.equal(kind + " deleted", Text.NONE, Text.values(table.get(new Get(b("row")))));
      table.delete(new Delete(b("a")).addColumns(F, b("other")));
      Check.yes(kind + " another column", table.exists(new Get(b("a"))));
    }
  }

  private static void rowsInSeveralBuckets(Connection connection) throws Exception {
    DistributedTable table = table(connection, "OneBytePrefix(4)");
    for (int timestamp : new int[] {3, 1, 2}) table.put(new Put(b("r")).addColumn(F, Q, timestamp, b("v" + timestamp)));
    table.put(new Put(b("r")).addColumn(F, b("a"), 9, b("x")));
    Check.equal("newest", "r f:a@9=x f:q@3=v3", Text.versions(table.get(new Get(b("r")))));
    Check.equal("two versions", "r f:a@9=x f:q@3=v3 f:q@2=v2", Text.versions(table.get(new Get(b("r")).readVersions(2))));
    try (ResultScanner scanner = table.getScanner(new Scan().readVersions(9).setLimit(1))) {
      Check.equal("a scan", "r f:a@9=x f:q@3=v3 f:q@2=v2 f:q@1=v1", Text.versions(scanner));
    }
    table.delete(new Delete(b("r")));
    Check.no("deleted everywhere", table.exists(new Get(b("r"))));
  }

  private static void attribute(Connection connection) throws Exception {
    TableName name = TableName.valueOf("described");
    try (Admin admin = connection.getAdmin()) {
      TableDescriptorBuilder descriptor = Tables.descriptor(name, "f:1");
      admin.createTable(RowKeyDistributor.parse("HashPrefix(OneByteSimpleHash(16))").store(descriptor).build());
      try (DistributedTable table = DistributedTable.open(connection, name)) {
        Check.equal("found", "HashPrefix(OneByteSimpleHash(16))", table.getDistributor().toString());
      }
      Tables.create(connection, "plain", "f:1");
      try (DistributedTable table = DistributedTable.open(connection, TableName.valueOf("plain"))) {
        Check.equal("none", "Identity()", table.getDistributor().toString());
      }
    }
  }

  private static void scansThroughSplits(Connection connection) throws Exception {
    DistributedTable table = table(connection, "OneBytePrefix(4)", "\1");
    List<Put> puts = new ArrayList<>();
    TreeSet<String> rows = new TreeSet<>();
    for (int i = 0; i < 3_000; ++i) {
      rows.add(String.format("%05d", i));
      puts.add(put(rows.last(), "v"));
    }
    table.put(puts);
    List<String> got = new ArrayList<>();
    int number = 0;  // each split is of a region that came of none: HBase refuses others until they were compacted
    try (ResultScanner scanner = table.getScanner(new Scan().setCaching(20))) {
      for (Result result : scanner) {
        got.add(Bytes.toString(result.getRow()));
        if (++number == 500) Tables.split(connection, TableName.valueOf("distributed"), "\2");
        if (number == 1_500) Tables.split(connection, TableName.valueOf("distributed"), "\0" + "02000");
      }
    }
    Check.yes("each row once, in order", got.equals(new ArrayList<>(rows)));
  }

  private static void reversedBits(Connection connection) throws Exception {
    DistributedTable table = table(connection, "BitReversal()", "@");
    List<Put> puts = new ArrayList<>();
    for (long id = 0; id < 100; id += 7) puts.add(new Put(Bytes.toBytes(id)).addColumn(F, Q, b("" + id)));
    table.put(puts);
    Check.equal("a range", "14 21 28", ids(table, new Scan().withStartRow(Bytes.toBytes(8L)).withStopRow(Bytes.toBytes(35L)).setCaching(3)));
    Check.equal("backwards", "28 21 14",
                ids(table, new Scan().withStartRow(Bytes.toBytes(35L), false).withStopRow(Bytes.toBytes(14L), true).setReversed(true)));
    Check.equal("a limit, and all rows in one answer", "0",
                ids(table, new Scan().withStopRow(Bytes.toBytes(1L << 40)).setLimit(1).setCaching(Integer.MAX_VALUE)));
    Check.equal("a limit", "0 7", ids(table, new Scan().withStopRow(Bytes.toBytes(100L)).setLimit(2)));
    Check.fails("no end", IllegalArgumentException.class, () -> table.getScanner(new Scan()));
  }

  private static String ids(DistributedTable table, Scan scan) throws Exception {
    List<String> ids = new ArrayList<>();
    try (ResultScanner scanner = table.getScanner(scan)) {
      for (Result result : scanner) ids.add("" + Bytes.toLong(result.getRow()));
    }
    return String.join(" ", ids);
  }

  private static void refusals(Connection connection) throws Exception {
    DistributedTable table = table(connection, "OneBytePrefix(4)");
    RowFilter substring = new RowFilter(CompareOperator.EQUAL, new SubstringComparator("a"));
    Check.fails("substring", IllegalArgumentException.class, () -> table.getScanner(new Scan().setFilter(substring)));
    Check.fails("in a list", IllegalArgumentException.class,
                () -> table.getScanner(new Scan().setFilter(new FilterList(new PrefixFilter(b("a")), substring))));
    Check.fails("while", IllegalArgumentException.class,
                () -> table.getScanner(new Scan().setFilter(new WhileMatchFilter(new PrefixFilter(b("a"))))));
    try (Admin admin = connection.getAdmin()) {
      admin.disableTable(TableName.valueOf("distributed"));
    }
    try (ResultScanner scanner = table.getScanner(new Scan())) {
      Check.failsWith("an error of a bucket", "TableNotEnabledException", scanner::next);
    }
  }

  private Distributors() {}
}
