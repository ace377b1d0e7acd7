package vaquita.clients;

import static vaquita.clients.Text.b;
import static vaquita.clients.Text.values;

import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.filter.TimestampsFilter;
import org.apache.hadoop.hbase.io.TimeRange;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;
import org.apache.hadoop.hbase.util.Bytes;

/** CheckAndMutate as an object: of all mutations, with results, by filters, many at once, in batches. */
final class ConditionChecks {
  private static final byte[] F = b("f");
  private static final byte[] Q = b("q");
  private static final byte[] N = b("n");

  static void run(Connection connection, AsyncConnection async) throws Exception {
    Table table = Tables.create(connection, "conditioned", "f:3", "m");
    Check.section("CheckAndMutate: mutations and results", () -> mutations(table));
    Check.section("CheckAndMutate: filters and times", () -> filters(table));
    Check.section("CheckAndMutate: many, batches", () -> many(table));
    Check.section("CheckAndMutate: async", () -> asynchronous(async.getTable(table.getName())));
    Check.section("mutateRow with results", () -> rowMutations(table));
  }

  private static CheckAndMutate.Builder when(String row, String value) {
    return CheckAndMutate.newBuilder(b(row)).ifEquals(F, Q, b(value));
  }

  private static Put put(String row, String value) {
    return new Put(b(row)).addColumn(F, Q, b(value));
  }

  private static String text(CheckAndMutateResult result) {
    return result.isSuccess() + (result.getResult() == null ? "" : " " + values(result.getResult()));
  }

  private static void mutations(Table table) throws Exception {
    Check.equal("put", "true", text(table.checkAndMutate(CheckAndMutate.newBuilder(b("r")).ifNotExists(F, Q).build(put("r", "1")))));
    Check.equal("put again", "false", text(table.checkAndMutate(CheckAndMutate.newBuilder(b("r")).ifNotExists(F, Q).build(put("r", "1")))));
    CheckAndMutateResult counted = table.checkAndMutate(when("r", "1").build(new Increment(b("r")).addColumn(F, N, 5)));
    Check.equal("increment", 5L, Bytes.toLong(counted.getResult().getValue(F, N)));
    Check.equal("increment, unmet", "false", text(table.checkAndMutate(when("r", "2").build(new Increment(b("r")).addColumn(F, N, 5)))));
    Check.equal("append", "true r f:q=12", text(table.checkAndMutate(when("r", "1").build(new Append(b("r")).addColumn(F, Q, b("2"))))));
    Check.equal("delete", "true", text(table.checkAndMutate(when("r", "12").build(new Delete(b("r")).addColumns(F, N)))));
    RowMutations all = new RowMutations(b("r")).add(Arrays.asList(
        put("r", "3"), new Increment(b("r")).addColumn(F, N, 7), new Append(b("r")).addColumn(F, b("z"), b("x"))));
    CheckAndMutateResult several = table.checkAndMutate(when("r", "12").build(all));
    Check.yes("several", several.isSuccess());
    Check.equal("with the results of increments and appends", 7L, Bytes.toLong(several.getResult().getValue(F, N)));
    Check.equal("and", "x", Bytes.toString(several.getResult().getValue(F, b("z"))));
    Check.fails("an unknown family", NoSuchColumnFamilyException.class,
                () -> table.checkAndMutate(when("r", "3").build(new Put(b("r")).addColumn(b("nofamily"), Q, b("v")))));
  }

  private static void filters(Table table) throws Exception {
    table.put(new Put(b("s")).addColumn(F, Q, 5, b("1")).addColumn(F, b("other"), 6, b("2")));
    SingleColumnValueFilter one = new SingleColumnValueFilter(F, Q, CompareOperator.EQUAL, b("1"));
    SingleColumnValueFilter two = new SingleColumnValueFilter(F, b("other"), CompareOperator.EQUAL, new BinaryComparator(b("2")));
    Put put = new Put(b("s")).addColumn(F, b("done"), b("v"));
    Check.yes("both", table.checkAndMutate(CheckAndMutate.newBuilder(b("s")).ifMatches(new FilterList(one, two)).build(put)).isSuccess());
    SingleColumnValueFilter wrong = new SingleColumnValueFilter(F, Q, CompareOperator.EQUAL, b("2"));
    Check.no("one wrong", table.checkAndMutate(
        CheckAndMutate.newBuilder(b("s")).ifMatches(new FilterList(wrong, two)).build(put)).isSuccess());
    Check.yes("in a time range", table.checkAndMutate(
        CheckAndMutate.newBuilder(b("s")).ifMatches(one).timeRange(TimeRange.between(5, 6)).build(put)).isSuccess());
    Check.no("out of a time range", table.checkAndMutate(
        CheckAndMutate.newBuilder(b("s")).ifMatches(new TimestampsFilter(Arrays.asList(5L)))
            .timeRange(TimeRange.between(6, 9)).build(put)).isSuccess());
    Check.yes("by operator", table.checkAndMutate(
        CheckAndMutate.newBuilder(b("s")).ifMatches(F, Q, CompareOperator.GREATER, b("2")).build(put)).isSuccess());
  }

  private static void many(Table table) throws Exception {
    table.put(Arrays.asList(put("a", "1"), put("b", "2"), put("x", "3")));
    List<CheckAndMutateResult> results = table.checkAndMutate(Arrays.asList(
        when("a", "1").build(put("a", "11")), when("b", "no").build(put("b", "22")),
        when("x", "3").build(new Append(b("x")).addColumn(F, Q, b("3")))));
    Check.equal("over two regions", "true false true x f:q=33",
                text(results.get(0)) + " " + text(results.get(1)) + " " + text(results.get(2)));
    Object[] batch = new Object[4];
    List<Row> actions = Arrays.asList(when("a", "11").build(put("a", "111")), put("b", "222"), new Get(b("x")),
                                      when("b", "no").build(new Delete(b("b"))));
    table.batch(actions, batch);
    Check.equal("in a batch: done", "true", text((CheckAndMutateResult) batch[0]));
    Check.equal("in a batch: others beside it", "x f:q=33", values((Result) batch[2]));
    Check.equal("in a batch: not done", "false", text((CheckAndMutateResult) batch[3]));
    Check.equal("rows afterwards", "a f:q=111 | b f:q=222",
                values(Arrays.asList(table.get(Arrays.asList(new Get(b("a")), new Get(b("b")))))));
  }

  private static void asynchronous(AsyncTable<?> table) throws Exception {
    table.put(put("t", "1")).get();
    Check.equal("one", "true t f:q=12", text(table.checkAndMutate(when("t", "1").build(new Append(b("t")).addColumn(F, Q, b("2")))).get()));
    List<CheckAndMutateResult> all = table.checkAndMutateAll(Arrays.asList(
        when("t", "12").build(put("t", "3")), when("t", "12").build(put("t", "4")))).get();
    Check.yes("of two on one condition, one", all.get(0).isSuccess() ^ all.get(1).isSuccess());
    Result result = table.mutateRow(RowMutations.of(Arrays.asList(put("u", "1"), new Append(b("u")).addColumn(F, b("a"), b("x"))))).get();
    Check.equal("mutateRow", "u f:a=x", values(result));
  }

  private static void rowMutations(Table table) throws Exception {
    Result result = table.mutateRow(RowMutations.of(Arrays.asList(
        put("w", "1"), new Increment(b("w")).addColumn(F, N, 2), new Append(b("w")).addColumn(F, b("z"), b("tail")))));
    Check.equal("increment", 2L, Bytes.toLong(result.getValue(F, N)));
    Check.equal("append", "tail", Bytes.toString(result.getValue(F, b("z"))));
    Object[] batch = new Object[1];
    table.batch(Arrays.asList(RowMutations.of(Arrays.asList(new Increment(b("w")).addColumn(F, N, 3), put("w", "2")))), batch);
    Check.equal("in a batch", 5L, Bytes.toLong(((Result) batch[0]).getValue(F, N)));
    Check.equal("and what it left", "w f:q=2", values(table.get(new Get(b("w")).addColumn(F, Q))));
  }

  private ConditionChecks() {}
}
