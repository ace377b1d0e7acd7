package vaquita.clients;

import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/** hbase-client 1.x: the API that a program has. */
public final class Java1 {
  public static void main(String[] arguments) {
    Address address = Address.of(arguments);
    Check.program(() -> {
      try (Connection connection = ConnectionFactory.createConnection(address.configuration());
           Connection stale = ConnectionFactory.createConnection(address.configuration())) {
        Tables.dropAll(connection);
        TableChecks.run(connection);
        CheckAndMutateChecks.run(connection);
        BatchChecks.run(connection);
        ScanChecks.run(connection);
        FilterChecks.run(connection);
        LocationChecks.run(connection, stale);
        AdminTableChecks.run(connection);
        AdminRegionChecks.run(connection);
        SnapshotChecks.run(connection);
        ClusterChecks.run(connection);
        ScanChecks.resumeIdle();
        Tables.dropAll(connection);
      }
    });
  }

  private Java1() {}
}
