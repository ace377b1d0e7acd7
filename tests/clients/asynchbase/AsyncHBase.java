package vaquita.clients;

import static vaquita.clients.Text.b;

import com.stumbleupon.async.Deferred;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.hbase.async.AppendRequest;
import org.hbase.async.AtomicIncrementRequest;
import org.hbase.async.BinaryComparator;
import org.hbase.async.BinaryPrefixComparator;
import org.hbase.async.BitComparator;
import org.hbase.async.ColumnPaginationFilter;
import org.hbase.async.ColumnPrefixFilter;
import org.hbase.async.ColumnRangeFilter;
import org.hbase.async.CompareFilter.CompareOp;
import org.hbase.async.DeleteRequest;
import org.hbase.async.FamilyFilter;
import org.hbase.async.FilterList;
import org.hbase.async.FirstKeyOnlyFilter;
import org.hbase.async.FuzzyRowFilter;
import org.hbase.async.GetRequest;
import org.hbase.async.GetResultOrException;
import org.hbase.async.HBaseClient;
import org.hbase.async.KeyOnlyFilter;
import org.hbase.async.KeyRegexpFilter;
import org.hbase.async.KeyValue;
import org.hbase.async.MultiColumnAtomicIncrementRequest;
import org.hbase.async.NoSuchColumnFamilyException;
import org.hbase.async.PutRequest;
import org.hbase.async.QualifierFilter;
import org.hbase.async.RegexStringComparator;
import org.hbase.async.RegionLocation;
import org.hbase.async.RowFilter;
import org.hbase.async.ScanFilter;
import org.hbase.async.Scanner;
import org.hbase.async.SubstringComparator;
import org.hbase.async.TableNotFoundException;
import org.hbase.async.TimestampsFilter;
import org.hbase.async.ValueFilter;

/** asynchbase: the API that a program has. It makes no tables and splits no regions: an HBase client beside it does. */
public final class AsyncHBase {
  private static final String ALL = "a b c d e f g h i j k l m n o p q r s t u v w x y z";
  private static final byte[] T = b("rows");
  private static final byte[] F = b("f");
  private static final byte[] G = b("g");
  private static final byte[] Q = b("q");
  private static HBaseClient client;

  public static void main(String[] arguments) {
    Address address = Address.of(arguments);
    Check.program(() -> {
      try (Connection connection = ConnectionFactory.createConnection(address.configuration())) {
        Tables.dropAll(connection);
        Tables.create(connection, "rows", "f:3 g:1", "m");
        Tables.create(connection, "scans", "f:1 g:1", "h", "q");
        Tables.create(connection, "filters", "f:1", "r3");
        client = new HBaseClient(address.toString());
        client.setFlushInterval((short) 1);
        Check.section("tables", () -> tables());
        Check.section("get and put", () -> getAndPut());
        Check.section("delete", () -> deletes());
        Check.section("increment and append", () -> counters());
        Check.section("compare and set", () -> conditions());
        Check.section("batches", () -> batches());
        Check.section("scan", () -> scans());
        Check.section("filters", () -> filters());
        Check.section("locations that become old", () -> locations(connection));
        client.shutdown().join(10_000);
        Tables.dropAll(connection);
      }
    });
  }

  private static <T> T join(Deferred<T> deferred) throws Exception {
    return deferred.join(30_000);
  }

  private static String text(List<KeyValue> cells) {
    if (cells.isEmpty()) return Text.NONE;
    StringBuilder text = new StringBuilder(new String(cells.get(0).key()));
    for (KeyValue cell : cells) {
      text.append(' ').append(new String(cell.family())).append(':').append(new String(cell.qualifier())).append('=')
          .append(new String(cell.value()));
    }
    return text.toString();
  }

  private static PutRequest put(String row, String value) {
    return new PutRequest(T, b(row), F, Q, b(value));
  }

  private static String get(String row) throws Exception {
    return text(join(client.get(new GetRequest(T, b(row)))));
  }

  private static void tables() throws Exception {
    join(client.ensureTableExists(T));
    join(client.ensureTableFamilyExists(T, F));
    Check.fails("no table", TableNotFoundException.class, () -> join(client.ensureTableExists("absent")));
    Check.fails("no family", NoSuchColumnFamilyException.class, () -> join(client.ensureTableFamilyExists("rows", "none")));
  }

  private static void getAndPut() throws Exception {
    Check.equal("no row", Text.NONE, get("nobody"));
    join(client.put(new PutRequest(T, b("r"), F, new byte[][] {b("a"), b("b")}, new byte[][] {b("1"), b("2")})));
    join(client.put(new PutRequest(T, b("r"), G, b("c"), b("3"))));
    Check.equal("whole row", "r f:a=1 f:b=2 g:c=3", get("r"));
    Check.equal("family", "r g:c=3", text(join(client.get(new GetRequest(T, b("r"), G)))));
    Check.equal("column", "r f:b=2", text(join(client.get(new GetRequest(T, b("r"), F, b("b"))))));
    Check.equal("columns", "r f:a=1 f:b=2", text(join(client.get(new GetRequest(T, b("r"), F).qualifiers(new byte[][] {b("a"), b("b")})))));
    join(client.put(put("z", "in the other region")));
    Check.equal("another region", "z f:q=in the other region", get("z"));
    for (int i = 1; i <= 4; ++i) join(client.put(new PutRequest(T, b("versions"), F, Q, b("v" + i), i)));
    Check.equal("newest", "versions f:q=v4", get("versions"));
    Check.equal("versions", "versions f:q=v4 f:q=v3 f:q=v2", text(join(client.get(new GetRequest(T, b("versions")).maxVersions(9)))));
    Check.equal("time range", "versions f:q=v3", text(join(client.get(new GetRequest(T, b("versions")).setTimeRange(2, 4)))));
    Check.equal("filter", "r f:b=2", text(join(client.get(new GetRequest(T, b("r")).setFilter(new ColumnPrefixFilter("b"))))));
    String large = new String(new char[3 << 20]).replace('\0', 'x');
    join(client.put(put("large", large)));
    Check.yes("3 MiB", get("large").equals("large f:q=" + large));
    byte[] bytes = {0, (byte) 0xff, 0};
    join(client.put(new PutRequest(T, bytes, F, bytes, bytes)));
    Check.yes("bytes", Arrays.equals(bytes, join(client.get(new GetRequest(T, bytes))).get(0).value()));
    Check.fails("put to an unknown family", NoSuchColumnFamilyException.class,
                () -> join(client.put(new PutRequest(T, b("r"), b("none"), Q, b("v")))));
    Check.fails("get of an unknown table", TableNotFoundException.class, () -> join(client.get(new GetRequest("absent", "r"))));
  }

  private static String afterDelete(DeleteRequest delete) throws Exception {
    byte[] row = delete.key();
    for (int i = 1; i <= 2; ++i) {
      join(client.put(new PutRequest(T, row, F, Q, b("" + i), i)));
      join(client.put(new PutRequest(T, row, F, b("r"), b("r"), i)));
      join(client.put(new PutRequest(T, row, G, Q, b("g"), i)));
    }
    join(client.delete(delete));
    return get(new String(row));
  }

  private static void deletes() throws Exception {
    Check.equal("row", Text.NONE, afterDelete(new DeleteRequest(T, b("d1"))));
    Check.equal("family", "d2 g:q=g", afterDelete(new DeleteRequest(T, b("d2"), F)));
    Check.equal("column", "d3 f:r=r g:q=g", afterDelete(new DeleteRequest(T, b("d3"), F, Q)));
    Check.equal("up to a time", "d4 f:q=2 f:r=r g:q=g", afterDelete(new DeleteRequest(T, b("d4"), F, Q, 1)));
    DeleteRequest version = new DeleteRequest(T, b("d5"), F, Q, 2);
    version.setDeleteAtTimestampOnly(true);
    Check.equal("one version", "d5 f:q=1 f:r=r g:q=g", afterDelete(version));
  }

  private static void counters() throws Exception {
    Check.equal("increment", 5L, join(client.atomicIncrement(new AtomicIncrementRequest(T, b("counter"), F, Q, 5))));
    Check.equal("again", 3L, join(client.atomicIncrement(new AtomicIncrementRequest(T, b("counter"), F, Q, -2))));
    Deferred<Long> one = client.bufferAtomicIncrement(new AtomicIncrementRequest(T, b("counter"), F, Q, 1));
    Deferred<Long> two = client.bufferAtomicIncrement(new AtomicIncrementRequest(T, b("counter"), F, Q, 2));
    Check.yes("buffered", join(one) >= 4 && join(two) == 6);
    Map<byte[], Long> several = join(client.atomicIncrement(
        new MultiColumnAtomicIncrementRequest(T, b("counters"), F, new byte[][] {b("a"), b("b")}, new long[] {1, 2})));
    long sum = 0;
    for (long value : several.values()) sum += value;
    Check.equal("several columns", 3L, sum);
    join(client.append(new AppendRequest(T, b("text"), F, Q, b("one"))));
    AppendRequest append = new AppendRequest(T, b("text"), F, Q, b(", two"));
    append.returnResult(true);
    join(client.append(append));
    Check.equal("append", "text f:q=one, two", get("text"));
  }

  private static void conditions() throws Exception {
    Check.yes("create", join(client.atomicCreate(put("checked", "1"))));
    Check.no("create again", join(client.atomicCreate(put("checked", "2"))));
    Check.no("another value", join(client.compareAndSet(put("checked", "2"), b("9"))));
    Check.yes("the value", join(client.compareAndSet(put("checked", "2"), b("1"))));
    Check.equal("stored", "checked f:q=2", get("checked"));
  }

  private static void batches() throws Exception {
    List<Deferred<Object>> written = new ArrayList<>();
    List<GetRequest> gets = new ArrayList<>();
    for (int i = 0; i < 2_000; ++i) {
      String row = (char) ('a' + i % 26) + String.format("%04d", i);
      written.add(client.put(put(row, row)));
      if (i % 10 == 0) gets.add(new GetRequest(T, b(row)));
    }
    Deferred<Object> bad = client.put(new PutRequest(T, b("a9999"), b("none"), Q, b("v")));
    Deferred<Object> good = client.put(put("a9998", "v"));
    for (Deferred<Object> each : written) join(each);
    Check.fails("a bad one among them", NoSuchColumnFamilyException.class, () -> join(bad));
    join(good);
    int right = 0;
    for (GetResultOrException result : join(client.get(gets))) {
      List<KeyValue> cells = result.getCells();
      if (cells.size() == 1 && Arrays.equals(cells.get(0).key(), cells.get(0).value())) ++right;
    }
    Check.equal("a list of gets", gets.size(), right);
    gets.add(1, new GetRequest("rows", "r", "none"));
    List<GetResultOrException> mixed = join(client.get(gets));
    Check.yes("one of them bad", mixed.get(1).getException() != null && mixed.get(2).getCells().size() == 1);
  }

  private static String scan(Scanner scanner) throws Exception {
    List<String> rows = new ArrayList<>();
    for (ArrayList<ArrayList<KeyValue>> some; (some = join(scanner.nextRows())) != null;) {
      for (ArrayList<KeyValue> row : some) rows.add(new String(row.get(0).key()));
    }
    return rows.isEmpty() ? Text.NONE : String.join(" ", rows);
  }

  private static Scanner range(String start, String stop) {
    Scanner scanner = client.newScanner("scans");
    scanner.setStartKey(start);
    scanner.setStopKey(stop);
    return scanner;
  }

  private static void scans() throws Exception {
    for (String row : ALL.split(" ")) {
      join(client.put(new PutRequest("scans", row, "f", "a", row)));
      join(client.put(new PutRequest("scans", row, "g", "c", row)));
    }
    Check.equal("all", ALL, scan(client.newScanner("scans")));
    Check.equal("range over a border", "f g h i", scan(range("f", "j")));
    Scanner reversed = range("r", "n");
    reversed.setReversed(true);
    Check.equal("reversed", "r q p o", scan(reversed));
    for (int rows : new int[] {1, 3, 100}) {
      Scanner some = client.newScanner("scans");
      some.setMaxNumRows(rows);
      Check.equal(rows + " rows a call", ALL, scan(some));
    }
    Scanner family = range("c", "e");
    family.setFamily("g");
    Check.equal("family", "c g:c=c", text(join(family.nextRows()).get(0)));
    family.close().join(10_000);
    Scanner column = range("c", "e");
    column.setFamily("f");
    column.setQualifier("a");
    Check.equal("column", "c d", scan(column));
    Scanner old = client.newScanner("scans");
    old.setTimeRange(1, 2);
    Check.equal("a time range with nothing in it", Text.NONE, scan(old));
    Scanner small = client.newScanner("scans");
    small.setMaxNumBytes(1);
    Check.equal("small answers", ALL, scan(small));
    Scanner regexp = client.newScanner("scans");
    regexp.setKeyRegexp("^[ax]$");
    Check.equal("a key's expression", "a x", scan(regexp));
    Scanner bad = client.newScanner("scans");
    bad.setFamily("none");
    Check.fails("unknown family", NoSuchColumnFamilyException.class, () -> scan(bad));
  }

  private static void keeps(String what, String rows, ScanFilter filter) throws Exception {
    Scanner scanner = client.newScanner("filters");
    scanner.setFilter(filter);
    Check.equal(what, rows, scan(scanner));
  }

  private static void filters() throws Exception {
    byte[] table = b("filters");
    for (int i = 1; i <= 4; ++i) {
      join(client.put(new PutRequest(table, b("r" + i), F, b("a"), b("v" + i), i)));
      join(client.put(new PutRequest(table, b("r" + i), F, b("b"), b("same"), i)));
    }
    join(client.put(new PutRequest(table, b("s1"), F, b("c"), b("other"), 9)));
    keeps("row =", "r2", new RowFilter(CompareOp.EQUAL, new BinaryComparator(b("r2"))));
    keeps("row <", "r1 r2", new RowFilter(CompareOp.LESS, new BinaryComparator(b("r3"))));
    keeps("binary prefix", "r1 r2 r3 r4", new RowFilter(CompareOp.EQUAL, new BinaryPrefixComparator(b("r"))));
    keeps("substring", "r1 s1", new RowFilter(CompareOp.EQUAL, new SubstringComparator("1")));
    keeps("regular expression", "r1 s1", new RowFilter(CompareOp.EQUAL, new RegexStringComparator("^.1$")));
    keeps("bits", "r1 r3 s1", new RowFilter(CompareOp.EQUAL, new BitComparator(new byte[] {0, 1}, BitComparator.BitwiseOp.AND)));
    keeps("key's expression", "r1 s1", new KeyRegexpFilter("1$"));
    keeps("column prefix", "s1", new ColumnPrefixFilter("c"));
    keeps("column range", "s1", new ColumnRangeFilter("b", false, "d", true));
    keeps("column pagination", "r1 r2 r3 r4", new ColumnPaginationFilter(1, 1));
    keeps("qualifier", "s1", new QualifierFilter(CompareOp.GREATER, new BinaryComparator(b("b"))));
    keeps("family", Text.NONE, new FamilyFilter(CompareOp.NOT_EQUAL, new BinaryComparator(F)));
    keeps("value", "r2", new ValueFilter(CompareOp.EQUAL, new BinaryComparator(b("v2"))));
    keeps("timestamps", "r2 s1", new TimestampsFilter(2L, 9L));
    keeps("first key", "r1 r2 r3 r4 s1", new FirstKeyOnlyFilter());
    keeps("key only", "r1 r2 r3 r4 s1", new KeyOnlyFilter());
    keeps("fuzzy", "r1 s1", new FuzzyRowFilter(new FuzzyRowFilter.FuzzyFilterPair(b("?1"), new byte[] {1, 0})));
    ScanFilter low = new RowFilter(CompareOp.LESS, new BinaryComparator(b("r3")));
    keeps("all of a list", "r1", new FilterList(Arrays.asList(low, new KeyRegexpFilter("1$"))));
    keeps("one of a list", "r1 r2 s1", new FilterList(Arrays.asList(low, new KeyRegexpFilter("1$")), FilterList.Operator.MUST_PASS_ONE));
  }

  private static String ranges() throws Exception {
    List<String> ranges = new ArrayList<>();
    for (RegionLocation location : join(client.locateRegions("scans"))) {
      ranges.add(new String(location.startKey()) + ".." + new String(location.stopKey()));
    }
    return String.join(" ", ranges);
  }

  private static void locations(Connection connection) throws Exception {
    TableName name = TableName.valueOf("scans");
    Check.equal("regions", "..h h..q q..", ranges());
    join(client.prefetchMeta("scans"));
    Tables.split(connection, name, "c");
    Check.equal("get after a split", "d f:a=d g:c=d", text(join(client.get(new GetRequest("scans", "d")))));
    Check.equal("scan after a split", ALL, scan(client.newScanner("scans")));
    Tables.merge(connection, name, "h", "q");
    Check.equal("get after a merge", "r f:a=r g:c=r", text(join(client.get(new GetRequest("scans", "r")))));
    Check.equal("scan after a merge", ALL, scan(client.newScanner("scans")));
    Tables.reopen(connection, name);
    Check.equal("scan after a reopening", ALL, scan(client.newScanner("scans")));
  }

  private AsyncHBase() {}
}
