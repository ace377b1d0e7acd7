package vaquita.clients;

/** hbase-client 2.6: the API that a program has. */
public final class Java26 {
  public static void main(String[] arguments) {
    Address address = Address.of(arguments);
    Java2.run(address, (connection, async) -> {
      ConditionChecks.run(connection, async);
      NewAsyncChecks.run(connection, async);
      NewAdminChecks.run(connection);
      NewSnapshotChecks.run(connection);
      ReplicaChecks.run(connection, async);
      MetaDescriptorChecks.run(connection);
      NewVersionChecks.run(connection);
      if (address.isVaquita()) RefusalChecks.run(connection);
    });
  }

  private Java26() {}
}
