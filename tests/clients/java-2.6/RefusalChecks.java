package vaquita.clients;

import static vaquita.clients.Text.b;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.exceptions.UnknownProtocolException;
import org.apache.hadoop.hbase.filter.FilterBase;
import org.apache.hadoop.hbase.ipc.CoprocessorRpcChannel;
import org.apache.hadoop.hbase.protobuf.generated.RowProcessorProtos.ProcessRequest;
import org.apache.hadoop.hbase.protobuf.generated.RowProcessorProtos.RowProcessorService;
import org.apache.hadoop.hbase.quotas.QuotaSettingsFactory;
import org.apache.hadoop.hbase.quotas.ThrottleType;
import org.apache.hadoop.hbase.replication.ReplicationPeerConfig;
import org.apache.hadoop.hbase.security.access.Permission;
import org.apache.hadoop.hbase.security.access.UserPermission;

/** What Vaquita does not do, where HBase does: refused at once, with an exception that says what was asked. */
final class RefusalChecks {
  private static final TableName NAME = TableName.valueOf("refused");

  static void run(Connection connection) throws Exception {
    try (Admin admin = connection.getAdmin(); Table table = Tables.create(connection, "refused", "f:1")) {
      Check.section("refused: administration", () -> administration(admin));
      Check.section("refused: code of others", () -> code(table));
      Check.section("kept, and nothing done: replication peers", () -> replicationPeers(admin));
    }
  }

  private static void administration(Admin admin) throws Exception {
    String unsupported = "UnsupportedOperationException";
    Check.failsWith("grant", unsupported, () -> admin.grant(
        new UserPermission("someone", Permission.newBuilder(NAME).withActions(Permission.Action.READ).build()), false));
    Check.failsWith("quota", unsupported,
                    () -> admin.setQuota(QuotaSettingsFactory.throttleTable(NAME, ThrottleType.REQUEST_NUMBER, 1, TimeUnit.SECONDS)));
    Check.failsWith("shutdown", unsupported, () -> admin.shutdown());
    Check.equal("and it runs on", 1, admin.getRegionServers().size());
  }

  private static void replicationPeers(Admin admin) throws Exception {
    ReplicationPeerConfig peer = ReplicationPeerConfig.newBuilder().setClusterKey("localhost:1:/hbase").build();
    admin.addReplicationPeer("1", peer, false);
    Check.failsWith("a peer twice", "Replication peer 1 already exists", () -> admin.addReplicationPeer("1", peer));
    Check.equal("it is disabled", false, admin.isReplicationPeerEnabled("1"));
    admin.enableReplicationPeer("1");
    Check.equal("it is enabled", true, admin.isReplicationPeerEnabled("1"));
    admin.updateReplicationPeerConfig("1", ReplicationPeerConfig.newBuilder(peer).setBandwidth(77).build());
    Check.equal("its bandwidth", 77L, admin.getReplicationPeerConfig("1").getBandwidth());
    Check.equal("the peers", "1", admin.listReplicationPeers().get(0).getPeerId());
    admin.removeReplicationPeer("1");
    Check.equal("no peers", 0, admin.listReplicationPeers().size());
    Check.failsWith("no such peer", "ReplicationPeerNotFoundException", () -> admin.getReplicationPeerConfig("1"));
  }

  /** A filter that no server knows. */
  public static final class OwnFilter extends FilterBase {
    @Override
    public byte[] toByteArray() {
      return new byte[0];
    }
  }

  private static void code(Table table) {
    Check.failsWith("a filter of one's own", OwnFilter.class.getName(),
                    () -> table.getScanner(new Scan().setFilter(new OwnFilter())).next());
    Check.fails("a coprocessor's endpoint", UnknownProtocolException.class, () -> callEndpoint(table));
  }

  private static void callEndpoint(Table table) throws Exception {
    CoprocessorRpcChannel channel = table.coprocessorService(b("row"));
    ProcessRequest request = ProcessRequest.newBuilder().setRowProcessorClassName("Own").build();
    try {
      RowProcessorService.newBlockingStub(channel).process(null, request);
    } catch (Exception thrown) {
      if (thrown.getCause() instanceof IOException) throw (IOException) thrown.getCause();
      throw thrown;
    }
  }

  private RefusalChecks() {}
}
