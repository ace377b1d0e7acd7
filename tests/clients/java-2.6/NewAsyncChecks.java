package vaquita.clients;

import static vaquita.clients.Text.b;
import static vaquita.clients.Text.rows;
import static vaquita.clients.Text.values;

import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;

/** What HBase 2.1's asynchronous client does not do, with any server: it waits for ever. */
final class NewAsyncChecks {
  static void run(Connection connection, AsyncConnection async) throws Exception {
    Tables.create(connection, "asyncmerged", "f:1", "h", "q");
    AsyncTable<?> table = async.getTable(TableName.valueOf("asyncmerged"));
    Check.section("async: an unknown table", () -> unknownTable(async));
    Check.section("async: locations after a merge", () -> merge(connection, table));
  }

  private static void unknownTable(AsyncConnection async) {
    Check.fails("get", TableNotFoundException.class, () -> async.getTable(TableName.valueOf("absent")).get(new Get(b("a"))).get());
  }

  private static void merge(Connection connection, AsyncTable<?> table) throws Exception {
    for (String row : "a i r".split(" ")) table.put(new Put(b(row)).addColumn(b("f"), b("q"), b(row))).get();
    Tables.merge(connection, table.getName(), "h", "q");
    table.put(new Put(b("r")).addColumn(b("f"), b("q"), b("again"))).get();
    Check.equal("put and get", "r f:q=again", values(table.get(new Get(b("r"))).get()));
    Check.equal("scan", "a i r", rows(table.scanAll(new Scan()).get()));
    Check.equal("location, read anew", "h",
                Bytes.toString(table.getRegionLocator().getRegionLocation(b("r"), true).get().getRegion().getStartKey()));
  }

  private NewAsyncChecks() {}
}
