package vaquita.clients;

import static vaquita.clients.Text.b;
import static vaquita.clients.Text.values;

import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.CompareFilter.CompareOp;
import org.apache.hadoop.hbase.io.TimeRange;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;

/** Conditional mutations that answer yes or no: the forms that all of HBase 2's clients have. */
final class CheckAndMutateChecks {
  private static final byte[] F = b("f");
  private static final byte[] Q = b("q");
  private static final byte[] R = b("r");

  static void run(Connection connection) throws Exception {
    Table table = Tables.create(connection, "conditions", "f:3");
    Check.section("check and mutate: operators", () -> operators(table));
    Check.section("check and mutate: existence, times", () -> existence(table));
    Check.section("check and mutate: put, delete, mutations", () -> actions(table));
    Check.section("check and mutate: old forms", () -> oldForms(table));
  }

  private static void operators(Table table) throws Exception {
    byte[] row = b("operators");
    table.put(new Put(row).addColumn(F, Q, b("m")));
    // HBase compares the value given with the one there, in this order.
    String[] lessEqualGreater = {"l", "m", "n"};
    Object[][] expected = {{CompareOperator.LESS, "100"}, {CompareOperator.LESS_OR_EQUAL, "110"}, {CompareOperator.EQUAL, "010"},
                           {CompareOperator.NOT_EQUAL, "101"}, {CompareOperator.GREATER_OR_EQUAL, "011"}, {CompareOperator.GREATER, "001"}};
    for (Object[] pair : expected) {
      StringBuilder done = new StringBuilder();
      for (String value : lessEqualGreater) {
        boolean yes = table.checkAndMutate(row, F).qualifier(Q).ifMatches((CompareOperator) pair[0], b(value))
            .thenPut(new Put(row).addColumn(F, R, b("done")));
        done.append(yes ? 1 : 0);
      }
      Check.equal(pair[0] + " l, m, n, where m is", pair[1], done.toString());
    }
  }

  private static void existence(Table table) throws Exception {
    byte[] row = b("existence");
    Put put = new Put(row).addColumn(F, Q, 5, b("v"));
    Check.yes("not there: put", table.checkAndMutate(row, F).qualifier(Q).ifNotExists().thenPut(put));
    Check.no("there: not put again", table.checkAndMutate(row, F).qualifier(Q).ifNotExists().thenPut(put));
    Check.no("another value", table.checkAndMutate(row, F).qualifier(Q).ifEquals(b("w")).thenPut(put));
    Check.yes("in a time range", table.checkAndMutate(row, F).qualifier(Q).timeRange(TimeRange.at(5)).ifEquals(b("v")).thenPut(put));
    Check.no("out of a time range", table.checkAndMutate(row, F).qualifier(Q).timeRange(TimeRange.at(6)).ifEquals(b("v")).thenPut(put));
    Check.yes("nothing in the time range", table.checkAndMutate(row, F).qualifier(Q).timeRange(TimeRange.at(6)).ifNotExists().thenPut(put));
    Check.no("no such column", table.checkAndMutate(row, F).qualifier(R).ifEquals(b("v")).thenPut(put));
    Check.fails("an unknown family", NoSuchColumnFamilyException.class,
                () -> table.checkAndMutate(row, b("nofamily")).qualifier(Q).ifNotExists().thenPut(put));
  }

  private static void actions(Table table) throws Exception {
    byte[] row = b("actions");
    table.put(new Put(row).addColumn(F, Q, b("1")).addColumn(F, R, b("2")));
    Check.yes("delete", table.checkAndMutate(row, F).qualifier(Q).ifEquals(b("1")).thenDelete(new Delete(row).addColumns(F, R)));
    Check.equal("deleted", "actions f:q=1", values(table.get(new Get(row))));
    RowMutations mutations = new RowMutations(row);
    mutations.add((Mutation) new Put(row).addColumn(F, R, b("3")));
    mutations.add((Mutation) new Delete(row).addColumns(F, Q));
    Check.no("mutations, condition unmet", table.checkAndMutate(row, F).qualifier(Q).ifEquals(b("9")).thenMutate(mutations));
    Check.equal("nothing done", "actions f:q=1", values(table.get(new Get(row))));
    Check.yes("mutations", table.checkAndMutate(row, F).qualifier(Q).ifEquals(b("1")).thenMutate(mutations));
    Check.equal("all done", "actions f:r=3", values(table.get(new Get(row))));
  }

  @SuppressWarnings("deprecation")
  private static void oldForms(Table table) throws Exception {
    byte[] row = b("old");
    Put put = new Put(row).addColumn(F, Q, b("v"));
    Check.yes("checkAndPut, null for nothing there", table.checkAndPut(row, F, Q, null, put));
    Check.no("and then it is there", table.checkAndPut(row, F, Q, null, put));
    Check.yes("an empty value is as nothing", table.checkAndPut(row, F, R, new byte[0], put));
    Check.yes("checkAndPut, a value", table.checkAndPut(row, F, Q, b("v"), put));
    Check.yes("checkAndPut, an operator", table.checkAndPut(row, F, Q, CompareOp.GREATER, b("w"), put));
    Check.no("checkAndPut, an operator of 2", table.checkAndPut(row, F, Q, CompareOperator.LESS, b("w"), put));
    RowMutations mutations = new RowMutations(row);
    mutations.add(new Put(row).addColumn(F, R, b("w")));
    Check.yes("checkAndMutate", table.checkAndMutate(row, F, Q, CompareOp.EQUAL, b("v"), mutations));
    Check.no("checkAndDelete, another value", table.checkAndDelete(row, F, Q, b("x"), new Delete(row)));
    Check.yes("checkAndDelete", table.checkAndDelete(row, F, Q, b("v"), new Delete(row)));
    Check.no("all gone", table.exists(new Get(row)));
  }

  private CheckAndMutateChecks() {}
}
