package vaquita.clients;

import static vaquita.clients.Text.b;
import static vaquita.clients.Text.rows;
import static vaquita.clients.Text.values;
import static vaquita.clients.Text.versions;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.IsolationLevel;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.CompareFilter.CompareOp;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.filter.QualifierFilter;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.filter.SubstringComparator;
import org.apache.hadoop.hbase.filter.WhileMatchFilter;
import org.apache.hadoop.hbase.util.Bytes;

/** Scans in all forms, over a table of rows a to z in three regions. */
final class ScanChecks {
  private static final byte[] F = b("f");
  private static final byte[] G = b("g");
  private static final String ALL = "a b c d e f g h i j k l m n o p q r s t u v w x y z";
  private static final int WIDE_CELLS = 100;
  private static final long LEASE_MS = 3_000;  // the lease of the server that `run` starts

  // A scanner that its client leaves alone for longer than its lease, which the other checks take.
  private static ResultScanner idle;
  private static long idleSinceMs;

  static void run(Connection connection) throws Exception {
    Table table = Tables.create(connection, "scans", "f:3 g:1", "h", "q");
    List<Put> puts = new ArrayList<>();
    for (String row : ALL.split(" ")) {
      Put put = new Put(b(row));
      for (int i = 1; i <= 3; ++i) put.addColumn(F, b("a"), i, b(row + i));
      puts.add(put.addColumn(F, b("b"), 4, b("vb")).addColumn(G, b("c"), 5, b("vc")));
    }
    table.put(puts);
    Table wide = Tables.create(connection, "wide", "f:1");
    for (String row : new String[] {"one", "two"}) {
      Put put = new Put(b(row));
      for (int i = 0; i < WIDE_CELLS; ++i) put.addColumn(F, Bytes.toBytes(i), new byte[1_000]);
      wide.put(put);
    }
    idle = table.getScanner(new Scan().setCaching(2));
    Check.equal("the first row of a scan that is left alone", "a", Bytes.toString(idle.next().getRow()));
    idleSinceMs = System.currentTimeMillis();
    Check.section("scan: ranges", () -> ranges(table));
    Check.section("scan: reversed", () -> reversed(table));
    Check.section("scan: columns, versions, times", () -> selections(table));
    Check.section("scan: caching and size limits", () -> caching(table));
    Check.section("scan: limit, small, one row, read types", () -> limits(table));
    Check.section("scan: batch and partial results", () -> partialResults(wide));
    Check.section("scan: raw", () -> raw(connection));
    Check.section("scan: isolation and snapshot of a row", () -> isolation(table));
    Check.section("scan: metrics", () -> metrics(table));
    Check.section("scan: renewLease, close, cursor", () -> leases(table));
  }

  /** For the end of the program: the server has forgotten the scanner, and the client opens another where it was. */
  static void resumeIdle() {
    Check.section("scan: after its lease", () -> {
      Check.eventually("the lease's end", () -> System.currentTimeMillis() > idleSinceMs + 2 * LEASE_MS);
      Check.equal("goes on", ALL.substring(2), rows(idle));
    });
  }

  private static Scan range(String start, String stop) {
    return new Scan().withStartRow(b(start)).withStopRow(b(stop));
  }

  private static void ranges(Table table) throws Exception {
    Check.equal("all", ALL, rows(table, new Scan()));
    Check.equal("start", "x y z", rows(table, new Scan().withStartRow(b("x"))));
    Check.equal("start between rows", "y z", rows(table, new Scan().withStartRow(b("xx"))));
    Check.equal("start excluded", "y z", rows(table, new Scan().withStartRow(b("x"), false)));
    Check.equal("stop", "a b", rows(table, new Scan().withStopRow(b("c"))));
    Check.equal("stop included", "a b c", rows(table, new Scan().withStopRow(b("c"), true)));
    Check.equal("over a region's border", "f g h i", rows(table, range("f", "j")));
    Check.equal("up to a region's border", "f g", rows(table, range("f", "h")));
    Check.equal("from a region's border", "h i", rows(table, range("h", "j")));
    Check.equal("a border included", "g h", rows(table, new Scan().withStartRow(b("g")).withStopRow(b("h"), true)));
    Check.equal("one row, both ends included", "m", rows(table, new Scan().withStartRow(b("m")).withStopRow(b("m"), true)));
    Check.equal("nothing between", Text.NONE, rows(table, range("ma", "mz")));
    Check.equal("past the end", Text.NONE, rows(table, new Scan().withStartRow(b("zz"))));
    Check.equal("prefix", "m", rows(table, new Scan().setRowPrefixFilter(b("m"))));
    Check.equal("old names of the bounds", "c d", rows(table, new Scan().setStartRow(b("c")).setStopRow(b("e"))));
  }

  private static void reversed(Table table) throws Exception {
    Check.equal("all", new StringBuilder(ALL).reverse().toString(), rows(table, new Scan().setReversed(true)));
    Check.equal("from a row", "c b a", rows(table, new Scan().setReversed(true).withStartRow(b("c"))));
    Check.equal("from a row that is not there", "c b a", rows(table, new Scan().setReversed(true).withStartRow(b("cc"))));
    Check.equal("start excluded", "b a", rows(table, new Scan().setReversed(true).withStartRow(b("c"), false)));
    Check.equal("over two borders", "r q p o n m l k j i h g",
                rows(table, new Scan().setReversed(true).withStartRow(b("r")).withStopRow(b("f")).setCaching(2)));
    Check.equal("stop included", "r q p",
                rows(table, new Scan().setReversed(true).withStartRow(b("r")).withStopRow(b("p"), true)));
    Check.equal("from a border", "h g", rows(table, new Scan().setReversed(true).withStartRow(b("h")).withStopRow(b("f"))));
    Check.equal("a row's cells stay in order", "c f:a=c3 f:b=vb g:c=vc",
                values(table, new Scan().setReversed(true).withStartRow(b("c")).withStopRow(b("b"))));
  }

  private static void selections(Table table) throws Exception {
    Check.equal("families", "c g:c=vc | d g:c=vc", values(table, range("c", "e").addFamily(G)));
    Check.equal("columns", "c f:b=vb g:c=vc", values(table, range("c", "d").addColumn(F, b("b")).addColumn(G, b("c"))));
    Check.equal("versions", "c f:a@3=c3 f:a@2=c2 f:a@1=c1 f:b@4=vb g:c@5=vc",
                versions(table, range("c", "d").setMaxVersions()));
    Check.equal("two versions", "c f:a@3=c3 f:a@2=c2", versions(table, range("c", "d").addColumn(F, b("a")).setMaxVersions(2)));
    Check.equal("a time range", "c f:a@2=c2", versions(table, range("c", "d").setTimeRange(1, 3)));
    Check.equal("a time range with versions", "c f:a@2=c2 f:a@1=c1",
                versions(table, range("c", "d").setTimeRange(1, 3).setMaxVersions()));
    Check.equal("a timestamp", "c f:a@1=c1", versions(table, range("c", "d").setTimeStamp(1)));
    Check.equal("a time range of one family", "c f:a@2=c2 g:c@5=vc",
                versions(table, range("c", "d").setColumnFamilyTimeRange(F, 1, 3)));
    Check.equal("a time range of each family", "c f:a@2=c2",
                versions(table, range("c", "d").setColumnFamilyTimeRange(F, 1, 3).setColumnFamilyTimeRange(G, 1, 3)));
    Check.equal("the first columns of a family", "c f:a=c3 g:c=vc", values(table, range("c", "d").setMaxResultsPerColumnFamily(1)));
    Check.equal("columns after an offset", "c f:b=vb", values(table, range("c", "d").setRowOffsetPerColumnFamily(1)));
  }

  private static void caching(Table table) throws Exception {
    for (int caching : new int[] {1, 2, 7, 1_000}) {
      Check.equal("caching " + caching, ALL, rows(table, new Scan().setCaching(caching)));
    }
    for (long size : new long[] {1, 100, 1_000, Long.MAX_VALUE}) {
      Check.equal("results of at most " + size + " bytes", ALL, rows(table, new Scan().setMaxResultSize(size)));
    }
    Check.equal("without the block cache", ALL, rows(table, new Scan().setCacheBlocks(false)));
    try (ResultScanner scanner = table.getScanner(new Scan().setCaching(4))) {
      Check.equal("next(n)", "a b c d e f", rows(Arrays.asList(scanner.next(6))));
      Check.equal("and the next", "g", Bytes.toString(scanner.next().getRow()));
      Check.equal("the rest", 19, scanner.next(100).length);
      Check.equal("the end", null, scanner.next());
      Check.equal("and again", null, scanner.next());
    }
  }

  private static void limits(Table table) throws Exception {
    Check.equal("limit", "f g h i j", rows(table, new Scan().withStartRow(b("f")).setLimit(5)));
    Check.equal("limit, a row a call", "f g h i j", rows(table, new Scan().withStartRow(b("f")).setLimit(5).setCaching(1)));
    Check.equal("limit, reversed", "i h g", rows(table, new Scan().withStartRow(b("i")).setLimit(3).setReversed(true)));
    Check.equal("limit, by pread", "f g h", rows(table, new Scan().withStartRow(b("f")).setLimit(3).setReadType(Scan.ReadType.PREAD)));
    Check.equal("by stream", ALL, rows(table, new Scan().setReadType(Scan.ReadType.STREAM)));
    Check.equal("one row", "f", rows(table, new Scan().withStartRow(b("f")).setOneRowLimit()));
    Check.equal("small", "f g h i", rows(table, range("f", "j").setSmall(true)));
    Check.equal("small, two rows a call", "f g h i", rows(table, range("f", "j").setSmall(true).setCaching(2)));
    Check.equal("small, reversed", "i h g",
                rows(table, new Scan().setSmall(true).setReversed(true).withStartRow(b("i")).withStopRow(b("f"))));
    Check.equal("a page of each region", "a b h i q r", rows(table, new Scan().setFilter(new PageFilter(2)).setCaching(100)));
    Check.equal("a filter that ends the scan", "a",
                rows(table, range("a", "g").setFilter(new WhileMatchFilter(
                    new QualifierFilter(CompareOp.EQUAL, new SubstringComparator("a"))))));
  }

  private static void partialResults(Table wide) throws Exception {
    Check.equal("whole rows, though large", "one 100 two 100", sizes(wide, new Scan()));
    Check.equal("whole rows from small answers", "one 100 two 100", sizes(wide, new Scan().setMaxResultSize(5_000)));
    Check.equal("batches", "one 40 one 40 one 20 two 40 two 40 two 20", sizes(wide, new Scan().setBatch(40)));
    Check.equal("batches, reversed", "two 60 two 40 one 60 one 40", sizes(wide, new Scan().setBatch(60).setReversed(true)));
    Check.equal("batches in small answers", "one 40 one 40 one 20 two 40 two 40 two 20",
                sizes(wide, new Scan().setBatch(40).setMaxResultSize(5_000)));
    Check.equal("batches of a few columns", "one 3 one 1 two 3 two 1",
                sizes(wide, new Scan().setBatch(3).setMaxResultsPerColumnFamily(4)));
    int parts = 0;
    int cells = 0;
    for (Result part : wide.getScanner(new Scan().setAllowPartialResults(true).setMaxResultSize(5_000))) {
      ++parts;
      cells += part.size();
    }
    Check.equal("parts of rows: all cells", 2 * WIDE_CELLS, cells);
    Check.yes("parts of rows: many", parts > 20);
    ResultScanner scanner = wide.getScanner(new Scan().setAllowPartialResults(true).setMaxResultSize(5_000));
    Check.yes("a part is marked", scanner.next().isPartial());
    scanner.close();
  }

  private static String sizes(Table table, Scan scan) throws Exception {
    List<String> sizes = new ArrayList<>();
    for (Result result : table.getScanner(scan)) sizes.add(Bytes.toString(result.getRow()) + " " + result.size());
    return String.join(" ", sizes);
  }

  private static void raw(Connection connection) throws Exception {
    Table table = Tables.create(connection, "raw", "f:1");
    table.put(new Put(b("r")).addColumn(F, b("q"), 1, b("one")));
    table.put(new Put(b("r")).addColumn(F, b("q"), 2, b("two")));
    table.delete(new Delete(b("r")).addColumn(F, b("q"), 2));
    table.delete(new Delete(b("r")).addColumns(F, b("q"), 3));
    table.delete(new Delete(b("r")).addFamilyVersion(F, 4));
    table.delete(new Delete(b("r")).addFamily(F, 5));
    Check.equal("plainly", Text.NONE, values(table, new Scan()));
    Check.equal("markers and what they hide",
                "r f:@5/DeleteFamily f:@4/DeleteFamilyVersion f:q@3/DeleteColumn f:q@2/Delete f:q@2=two f:q@1=one",
                versions(table, new Scan().setRaw(true).setMaxVersions()));
  }

  private static void isolation(Table table) throws Exception {
    Check.equal("uncommitted", "a", rows(table, range("a", "b").setIsolationLevel(IsolationLevel.READ_UNCOMMITTED)));
    Scan copied = new Scan(range("c", "e").addFamily(G).setCaching(1).setReversed(false));
    Check.equal("a copied scan", "c g:c=vc | d g:c=vc", values(table, copied));
    try (ResultScanner scanner = table.getScanner(range("s", "v").addFamily(G).setCaching(1))) {
      Check.equal("opened", "s", Bytes.toString(scanner.next().getRow()));
      table.put(new Put(b("u")).addColumn(G, b("c"), 5, b("written meanwhile")));
      Check.equal("a region's scan sees what was there when it was opened", "t g:c=vc | u g:c=vc", values(scanner));
    }
    Check.equal("the next sees it", "u g:c=written meanwhile", values(table, range("u", "v").addFamily(G)));
  }

  private static void metrics(Table table) throws Exception {
    try (ResultScanner scanner = table.getScanner(new Scan().setScanMetricsEnabled(true).setCaching(5))) {
      Check.equal("scanned", ALL, rows(scanner));
      ScanMetrics metrics = scanner.getScanMetrics();
      Check.equal("regions", 3L, metrics.countOfRegions.get());
      Check.equal("rows", 26L, metrics.countOfRowsScanned.get());
      Check.equal("rows filtered", 0L, metrics.countOfRowsFiltered.get());
      Check.yes("calls", metrics.countOfRPCcalls.get() >= 6);
      Check.yes("bytes", metrics.countOfBytesInResults.get() > 1_000);
    }
    Scan filtered = new Scan().setScanMetricsEnabled(true).setFilter(
        new RowFilter(CompareOp.LESS, new BinaryComparator(b("d"))));
    try (ResultScanner scanner = table.getScanner(filtered)) {
      Check.equal("filtered", "a b c", rows(scanner));
      Check.equal("rows that a filter dropped", 23L, scanner.getScanMetrics().countOfRowsFiltered.get());
    }
  }

  private static void leases(Table table) throws Exception {
    try (ResultScanner scanner = table.getScanner(new Scan().setCaching(2))) {
      scanner.next();
      Check.yes("renewed", scanner.renewLease());
      Check.equal("and going on", 25, scanner.next(100).length);
    }
    ResultScanner closed = table.getScanner(new Scan().setCaching(1));
    closed.next();
    closed.close();
    Check.equal("with cursors asked for", ALL, rows(table, new Scan().setNeedCursorResult(true)));
  }

  private ScanChecks() {}
}
