package vaquita.clients;

import static vaquita.clients.Text.b;
import static vaquita.clients.Text.rows;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.UnknownRegionException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.exceptions.MergeRegionException;
import org.apache.hadoop.hbase.util.Bytes;

/** Admin's calls for regions: flush, compact, split, merge, move, assign. */
final class AdminRegionChecks {
  private static final TableName NAME = TableName.valueOf("regions");
  private static final byte[] F = b("f");
  private static final byte[] Q = b("q");

  static void run(Connection connection) throws Exception {
    Table table = Tables.create(connection, "regions", "f:1 g:1", "h", "q");
    for (String row : "a b c i j r".split(" ")) table.put(new Put(b(row)).addColumn(F, Q, b("v")).addColumn(b("g"), Q, b("v")));
    try (Admin admin = connection.getAdmin()) {
      Check.section("admin: regions", () -> regions(admin));
      Check.section("admin: flush", () -> flush(admin));
      Check.section("admin: compact", () -> compact(admin, table));
      Check.section("admin: split", () -> split(connection, admin, table));
      Check.section("admin: merge", () -> merge(connection, admin));
      Check.section("admin: move, assign, unassign", () -> move(connection, admin, table));
    }
  }

  private static ServerName server(Admin admin) throws Exception {
    return admin.getRegionServers().iterator().next();
  }

  private static void regions(Admin admin) throws Exception {
    Check.equal("of a table", 3, admin.getRegions(NAME).size());
    int ours = 0;
    for (RegionInfo region : admin.getRegions(server(admin))) {
      if (region.getTable().equals(NAME)) ++ours;
    }
    Check.equal("of a server", 3, ours);
    RegionInfo region = Tables.region(admin, NAME, "i");
    Check.equal("its range", "h q", Bytes.toString(region.getStartKey()) + " " + Bytes.toString(region.getEndKey()));
    Check.equal("its name", region.getRegionNameAsString(), "regions,h," + region.getRegionId() + "." + region.getEncodedName() + ".");
    Check.equal("regions of no table", 0, admin.getRegions(TableName.valueOf("absent")).size());
  }

  private static RegionMetrics metrics(Admin admin, String row) throws Exception {
    byte[] name = Tables.region(admin, NAME, row).getRegionName();
    for (RegionMetrics metrics : admin.getRegionMetrics(server(admin), NAME)) {
      if (Bytes.equals(name, metrics.getRegionName())) return metrics;
    }
    throw new AssertionError("no metrics of " + Bytes.toString(name));
  }

  private static void flush(Admin admin) throws Exception {
    Check.equal("files before", 0, metrics(admin, "a").getStoreFileCount());
    Check.equal("stores", 2, metrics(admin, "a").getStoreCount());
    admin.flush(NAME);
    Check.equal("files after", 2, metrics(admin, "a").getStoreFileCount());
    Check.yes("all regions", metrics(admin, "r").getStoreFileCount() == 2);
    admin.flushRegion(Tables.region(admin, NAME, "a").getRegionName());
    Check.equal("nothing to flush: no file more", 2, metrics(admin, "a").getStoreFileCount());
    admin.flushRegionServer(server(admin));
  }

  private static void compact(Admin admin, Table table) throws Exception {
    table.put(new Put(b("a")).addColumn(F, Q, b("w")));
    admin.flush(NAME);
    Check.equal("files before", 3, metrics(admin, "a").getStoreFileCount());
    admin.majorCompactRegion(Tables.region(admin, NAME, "a").getRegionName(), F);
    Check.eventually("one file of the family", () -> metrics(admin, "a").getStoreFileCount() == 2);
    Check.eventually("the region's compaction is over",
                     () -> admin.getCompactionStateForRegion(Tables.region(admin, NAME, "a").getRegionName()) == CompactionState.NONE);
    admin.compact(NAME);
    admin.compact(NAME, F);
    admin.compactRegion(Tables.region(admin, NAME, "a").getRegionName());
    admin.majorCompact(NAME);
    Check.eventually("the table's compactions are over", () -> admin.getCompactionState(NAME) == CompactionState.NONE);
    Check.eventually("its time is told", () -> admin.getLastMajorCompactionTimestamp(NAME) > 0
        && admin.getLastMajorCompactionTimestampForRegion(Tables.region(admin, NAME, "a").getRegionName()) > 0);
    admin.compactRegionServer(server(admin));
    admin.majorCompactRegionServer(server(admin));
    Check.equal("all is there", "a b c i j r", rows(table, new Scan()));
  }

  private static void split(Connection connection, Admin admin, Table table) throws Exception {
    Tables.await(admin.splitRegionAsync(Tables.region(admin, NAME, "i").getRegionName(), b("j")));
    Check.equal("at a row", "..h h..j j..q q..", LocationChecks.ranges(connection, NAME));
    admin.split(NAME, b("b"));
    Check.eventually("a table at a row", () -> LocationChecks.ranges(connection, NAME).equals("..b b..h h..j j..q q.."));
    Check.equal("all is there", "a b c i j r", rows(table, new Scan()));
    Check.fails("at a region's start", IOException.class,
                () -> Tables.await(admin.splitRegionAsync(Tables.region(admin, NAME, "r").getRegionName(), b("q"))));
  }

  /** Of a table whose regions were never split: those that refer to a parent's files are not mergeable for a while. */
  private static void merge(Connection connection, Admin admin) throws Exception {
    Table table = Tables.create(connection, "merged", "f:1", "b", "h", "j", "q");
    TableName name = table.getName();
    for (String row : "a c i k r".split(" ")) table.put(new Put(b(row)).addColumn(F, Q, b("v")));
    Check.fails("of regions that are not neighbours", MergeRegionException.class,
                () -> Tables.await(admin.mergeRegionsAsync(names(admin, name, "a", "r"), false)));
    Tables.await(admin.mergeRegionsAsync(names(admin, name, "a", "c"), false));
    Check.equal("of neighbours", "..h h..j j..q q..", LocationChecks.ranges(connection, name));
    Tables.await(admin.mergeRegionsAsync(names(admin, name, "i", "k", "r"), false));
    Check.equal("of three", "..h h..", LocationChecks.ranges(connection, name));
    Check.equal("all is there", "a c i k r", rows(table, new Scan()));
  }

  private static byte[][] names(Admin admin, TableName table, String... ofRows) throws Exception {
    List<byte[]> names = new ArrayList<>();
    for (String row : ofRows) names.add(Tables.region(admin, table, row).getEncodedNameAsBytes());
    return names.toArray(new byte[0][]);
  }

  private static void move(Connection connection, Admin admin, Table table) throws Exception {
    RegionInfo region = Tables.region(admin, NAME, "r");
    admin.move(region.getEncodedNameAsBytes(), b(server(admin).getServerName()));
    Check.equal("to the server that has it", "r", rows(table, new Scan().withStartRow(b("q"))));
    Tables.reopen(connection, NAME);
    Check.equal("closed, opened, moved anywhere", "a b c i j r", rows(table, new Scan()));
    Check.fails("of an unknown region", UnknownRegionException.class,
                () -> admin.move(b("0123456789abcdef0123456789abcdef"), (byte[]) null));
    Check.fails("assign an unknown region", UnknownRegionException.class,
                () -> admin.assign(b("regions,x,1.0123456789abcdef0123456789abcdef.")));
  }

  private AdminRegionChecks() {}
}
