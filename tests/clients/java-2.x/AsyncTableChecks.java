package vaquita.clients;

import static vaquita.clients.Text.b;
import static vaquita.clients.Text.rows;
import static vaquita.clients.Text.values;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.AsyncBufferedMutator;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.ScanResultConsumer;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;
import org.apache.hadoop.hbase.util.Bytes;

/** The asynchronous client's data calls. */
final class AsyncTableChecks {
  private static final byte[] F = b("f");
  private static final byte[] Q = b("q");
  private static final byte[] BAD = b("nofamily");
  private static final String ALL = "a b c d e f g h i j k l m n o p q r s t u v w x y z";

  static void run(Connection connection, AsyncConnection async) throws Exception {
    Tables.create(connection, "async", "f:3", "h", "q");
    AsyncTable<AdvancedScanResultConsumer> table = async.getTable(TableName.valueOf("async"));
    ExecutorService pool = Executors.newFixedThreadPool(2);
    try {
      Check.section("async: one row", () -> oneRow(table));
      Check.section("async: conditions", () -> conditions(table));
      Check.section("async: many rows", () -> manyRows(table));
      Check.section("async: BufferedMutator", () -> bufferedMutator(connection, async));
      Check.section("async: scan", () -> scans(async.getTable(table.getName(), pool), table));
      Check.section("async: scan at the consumer's pace", () -> advancedScan(table));
      Check.section("async: locations after a split", () -> stale(connection, async, table));
    } finally {
      pool.shutdown();
    }
  }

  private static Put put(String row, String value) {
    return new Put(b(row)).addColumn(F, Q, b(value));
  }

  private static void oneRow(AsyncTable<?> table) throws Exception {
    table.put(put("a", "1")).get();
    Check.equal("get", "a f:q=1", values(table.get(new Get(b("a"))).get()));
    Check.equal("get of nothing", Text.NONE, values(table.get(new Get(b("nobody"))).get()));
    Check.yes("exists", table.exists(new Get(b("a"))).get());
    Check.equal("append", "a f:q=12", values(table.append(new Append(b("a")).addColumn(F, Q, b("2"))).get()));
    Check.equal("increment", 7L, table.incrementColumnValue(b("counter"), F, Q, 7).get());
    Check.equal("increment of several", 8L,
                Bytes.toLong(table.increment(new Increment(b("counter")).addColumn(F, Q, 1).addColumn(F, b("r"), 1)).get().getValue(F, Q)));
    RowMutations mutations = new RowMutations(b("a"));
    mutations.add((Mutation) put("a", "3"));
    mutations.add((Mutation) new Delete(b("a")).addColumns(F, b("old")));
    table.mutateRow(mutations).get();
    Check.equal("mutateRow", "a f:q=3", values(table.get(new Get(b("a"))).get()));
    table.delete(new Delete(b("a"))).get();
    Check.no("delete", table.exists(new Get(b("a"))).get());
    Check.fails("an unknown family", NoSuchColumnFamilyException.class,
                () -> table.put(new Put(b("a")).addColumn(BAD, Q, b("v"))).get());
  }

  private static void conditions(AsyncTable<?> table) throws Exception {
    Put put = put("condition", "1");
    Check.yes("put", table.checkAndMutate(b("condition"), F).qualifier(Q).ifNotExists().thenPut(put).get());
    Check.no("put again", table.checkAndMutate(b("condition"), F).qualifier(Q).ifNotExists().thenPut(put).get());
    RowMutations mutations = new RowMutations(b("condition"));
    mutations.add((Mutation) put("condition", "2"));
    Check.yes("mutations", table.checkAndMutate(b("condition"), F).qualifier(Q).ifEquals(b("1")).thenMutate(mutations).get());
    Check.yes("delete", table.checkAndMutate(b("condition"), F).qualifier(Q).ifEquals(b("2")).thenDelete(new Delete(b("condition"))).get());
  }

  private static void manyRows(AsyncTable<?> table) throws Exception {
    List<Put> puts = new ArrayList<>();
    List<Get> gets = new ArrayList<>();
    for (String row : ALL.split(" ")) {
      puts.add(put(row, row));
      gets.add(new Get(b(row)));
    }
    table.putAll(puts).get();
    Check.equal("getAll", ALL, rows(table.getAll(gets).get()));
    Check.yes("existsAll", table.existsAll(gets).get().stream().allMatch(yes -> yes));
    List<Row> actions = Arrays.asList(new Get(b("z")), new Put(b("b")).addColumn(BAD, Q, b("v")), put("b", "new"),
                                      new Increment(b("count")).addColumn(F, Q, 2), new Get(b("a")).addFamily(BAD));
    List<CompletableFuture<Object>> futures = table.batch(actions);
    Check.equal("get in a batch", "z f:q=z", values((Result) futures.get(0).get()));
    Check.fails("bad put in a batch", NoSuchColumnFamilyException.class, () -> futures.get(1).get());
    futures.get(2).get();
    Check.equal("put in a batch", "b f:q=new", values(table.get(new Get(b("b"))).get()));
    Check.equal("increment in a batch", 2L, Bytes.toLong(((Result) futures.get(3).get()).getValue(F, Q)));
    Check.fails("bad get in a batch", NoSuchColumnFamilyException.class, () -> futures.get(4).get());
    table.deleteAll(Arrays.asList(new Delete(b("count")), new Delete(b("counter")))).get();
    Check.equal("deleteAll", ALL, rows(table.scanAll(new Scan()).get()));
  }

  private static void bufferedMutator(Connection connection, AsyncConnection async) throws Exception {
    TableName name = Tables.create(connection, "asyncbuffered", "f:1", "row2500").getName();
    final int count = 5_000;
    List<CompletableFuture<Void>> written = new ArrayList<>();
    try (AsyncBufferedMutator mutator = async.getBufferedMutator(name)) {
      for (int i = 0; i < count; ++i) written.add(mutator.mutate(put("row" + i, "v")));
      mutator.flush();
      CompletableFuture.allOf(written.toArray(new CompletableFuture<?>[0])).get();
      CompletableFuture<Void> bad = mutator.mutate(new Put(b("b")).addColumn(BAD, Q, b("v")));
      mutator.flush();
      Check.fails("bad put", NoSuchColumnFamilyException.class, bad::get);
    }
    Check.equal("all are written", count, async.getTable(name).scanAll(new Scan()).get().size());
  }

  private static void scans(AsyncTable<ScanResultConsumer> table, AsyncTable<?> raw) throws Exception {
    List<Result> seen = new ArrayList<>();
    CompletableFuture<ScanMetrics> metrics = new CompletableFuture<>();
    CompletableFuture<Void> done = new CompletableFuture<>();
    table.scan(new Scan().setScanMetricsEnabled(true), new ScanResultConsumer() {
      @Override public boolean onNext(Result result) {
        seen.add(result);
        return seen.size() < 100;
      }
      @Override public void onError(Throwable error) {
        done.completeExceptionally(error);
      }
      @Override public void onComplete() {
        done.complete(null);
      }
      @Override public void onScanMetricsCreated(ScanMetrics created) {
        metrics.complete(created);
      }
    });
    done.get();
    Check.equal("by a consumer", ALL, rows(seen));
    Check.equal("its metrics: regions", 3L, metrics.get().countOfRegions.get());
    Check.equal("a limit", "c d e", rows(raw.scanAll(new Scan().withStartRow(b("c")).setLimit(3)).get()));
    Check.equal("reversed", "i h g f", rows(raw.scanAll(new Scan().withStartRow(b("i")).setReversed(true).setLimit(4)).get()));
    Check.equal("pread", "c d",
                rows(raw.scanAll(new Scan().withStartRow(b("c")).withStopRow(b("e")).setReadType(Scan.ReadType.PREAD)).get()));
    // Not with a small size of results: AsyncTableResultScanner then loses a resumption, and waits for ever, when the answer
    // of the next region overtakes it.
    try (ResultScanner scanner = raw.getScanner(new Scan().setCaching(3))) {
      Check.equal("as a ResultScanner", ALL, rows(scanner));
    }
    Check.fails("an unknown family", NoSuchColumnFamilyException.class, () -> raw.scanAll(new Scan().addFamily(BAD)).get());
  }

  /** Suspends after each answer and goes on from elsewhere; ends the scan after some. */
  private static void advancedScan(AsyncTable<AdvancedScanResultConsumer> table) throws Exception {
    StringBuilder seen = new StringBuilder();
    CompletableFuture<Void> done = new CompletableFuture<>();
    table.scan(new Scan().setCaching(3).setNeedCursorResult(true), new AdvancedScanResultConsumer() {
      @Override public void onNext(Result[] results, ScanController controller) {
        for (Result result : results) seen.append(Bytes.toString(result.getRow()));
        if (seen.length() > 8) {
          controller.terminate();
        } else {
          ScanResumer resumer = controller.suspend();
          CompletableFuture.runAsync(resumer::resume);
        }
      }
      @Override public void onError(Throwable error) {
        done.completeExceptionally(error);
      }
      @Override public void onComplete() {
        done.complete(null);
      }
    });
    done.get();
    Check.yes("in order: " + seen, ALL.replace(" ", "").startsWith(seen.toString()) && seen.length() > 8);
    Check.yes("ended early: " + seen, seen.length() < 20);
  }

  private static void stale(Connection connection, AsyncConnection async, AsyncTable<?> table) throws Exception {
    Tables.split(connection, table.getName(), "c");
    Check.equal("get after a split", "d f:q=d", values(table.get(new Get(b("d"))).get()));
    Check.equal("scan after a split", ALL, rows(table.scanAll(new Scan()).get()));
    table.put(put("r", "again")).get();
    Check.equal("put and get after a split", "r f:q=again", values(table.get(new Get(b("r"))).get()));
    Check.equal("location", "c",
                Bytes.toString(async.getRegionLocator(table.getName()).getRegionLocation(b("d")).get().getRegion().getStartKey()));
    Tables.reopen(connection, table.getName());
    Check.equal("scan after a reopening", ALL, rows(table.scanAll(new Scan()).get()));
  }

  private AsyncTableChecks() {}
}
