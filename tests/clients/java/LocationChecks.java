package vaquita.clients;

import static vaquita.clients.Text.b;
import static vaquita.clients.Text.rows;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/** hbase:meta as a client reads it, and a client whose cache of locations is overtaken by splits, merges and moves. */
final class LocationChecks {
  private static final byte[] F = b("f");
  private static final byte[] Q = b("q");
  private static final String ALL = "a b c d e f g h i j k l m n o p q r s t u v w x y z";

  /** `stale` has cached locations that `connection` then makes old. */
  static void run(Connection connection, Connection stale) throws Exception {
    Table table = Tables.create(connection, "located", "f:1", "h", "q");
    Table old = stale.getTable(table.getName());
    for (String row : ALL.split(" ")) old.put(new Put(b(row)).addColumn(F, Q, b(row)));
    Check.section("region locations", () -> locations(connection, table.getName()));
    Check.section("hbase:meta", () -> meta(connection));
    Check.section("locations after a split", () -> split(connection, table, old));
    Check.section("locations after a merge", () -> merge(connection, table, old));
    Check.section("locations after a move and a reopening", () -> move(connection, table, old));
    Check.section("locations after a new creation", () -> recreate(connection, table, old));
  }

  /** The ranges of a table's regions as `start..stop`, read anew. */
  static String ranges(Connection connection, TableName name) throws Exception {
    List<String> ranges = new ArrayList<>();
    try (RegionLocator locator = connection.getRegionLocator(name)) {
      for (HRegionLocation location : locator.getAllRegionLocations()) {
        ranges.add(Bytes.toString(location.getRegionInfo().getStartKey()) + ".."
                   + Bytes.toString(location.getRegionInfo().getEndKey()));
      }
    }
    return String.join(" ", ranges);
  }

  private static void locations(Connection connection, TableName name) throws Exception {
    try (RegionLocator locator = connection.getRegionLocator(name)) {
      Check.equal("all", "..h h..q q..", ranges(connection, name));
      HRegionLocation location = locator.getRegionLocation(b("k"));
      Check.equal("of a row", "h", Bytes.toString(location.getRegionInfo().getStartKey()));
      Check.equal("its table", name, location.getRegionInfo().getTable());
      Check.yes("its server", location.getServerName().getPort() > 0 && location.getServerName().getStartcode() > 0);
      Check.equal("the first row of a region", "q", Bytes.toString(locator.getRegionLocation(b("q"), true).getRegionInfo().getStartKey()));
      Check.equal("start keys", "[, h, q]", texts(locator.getStartKeys()));
      Check.equal("end keys", "[h, q, ]", texts(locator.getEndKeys()));
      Check.equal("pairs", "[, h, q] [h, q, ]",
                  texts(locator.getStartEndKeys().getFirst()) + " " + texts(locator.getStartEndKeys().getSecond()));
    }
  }

  private static String texts(byte[][] keys) {
    List<String> texts = new ArrayList<>();
    for (byte[] key : keys) texts.add(Bytes.toString(key));
    return texts.toString();
  }

  private static void meta(Connection connection) throws Exception {
    try (Table meta = connection.getTable(TableName.META_TABLE_NAME);
         ResultScanner scanner = meta.getScanner(new Scan().addFamily(b("info")).setStartRow(b("located,,")).setStopRow(b("located ,,")))) {
      int regions = 0;
      for (Result result : scanner) {
        ++regions;
        Check.yes("regioninfo", result.getValue(b("info"), b("regioninfo")).length > 0);
        Check.holds("server", ":", Bytes.toString(result.getValue(b("info"), b("server"))));
        Check.equal("serverstartcode", 8, result.getValue(b("info"), b("serverstartcode")).length);
        Check.equal("state", "OPEN", Bytes.toString(result.getValue(b("info"), b("state"))));
      }
      Check.equal("rows of the table", 3, regions);
      Result state = meta.get(new Get(b("located")).addColumn(b("table"), b("state")));
      Check.yes("the table's state", Arrays.equals(new byte[] {8, 0}, state.value()));
    }
  }

  private static void split(Connection connection, Table table, Table old) throws Exception {
    ResultScanner begun = old.getScanner(new Scan().setCaching(1));
    Check.equal("a scan begun before", "a", Bytes.toString(begun.next().getRow()));
    ResultScanner backwards = old.getScanner(new Scan().setCaching(1).setReversed(true).withStartRow(b("g")));
    Check.equal("a reversed scan begun before", "g", Bytes.toString(backwards.next().getRow()));
    Tables.split(connection, table.getName(), "c");
    Check.equal("seen by a put of who did not know", "d", putAndGet(old, "d"));
    Check.equal("by a get", "a", Bytes.toString(old.get(new Get(b("a"))).value()));
    Check.equal("by a scan", ALL, rows(old, new Scan()));
    Check.equal("by a reversed scan", new StringBuilder(ALL).reverse().toString(), rows(old, new Scan().setReversed(true)));
    Check.equal("by a batch", 26, old.get(gets()).length);
    Check.equal("the scan begun before goes on", ALL.substring(2), rows(begun));
    Check.equal("the reversed one, too", "f e d c b a", rows(backwards));
    Check.equal("ranges", "..c c..h h..q q..", ranges(connection, table.getName()));
  }

  private static void merge(Connection connection, Table table, Table old) throws Exception {
    ResultScanner begun = old.getScanner(new Scan().setCaching(1));
    Check.equal("a scan begun before", "a", Bytes.toString(begun.next().getRow()));
    Tables.merge(connection, table.getName(), "h", "q");
    Check.equal("seen by a put of who did not know", "k", putAndGet(old, "k"));
    Check.equal("by a get", "s", Bytes.toString(old.get(new Get(b("s"))).value()));
    Check.equal("by a scan", ALL, rows(old, new Scan()));
    Check.equal("by a batch", 26, old.get(gets()).length);
    Check.equal("the scan begun before goes on", ALL.substring(2), rows(begun));
    Check.equal("ranges", "..c c..h h..", ranges(connection, table.getName()));
  }

  private static void move(Connection connection, Table table, Table old) throws Exception {
    ResultScanner begun = old.getScanner(new Scan().setCaching(1));
    begun.next();
    Tables.reopen(connection, table.getName());
    Check.equal("the scan begun before goes on", ALL.substring(2), rows(begun));
    Check.equal("put", "m", putAndGet(old, "m"));
    Check.equal("scan", ALL, rows(old, new Scan()));
  }

  private static void recreate(Connection connection, Table table, Table old) throws Exception {
    Tables.create(connection, "located", "f:1", "b");
    Check.equal("ranges", "..b b..", ranges(connection, table.getName()));
    Check.equal("put", "m", putAndGet(old, "m"));
    Check.equal("scan", "m", rows(old, new Scan()));
  }

  private static List<Get> gets() {
    List<Get> gets = new ArrayList<>();
    for (String row : ALL.split(" ")) gets.add(new Get(b(row)));
    return gets;
  }

  private static String putAndGet(Table table, String row) throws Exception {
    table.put(new Put(b(row)).addColumn(F, Q, b(row)));
    return Bytes.toString(table.get(new Get(b(row))).value());
  }

  private LocationChecks() {}
}
