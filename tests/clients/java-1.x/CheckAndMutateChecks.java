package vaquita.clients;

import static vaquita.clients.Text.b;
import static vaquita.clients.Text.values;

import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.CompareFilter.CompareOp;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;

/** Conditional mutations in HBase 1's forms. */
final class CheckAndMutateChecks {
  private static final byte[] F = b("f");
  private static final byte[] Q = b("q");
  private static final byte[] R = b("r");

  static void run(Connection connection) throws Exception {
    Table table = Tables.create(connection, "conditions", "f:3");
    Check.section("check and mutate: operators", () -> operators(table));
    Check.section("check and mutate: put, delete, mutations", () -> actions(table));
  }

  private static void operators(Table table) throws Exception {
    byte[] row = b("operators");
    table.put(new Put(row).addColumn(F, Q, b("m")));
    // HBase compares the value given with the one there, in this order.
    Object[][] expected = {{CompareOp.LESS, "100"}, {CompareOp.LESS_OR_EQUAL, "110"}, {CompareOp.EQUAL, "010"},
                           {CompareOp.NOT_EQUAL, "101"}, {CompareOp.GREATER_OR_EQUAL, "011"}, {CompareOp.GREATER, "001"}};
    for (Object[] pair : expected) {
      StringBuilder done = new StringBuilder();
      for (String value : new String[] {"l", "m", "n"}) {
        done.append(table.checkAndPut(row, F, Q, (CompareOp) pair[0], b(value), new Put(row).addColumn(F, R, b("done"))) ? 1 : 0);
      }
      Check.equal(pair[0] + " l, m, n, where m is", pair[1], done.toString());
    }
  }

  private static void actions(Table table) throws Exception {
    byte[] row = b("actions");
    Put put = new Put(row).addColumn(F, Q, b("v"));
    Check.yes("put, null for nothing there", table.checkAndPut(row, F, Q, null, put));
    Check.no("and then it is there", table.checkAndPut(row, F, Q, null, put));
    Check.yes("an empty value is as nothing", table.checkAndPut(row, F, R, new byte[0], put));
    Check.yes("put, a value", table.checkAndPut(row, F, Q, b("v"), put));
    Check.no("put, another value", table.checkAndPut(row, F, Q, b("w"), put));
    Check.fails("an unknown family", NoSuchColumnFamilyException.class,
                () -> table.checkAndPut(row, b("nofamily"), Q, null, put));
    RowMutations mutations = new RowMutations(row);
    mutations.add(new Put(row).addColumn(F, R, b("w")));
    mutations.add(new Delete(row).addColumns(F, Q));
    Check.no("mutations, condition unmet", table.checkAndMutate(row, F, Q, CompareOp.EQUAL, b("x"), mutations));
    Check.equal("nothing done", "actions f:q=v", values(table.get(new Get(row))));
    Check.yes("mutations", table.checkAndMutate(row, F, Q, CompareOp.EQUAL, b("v"), mutations));
    Check.equal("all done", "actions f:r=w", values(table.get(new Get(row))));
    Check.no("delete, another value", table.checkAndDelete(row, F, R, b("x"), new Delete(row)));
    Check.yes("delete, an operator", table.checkAndDelete(row, F, R, CompareOp.GREATER, b("x"), new Delete(row)));
    Check.no("all gone", table.exists(new Get(row)));
  }

  private CheckAndMutateChecks() {}
}
