package vaquita.clients;

import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/** hbase-client 2.6: the API that a program has. */
public final class Java26 {
  public static void main(String[] arguments) {
    Address address = Address.of(arguments);
    Check.program(() -> {
      try (Connection connection = ConnectionFactory.createConnection(address.configuration());
           Connection stale = ConnectionFactory.createConnection(address.configuration());
           AsyncConnection async = ConnectionFactory.createAsyncConnection(address.configuration()).get()) {
        Tables.dropAll(connection);
        TableChecks.run(connection);
        CheckAndMutateChecks.run(connection);
        BatchChecks.run(connection);
        ScanChecks.run(connection);
        FilterChecks.run(connection);
        LocationChecks.run(connection, stale);
        AsyncTableChecks.run(connection, async);
        AdminTableChecks.run(connection);
        AdminRegionChecks.run(connection);
        AsyncAdminChecks.run(async);
        ClusterChecks.run(connection);
        ConditionChecks.run(connection, async);
        NewAsyncChecks.run(connection, async);
        NewAdminChecks.run(connection);
        SnapshotChecks.run(connection);
        if (address.isVaquita()) RefusalChecks.run(connection);
        ScanChecks.resumeIdle();
        Tables.dropAll(connection);
      }
    });
  }

  private Java26() {}
}
