package vaquita.clients;

import static vaquita.clients.Text.b;
import static vaquita.clients.Text.rows;

import org.apache.hadoop.hbase.HRegionInfo;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.UnknownRegionException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.protobuf.generated.AdminProtos.GetRegionInfoResponse.CompactionState;

/** HBase 1's Admin for regions: flush, compact, split, merge, move, assign. */
final class AdminRegionChecks {
  private static final TableName NAME = TableName.valueOf("regions");
  private static final byte[] F = b("f");
  private static final byte[] Q = b("q");

  static void run(Connection connection) throws Exception {
    Table table = Tables.create(connection, "regions", "f:1 g:1", "h", "q");
    for (String row : "a b c i j r".split(" ")) table.put(new Put(b(row)).addColumn(F, Q, b("v")).addColumn(b("g"), Q, b("v")));
    try (Admin admin = connection.getAdmin()) {
      Check.section("admin: regions", () -> regions(admin));
      Check.section("admin: flush and compact", () -> compact(admin, table));
      Check.section("admin: split and merge", () -> split(connection, admin, table));
      Check.section("admin: move, assign, unassign", () -> move(connection, admin, table));
    }
  }

  private static ServerName server(Admin admin) throws Exception {
    return admin.getClusterStatus().getServers().iterator().next();
  }

  private static void regions(Admin admin) throws Exception {
    Check.equal("of a table", 3, admin.getTableRegions(NAME).size());
    int ours = 0;
    for (HRegionInfo region : admin.getOnlineRegions(server(admin))) {
      if (region.getTable().equals(NAME)) ++ours;
    }
    Check.equal("of a server", 3, ours);
    HRegionInfo region = Tables.region(admin, NAME, "i");
    Check.equal("its name", region.getRegionNameAsString(), "regions,h," + region.getRegionId() + "." + region.getEncodedName() + ".");
  }

  private static void compact(Admin admin, Table table) throws Exception {
    admin.flush(NAME);
    table.put(new Put(b("a")).addColumn(F, Q, b("w")));
    admin.flushRegion(Tables.region(admin, NAME, "a").getRegionName());
    admin.compact(NAME);
    admin.compact(NAME, F);
    admin.compactRegion(Tables.region(admin, NAME, "a").getRegionName());
    admin.majorCompact(NAME);
    admin.majorCompactRegion(Tables.region(admin, NAME, "a").getRegionName(), F);
    Check.eventually("the table's compactions are over", () -> admin.getCompactionState(NAME) == CompactionState.NONE);
    Check.eventually("the region's are", () ->
        admin.getCompactionStateForRegion(Tables.region(admin, NAME, "a").getRegionName()) == CompactionState.NONE);
    Check.eventually("their time is told", () -> admin.getLastMajorCompactionTimestamp(NAME) > 0);
    Check.equal("all is there", "a b c i j r", rows(table, new Scan()));
  }

  private static void split(Connection connection, Admin admin, Table table) throws Exception {
    admin.split(NAME, b("b"));
    Check.eventually("a table at a row", () -> LocationChecks.ranges(connection, NAME).equals("..b b..h h..q q.."));
    Check.equal("all is there", "a b c i j r", rows(table, new Scan()));
    Tables.merge(connection, NAME, "i", "r");
    Check.equal("merged", "..b b..h h..", LocationChecks.ranges(connection, NAME));
    Check.equal("and all is there", "a b c i j r", rows(table, new Scan()));
  }

  private static void move(Connection connection, Admin admin, Table table) throws Exception {
    HRegionInfo region = Tables.region(admin, NAME, "r");
    admin.move(region.getEncodedNameAsBytes(), b(server(admin).getServerName()));
    Check.equal("to the server that has it", "i j r", rows(table, new Scan().withStartRow(b("h"))));
    Tables.reopen(connection, NAME);
    Check.equal("closed, opened, moved anywhere", "a b c i j r", rows(table, new Scan()));
    Check.fails("of an unknown region", UnknownRegionException.class, () -> admin.move(b("0123456789abcdef0123456789abcdef"), null));
  }

  private AdminRegionChecks() {}
}
