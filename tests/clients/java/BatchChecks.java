package vaquita.clients;

import static vaquita.clients.Text.b;
import static vaquita.clients.Text.rows;
import static vaquita.clients.Text.values;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.BufferedMutatorParams;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;
import org.apache.hadoop.hbase.util.Bytes;

/** Many actions in one call: batch, lists of puts and deletes, BufferedMutator; also those of which some fail. */
final class BatchChecks {
  private static final byte[] F = b("f");
  private static final byte[] Q = b("q");
  private static final byte[] BAD = b("nofamily");

  static void run(Connection connection) throws Exception {
    Check.section("batch of all kinds", () -> allKinds(fresh(connection)));
    Check.section("batch with failures", () -> failures(fresh(connection)));
    Check.section("batch with a callback", () -> callback(fresh(connection)));
    Check.section("lists of puts and deletes", () -> lists(fresh(connection)));
    Check.section("bulk load and bulk delete", () -> bulk(fresh(connection)));
    Check.section("BufferedMutator", () -> bufferedMutator(connection, fresh(connection)));
    Check.section("BufferedMutator with failures", () -> failingMutator(connection, fresh(connection)));
  }

  private static Table fresh(Connection connection) throws Exception {
    return Tables.create(connection, "batches", "f:1", "m", "t");
  }

  private static Put put(String row, String value) {
    return new Put(b(row)).addColumn(F, Q, b(value));
  }

  private static Put badPut(String row) {
    return new Put(b(row)).addColumn(BAD, Q, b("v"));
  }

  private static void allKinds(Table table) throws Exception {
    table.put(Arrays.asList(put("a", "1"), put("n", "2"), put("z", "3")));
    RowMutations mutations = new RowMutations(b("o"));
    mutations.add(put("o", "4"));
    mutations.add(new Delete(b("o")).addColumns(F, b("old")));
    List<Row> actions = Arrays.asList(
        new Get(b("z")), put("b", "5"), new Delete(b("a")), new Increment(b("c")).addColumn(F, Q, 6),
        new Append(b("n")).add(F, Q, b(" and more")), mutations, new Get(b("nobody")), new Get(b("n")).addColumn(F, b("none")));
    Object[] results = new Object[actions.size()];
    table.batch(actions, results);
    Check.equal("get", "z f:q=3", values((Result) results[0]));
    Check.equal("put", Text.NONE, values((Result) results[1]));
    Check.equal("delete", Text.NONE, values((Result) results[2]));
    Check.equal("increment", 6L, Bytes.toLong(((Result) results[3]).getValue(F, Q)));
    Check.equal("append", "n f:q=2 and more", values((Result) results[4]));
    Check.yes("row mutations", results[5] instanceof Result);
    Check.equal("get of no row", Text.NONE, values((Result) results[6]));
    Check.equal("get of no column", Text.NONE, values((Result) results[7]));
    Check.equal("what is there now", "b c n o z", rows(table, new Scan()));
    table.batch(Collections.<Row>emptyList(), new Object[0]);
  }

  private static void failures(Table table) throws Exception {
    List<Row> actions = Arrays.asList(put("a", "1"), badPut("b"), new Get(b("a")).addFamily(BAD), put("n", "2"),
                                      new Increment(b("o")).addColumn(BAD, Q, 1), new Increment(b("o")).addColumn(F, Q, 1),
                                      put("z", "3"));
    Object[] results = new Object[actions.size()];
    RetriesExhaustedWithDetailsException failed = Check.fails("as a whole", RetriesExhaustedWithDetailsException.class,
                                                              () -> table.batch(actions, results));
    StringBuilder kinds = new StringBuilder();
    for (Object result : results) kinds.append(result instanceof Result ? "+" : result instanceof NoSuchColumnFamilyException ? "-" : "?");
    Check.equal("each for itself", "+--+-++", kinds.toString());
    Check.equal("the good ones are done", "a n o z", rows(table, new Scan()));
    if (failed != null) {
      Check.equal("exceptions", 3, failed.getNumExceptions());
      Check.yes("no doubt about what failed", !failed.mayHaveClusterIssues());
      List<String> rows = new ArrayList<>();
      for (int i = 0; i < 3; ++i) rows.add(Bytes.toString(failed.getRow(i).getRow()));
      Collections.sort(rows);
      Check.equal("rows that failed", "[a, b, o]", rows.toString());
    }
  }

  private static void callback(Table table) throws Exception {
    List<Row> actions = new ArrayList<>();
    for (char c = 'a'; c <= 'z'; ++c) actions.add(put(String.valueOf(c), "v"));
    List<String> seen = Collections.synchronizedList(new ArrayList<>());
    Object[] results = new Object[actions.size()];
    table.batchCallback(actions, results, (region, row, result) -> seen.add(Bytes.toString(row)));
    Collections.sort(seen);
    Check.equal("called once for each", "abcdefghijklmnopqrstuvwxyz", String.join("", seen));
  }

  private static void lists(Table table) throws Exception {
    RetriesExhaustedWithDetailsException failed =
        Check.fails("puts, one of them bad", RetriesExhaustedWithDetailsException.class,
                    () -> table.put(Arrays.asList(put("a", "1"), badPut("n"), put("z", "3"))));
    if (failed != null) Check.equal("the bad one", "n", Bytes.toString(failed.getRow(0).getRow()));
    Check.equal("the others are in", "a z", rows(table, new Scan()));
    List<Delete> deletes = new ArrayList<>(Arrays.asList(new Delete(b("a")), new Delete(b("b")).addFamily(BAD), new Delete(b("z"))));
    Check.fails("deletes, one of them bad", NoSuchColumnFamilyException.class, () -> table.delete(deletes));
    Check.equal("the bad one is left in the list", "1 b", deletes.size() + " " + Bytes.toString(deletes.get(0).getRow()));
    Check.equal("the others are gone", Text.NONE, rows(table, new Scan()));
  }

  private static void bulk(Table table) throws Exception {
    final int count = 10_000;
    List<Put> puts = new ArrayList<>();
    List<Delete> deletes = new ArrayList<>();
    List<Get> gets = new ArrayList<>();
    for (int i = 0; i < count; ++i) {
      String row = (char) ('a' + i % 26) + String.format("%05d", i);
      puts.add(put(row, "value " + i));
      if (i % 10 != 0) deletes.add(new Delete(b(row)));
      if (i % 5 == 0) gets.add(new Get(b(row)));
    }
    table.put(puts);
    Check.equal("all are in", count, count(table));
    Result[] results = table.get(gets);
    int right = 0;
    for (int i = 0; i < results.length; ++i) {
      if (("value " + 5 * i).equals(Bytes.toString(results[i].getValue(F, Q)))) ++right;
    }
    Check.equal("a long list of gets", count / 5, right);
    table.delete(deletes);
    Check.equal("bulk delete leaves", count / 10, count(table));
  }

  private static int count(Table table) throws Exception {
    int count = 0;
    for (Result ignored : table.getScanner(new Scan().setFilter(new FirstKeyOnlyFilter()).setCaching(1_000))) ++count;
    return count;
  }

  private static void bufferedMutator(Connection connection, Table table) throws Exception {
    final int count = 20_000;
    BufferedMutatorParams buffered = new BufferedMutatorParams(table.getName()).writeBufferSize(256 << 10);
    try (BufferedMutator mutator = connection.getBufferedMutator(buffered)) {
      for (int i = 0; i < count; ++i) mutator.mutate(put((char) ('a' + i % 26) + String.format("%05d", i), "v"));
      mutator.flush();
      Check.equal("flushed", count, count(table));
      mutator.mutate(Arrays.asList(new Delete(b("a00000")), new Delete(b("b00001"))));
    }
    Check.equal("close flushes", count - 2, count(table));
  }

  private static void failingMutator(Connection connection, Table table) throws Exception {
    List<String> failed = Collections.synchronizedList(new ArrayList<>());
    BufferedMutatorParams listening = new BufferedMutatorParams(table.getName()).listener((exception, mutator) -> {
      for (int i = 0; i < exception.getNumExceptions(); ++i) {
        failed.add(Bytes.toString(exception.getRow(i).getRow()) + " " + exception.getCause(i).getClass().getSimpleName());
      }
    });
    try (BufferedMutator mutator = connection.getBufferedMutator(listening)) {
      mutator.mutate(Arrays.asList(put("a", "1"), badPut("n"), put("z", "3")));
      mutator.flush();
    }
    Check.equal("its listener hears of failures", "[n NoSuchColumnFamilyException]", failed.toString());
    Check.equal("the others are in", "a z", rows(table, new Scan()));
  }

  private BatchChecks() {}
}
