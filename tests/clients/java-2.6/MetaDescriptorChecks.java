package vaquita.clients;

import static vaquita.clients.Text.b;

import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.RegionReplicaUtil;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/** hbase:meta's own descriptor, altered; it is as before in the end. */
final class MetaDescriptorChecks {
  private static final TableName META = TableName.META_TABLE_NAME;

  static void run(Connection connection) throws Exception {
    try (Admin admin = connection.getAdmin()) {
      TableDescriptor before = admin.getDescriptor(META);
      Check.section("hbase:meta: families", () -> families(admin, before));
      Check.section("hbase:meta: attributes", () -> attributes(admin));
      Check.section("hbase:meta: what is refused", () -> refused(admin));
      Check.section("hbase:meta: replicas", () -> replicas(connection, admin));
      admin.modifyTable(before);
      Check.equal("as before", before, admin.getDescriptor(META));
    }
  }

  private static ColumnFamilyDescriptor family(Admin admin, String name) throws Exception {
    return admin.getDescriptor(META).getColumnFamily(b(name));
  }

  private static void families(Admin admin, TableDescriptor before) throws Exception {
    Check.equal("versions at first", 3, before.getColumnFamily(b("info")).getMaxVersions());
    admin.modifyColumnFamily(META, ColumnFamilyDescriptorBuilder.newBuilder(family(admin, "info")).setMaxVersions(10).build());
    Check.equal("more versions", 10, family(admin, "info").getMaxVersions());
    Check.yes("the rest of the family", family(admin, "info").isInMemory());
    admin.modifyColumnFamily(META, ColumnFamilyDescriptorBuilder.newBuilder(family(admin, "rep_barrier")).setBlocksize(16384).build());
    Check.equal("another block size", 16384, family(admin, "rep_barrier").getBlocksize());
    admin.addColumnFamily(META, ColumnFamilyDescriptorBuilder.of("extra"));
    Check.equal("one more", 4, admin.getDescriptor(META).getColumnFamilyCount());
    admin.deleteColumnFamily(META, b("extra"));
    Check.equal("and gone", 3, admin.getDescriptor(META).getColumnFamilyCount());
    Check.yes("tables are found as before", admin.tableExists(META) && admin.isTableAvailable(META));
  }

  private static void attributes(Admin admin) throws Exception {
    admin.modifyTable(TableDescriptorBuilder.newBuilder(admin.getDescriptor(META)).setValue("NOTE", "ours").build());
    Check.equal("a value", "ours", admin.getDescriptor(META).getValue("NOTE"));
    Check.equal("the families stay", 10, family(admin, "info").getMaxVersions());
    Check.yes("still meta", admin.getDescriptor(META).isMetaTable());
  }

  private static void refused(Admin admin) throws Exception {
    for (String name : "info table rep_barrier".split(" ")) {
      Check.failsWith("without " + name, "Delete of hbase:meta column family " + name, () -> admin.deleteColumnFamily(META, b(name)));
    }
    Check.failsWith("read only", "Meta table can't be set as read only.",
        () -> admin.modifyTable(TableDescriptorBuilder.newBuilder(admin.getDescriptor(META)).setReadOnly(true).build()));
    Check.failsWith("a family that it does not have", "Family 'absent' does not exist",
        () -> admin.modifyColumnFamily(META, ColumnFamilyDescriptorBuilder.of("absent")));
    Check.equal("nothing has changed", 3, admin.getDescriptor(META).getColumnFamilyCount());
  }

  /** The locations of hbase:meta, as a new connection finds them. */
  private static int locations(Connection connection) throws Exception {
    try (Connection another = ConnectionFactory.createConnection(connection.getConfiguration()); RegionLocator locator = another.getRegionLocator(META)) {
      int replicas = 0;
      for (HRegionLocation location : locator.getRegionLocations(b(""), true)) {
        if (location == null || location.getServerName() == null) continue;
        Check.equal("its number", replicas, location.getRegion().getReplicaId());
        Check.equal("its name", RegionReplicaUtil.getRegionInfoForReplica(location.getRegion(), replicas).getEncodedName(), location.getRegion().getEncodedName());
        ++replicas;
      }
      return replicas;
    }
  }

  private static void replicas(Connection connection, Admin admin) throws Exception {
    Check.equal("one at first", 1, locations(connection));
    admin.modifyTable(TableDescriptorBuilder.newBuilder(admin.getDescriptor(META)).setRegionReplication(3).build());
    Check.equal("in the descriptor", 3, admin.getDescriptor(META).getRegionReplication());
    Check.eventually("three locations", () -> locations(connection) == 3);
    admin.modifyTable(TableDescriptorBuilder.newBuilder(admin.getDescriptor(META)).setRegionReplication(1).build());
    Check.eventually("one location", () -> locations(connection) == 1);
  }

  private MetaDescriptorChecks() {}
}
