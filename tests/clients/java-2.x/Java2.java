package vaquita.clients;

import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/** A program of hbase-client 2: what all its versions have, and then what one has beside that. */
final class Java2 {
  interface More {
    void run(Connection connection, AsyncConnection async) throws Exception;
  }

  static void run(Address address, More more) {
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
        SnapshotChecks.run(connection);
        ClusterChecks.run(connection);
        more.run(connection, async);
        ScanChecks.resumeIdle();
        Tables.dropAll(connection);
      }
    });
  }

  private Java2() {}
}
