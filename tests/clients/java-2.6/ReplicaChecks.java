package vaquita.clients;

import static vaquita.clients.Text.b;
import static vaquita.clients.Text.rows;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Consistency;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.RegionReplicaUtil;
import org.apache.hadoop.hbase.client.RegionStatesCount;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.ipc.HBaseRpcControllerImpl;
import org.apache.hadoop.hbase.ipc.RemoteWithExtrasException;
import org.apache.hadoop.hbase.shaded.protobuf.RequestConverter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.util.Bytes;

/** Tables with REGION_REPLICATION above 1. */
final class ReplicaChecks {
  private static final TableName NAME = TableName.valueOf("copied");
  private static final TableName CLONE = TableName.valueOf("copiedclone");
  private static final byte[] F = b("f");
  private static final byte[] Q = b("q");

  static void run(Connection connection, AsyncConnection async) throws Exception {
    try (Admin admin = connection.getAdmin(); Table table = create(connection, admin); RegionLocator locator = connection.getRegionLocator(NAME)) {
      Check.section("replicas: where they are", () -> located(connection, admin, locator));
      Check.section("replicas: reads", () -> reads(admin, table, async));
      Check.section("replicas: writes are refused", () -> writes(admin, async, locator));
      Check.section("replicas: altered", () -> altered(connection, admin, table, locator));
      Check.section("replicas: regions change", () -> regionsChange(connection, admin, table, locator));
      Check.section("replicas: snapshots", () -> snapshots(connection, admin));
      Tables.drop(admin, NAME);
      Check.equal("none is left in meta", "", columnsInMeta(connection, NAME));
    }
  }

  private static Table create(Connection connection, Admin admin) throws Exception {
    Tables.drop(admin, NAME);
    admin.createTable(Tables.descriptor(NAME, "f:3").setRegionReplication(3).build(), new byte[][] {b("m")});
    Table table = connection.getTable(NAME);
    for (String row : "a m z".split(" ")) table.put(new Put(b(row)).addColumn(F, Q, b(row)));
    return table;
  }

  /** The columns of info that the table's rows of hbase:meta have, without those of splits and merges. */
  private static String columnsInMeta(Connection connection, TableName name) throws Exception {
    TreeSet<String> columns = new TreeSet<>();
    Scan scan = new Scan().withStartRow(b(name + ",")).withStopRow(b(name + "-")).addFamily(b("info"));
    try (Table meta = connection.getTable(TableName.META_TABLE_NAME); ResultScanner scanner = meta.getScanner(scan)) {
      for (Result row : scanner) {
        RegionInfo info = RegionInfo.parseFrom(row.getValue(b("info"), b("regioninfo")));
        if (info.isSplit()) continue;
        for (byte[] column : row.getFamilyMap(b("info")).keySet()) columns.add(Bytes.toString(column));
      }
    }
    columns.removeIf(column -> column.startsWith("split") || column.startsWith("merge"));
    return String.join(" ", columns);
  }

  private static String columns(int replicas) {
    TreeSet<String> columns = new TreeSet<>(List.of("regioninfo"));
    for (String column : "seqnumDuringOpen server serverstartcode sn state".split(" ")) {
      columns.add(column);
      for (int id = 1; id < replicas; ++id) columns.add(column + String.format("_%04X", id));
    }
    return String.join(" ", columns);
  }

  /** What is true of a table with so many replicas of each of its regions. */
  private static void checkReplicas(String when, Connection connection, Admin admin, TableName name, int regions, int replicas) throws Exception {
    Check.equal(when + ": in the descriptor", replicas, admin.getDescriptor(name).getRegionReplication());
    Check.eventually(when + ": is available", () -> admin.isTableAvailable(name));
    Check.eventually(when + ": columns of meta are " + columns(replicas), () -> columnsInMeta(connection, name).equals(columns(replicas)));
    Check.equal(when + ": regions", regions * replicas, admin.getRegions(name).size());
    try (RegionLocator locator = connection.getRegionLocator(name)) {
      Check.equal(when + ": locations", regions * replicas, locator.getAllRegionLocations().size());
      List<HRegionLocation> ofRow = locator.getRegionLocations(b("a"), true);
      Check.equal(when + ": locations of a row", replicas, ofRow.size());
      for (int id = 0; id < replicas; ++id) {
        HRegionLocation location = ofRow.get(id);
        Check.equal(when + ": its number", id, location.getRegion().getReplicaId());
        Check.equal(when + ": its name", RegionReplicaUtil.getRegionInfoForReplica(ofRow.get(0).getRegion(), id).getRegionNameAsString(), location.getRegion().getRegionNameAsString());
        Check.yes(when + ": its server", admin.getRegionServers().contains(location.getServerName()));
      }
    }
    RegionStatesCount counted = admin.getClusterMetrics().getTableRegionStatesCount().get(name);
    Check.equal(when + ": regions that the master counts", regions * replicas, counted.getTotalRegions() - counted.getSplitRegions());
    Check.equal(when + ": of them open", regions * replicas, counted.getOpenRegions());
  }

  private static void located(Connection connection, Admin admin, RegionLocator locator) throws Exception {
    checkReplicas("created", connection, admin, NAME, 2, 3);
    HRegionLocation second = locator.getRegionLocation(b("z"), 2, true);
    Check.equal("one replica", "2 m", second.getRegion().getReplicaId() + " " + Bytes.toString(second.getRegion().getStartKey()));
    int ofServers = 0;
    int metrics = 0;
    for (ServerName server : admin.getRegionServers()) {
      for (RegionInfo region : admin.getRegions(server)) {
        if (region.getTable().equals(NAME)) ++ofServers;
      }
      metrics += admin.getRegionMetrics(server, NAME).size();
    }
    Check.equal("regions of the servers", 6, ofServers);
    Check.equal("metrics of the servers' regions", 6, metrics);
    Check.eventually("metrics of the cluster", () -> admin.getClusterMetrics().getLiveServerMetrics().values().stream()
        .flatMap(server -> server.getRegionMetrics().values().stream()).filter(region -> region.getNameAsString().startsWith("copied,")).count() == 6);
    Check.failsWith("more than there may be", "Region Replication cannot exceed 65536.", () -> admin.createTable(Tables.descriptor(CLONE, "f:1").setRegionReplication(0x10001).build()));
    Check.fails("fewer than one", DoNotRetryIOException.class, () -> admin.createTable(Tables.descriptor(CLONE, "f:1").setRegionReplication(0).build()));
    byte[] replica = RegionReplicaUtil.getRegionInfoForReplica(second.getRegion(), 1).getRegionName();
    Check.fails("split of a replica", IllegalArgumentException.class, () -> Tables.await(admin.splitRegionAsync(replica, b("q"))));
    Check.equal("compaction state of a replica", "NONE", admin.getCompactionStateForRegion(replica).toString());
  }

  private static Get get(String row, int replica) {
    return new Get(b(row)).setConsistency(Consistency.TIMELINE).setReplicaId(replica);
  }

  private static void reads(Admin admin, Table table, AsyncConnection async) throws Exception {
    admin.flush(NAME);
    admin.disableTable(NAME);  // HBase's replicas see what was flushed before they opened; Vaquita's see everything
    admin.enableTable(NAME);
    Result strong = table.get(new Get(b("a")));
    Check.equal("from the primary", "a false", Bytes.toString(strong.value()) + " " + strong.isStale());
    Check.equal("with timeline consistency", "m", Bytes.toString(table.get(new Get(b("m")).setConsistency(Consistency.TIMELINE)).value()));
    for (int id = 1; id < 3; ++id) {
      int replica = id;
      Check.eventually("the replica has it", () -> !table.get(get("a", replica)).isEmpty());
      Result weak = table.get(get("a", id));
      Check.equal("from replica " + id, "a true", Bytes.toString(weak.value()) + " " + weak.isStale());
      Check.eventually("the other region's replica has it", () -> !table.get(get("z", replica)).isEmpty());
      Check.yes("exists at replica " + id, table.exists(get("z", id)));
      Result[] several = table.get(Arrays.asList(get("a", id), get("z", id), get("m", id)));
      for (Result each : several) Check.no("one of several", each.isEmpty());
      Scan scan = new Scan().setConsistency(Consistency.TIMELINE).setReplicaId(id);
      Check.equal("scanned at replica " + id, "a m z", rows(table, scan));
      try (ResultScanner scanner = table.getScanner(scan)) {
        for (Result each : scanner) Check.yes("a scan's row is stale", each.isStale());
      }
      Result later = async.getTable(NAME).get(get("m", id)).get(30, TimeUnit.SECONDS);
      Check.equal("asynchronously", "m true", Bytes.toString(later.value()) + " " + later.isStale());
    }
  }

  /** Sends a mutation to a region of one's choice, which clients' API cannot. */
  private static void mutate(AsyncConnection connection, HRegionLocation region, Mutation mutation) throws Exception {
    Method stub = Class.forName("org.apache.hadoop.hbase.client.AsyncConnectionImpl").getDeclaredMethod("getRegionServerStub", ServerName.class);
    stub.setAccessible(true);
    ClientProtos.ClientService.Interface server = (ClientProtos.ClientService.Interface) stub.invoke(connection, region.getServerName());
    byte[] name = region.getRegion().getRegionName();
    ClientProtos.MutateRequest request = RequestConverter.buildMutateRequest(name, (Put) mutation);
    HBaseRpcControllerImpl controller = new HBaseRpcControllerImpl();
    CompletableFuture<Void> answer = new CompletableFuture<>();
    server.mutate(controller, request, response -> {
      if (controller.failed()) {
        answer.completeExceptionally(((RemoteWithExtrasException) controller.getFailed()).unwrapRemoteException());
      } else {
        answer.complete(null);
      }
    });
    answer.get(30, TimeUnit.SECONDS);
  }

  private static void writes(Admin admin, AsyncConnection async, RegionLocator locator) throws Exception {
    Put put = new Put(b("b")).addColumn(F, Q, b("b"));
    mutate(async, locator.getRegionLocation(b("b"), 0, true), put);
    for (int id = 1; id < 3; ++id) {
      HRegionLocation replica = locator.getRegionLocation(b("b"), id, true);
      DoNotRetryIOException refused = Check.fails("a put at replica " + id, DoNotRetryIOException.class, () -> mutate(async, replica, put));
      Check.holds("why", "region is read only", refused == null ? null : refused.getMessage());
    }
  }

  private static void alter(Admin admin, int replicas) throws Exception {
    admin.modifyTable(TableDescriptorBuilder.newBuilder(admin.getDescriptor(NAME)).setRegionReplication(replicas).build());
  }

  private static void altered(Connection connection, Admin admin, Table table, RegionLocator locator) throws Exception {
    alter(admin, 5);
    checkReplicas("more", connection, admin, NAME, 2, 5);
    Check.eventually("the new replica answers", () -> table.get(get("a", 4)).isStale());
    alter(admin, 2);
    checkReplicas("fewer", connection, admin, NAME, 2, 2);
    alter(admin, 1);
    checkReplicas("only the primary", connection, admin, NAME, 2, 1);
    Check.equal("its rows", "a b m z", rows(table, new Scan()));
    admin.disableTable(NAME);
    alter(admin, 3);
    admin.enableTable(NAME);
    checkReplicas("altered while disabled", connection, admin, NAME, 2, 3);
    Check.failsWith("without reopening", "Can not modify REGION_REPLICATION of a table when modification won't reopen regions",
        () -> admin.modifyTable(TableDescriptorBuilder.newBuilder(admin.getDescriptor(NAME)).setRegionReplication(2).build(), false));
  }

  private static void regionsChange(Connection connection, Admin admin, Table table, RegionLocator locator) throws Exception {
    Tables.split(connection, NAME, "c");
    checkReplicas("split", connection, admin, NAME, 3, 3);
    Check.eventually("a daughter's replica answers", () -> table.get(get("a", 1)).isStale());
    Tables.merge(connection, NAME, "c", "m");
    checkReplicas("merged", connection, admin, NAME, 2, 3);
    for (RegionInfo region : admin.getRegions(NAME)) {
      if (region.getReplicaId() == 0) admin.move(region.getEncodedNameAsBytes());
    }
    checkReplicas("moved", connection, admin, NAME, 2, 3);
    admin.disableTable(NAME);
    admin.truncateTable(NAME, true);
    checkReplicas("truncated", connection, admin, NAME, 2, 3);
    Check.equal("without rows", "(none)", rows(table, new Scan()));
    table.put(new Put(b("a")).addColumn(F, Q, b("a")));
  }

  private static void snapshots(Connection connection, Admin admin) throws Exception {
    admin.snapshot("copies", NAME);
    Tables.drop(admin, CLONE);
    admin.cloneSnapshot("copies", CLONE);
    checkReplicas("cloned", connection, admin, CLONE, 2, 3);
    Tables.drop(admin, CLONE);
    alter(admin, 2);
    admin.disableTable(NAME);
    admin.restoreSnapshot("copies");
    admin.enableTable(NAME);
    checkReplicas("restored", connection, admin, NAME, 2, 3);
    admin.deleteSnapshot("copies");
  }

  private ReplicaChecks() {}
}
