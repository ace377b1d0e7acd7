package vaquita.clients;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.security.access.AccessControlClient;
import org.apache.hadoop.hbase.security.access.Permission.Action;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.security.UserGroupInformation;

/** Clients before 2.2 grant rights by a coprocessor's service on hbase:acl. */
public final class Rights {
  public static void main(String[] arguments) {
    Configuration configuration = Address.of(arguments).configuration();
    configuration.setInt("hbase.client.retries.number", 3);
    Check.program(() -> Check.section("rights", () -> run(configuration)));
  }

  private static Connection as(Configuration configuration, String user) throws Exception {
    return ConnectionFactory.createConnection(configuration, User.create(UserGroupInformation.createRemoteUser(user)));
  }

  private static void run(Configuration configuration) throws Exception {
    Connection admin = as(configuration, "admin");
    Connection bob = as(configuration, "bob");
    TableName name = TableName.valueOf("old");
    byte[] f = Bytes.toBytes("f");
    admin.getAdmin().createTable(
        TableDescriptorBuilder.newBuilder(name).setColumnFamily(ColumnFamilyDescriptorBuilder.of(f)).build());
    Table table = bob.getTable(name);
    Put put = new Put(f).addColumn(f, f, f);
    Check.fails("a put without a right", AccessDeniedException.class, () -> table.put(put));
    grant(admin, name, "bob");
    table.put(put);
    Check.equal("a get", 1, table.get(new Get(f)).size());
    try {
      Check.equal("permissions", 2, AccessControlClient.getUserPermissions(admin, "old").size());
      AccessControlClient.grant(bob, name, "eve", null, null, Action.READ);
      Check.yes("a grant by one who may not", false);
    } catch (Throwable refused) {
      Check.holds("a grant by one who may not", "AccessDeniedException", String.valueOf(refused.getCause()));
    }
    revoke(admin, name, "bob");
    Check.fails("a put after the revoke", AccessDeniedException.class, () -> table.put(put));
    admin.getAdmin().disableTable(name);
    admin.getAdmin().deleteTable(name);
  }

  private static void grant(Connection connection, TableName table, String user) throws Exception {
    try {
      AccessControlClient.grant(connection, table, user, null, null, Action.READ, Action.WRITE);
    } catch (Throwable failed) {
      throw new Exception(failed);
    }
  }

  private static void revoke(Connection connection, TableName table, String user) throws Exception {
    try {
      AccessControlClient.revoke(connection, table, user, null, null, Action.READ, Action.WRITE);
    } catch (Throwable failed) {
      throw new Exception(failed);
    }
  }
}
