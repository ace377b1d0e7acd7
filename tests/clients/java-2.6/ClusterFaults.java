package vaquita.clients;

import static vaquita.clients.Text.b;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Writes and reads for `--seconds N` while a cluster's servers are killed and its regions move (tests/cluster_checker), and checks what
 * it is told: acknowledged rows are there, scans have neither gaps nor duplicates, counters that nobody else increments and registers
 * that nobody else sets are what their owner made them.
 */
public final class ClusterFaults {
  private static final String TABLE = "java";
  private static final byte[] F = b("f");
  private static final byte[] Q = b("q");
  private static final int MOST_ROWS = 2000;

  /** A row that is put once and deleted at most once: the times, on one clock, at which that began and ended; MAX: not yet. */
  private static final class Times {
    volatile long putEnds = Long.MAX_VALUE;
    volatile long deleteBegins = Long.MAX_VALUE;
    volatile long deleteEnds = Long.MAX_VALUE;
  }

  private final ConcurrentSkipListMap<String, Times> rows = new ConcurrentSkipListMap<>();
  private final Deque<String> kept = new ArrayDeque<>();  // the writer's own
  private final ConcurrentSkipListSet<String> counters = new ConcurrentSkipListSet<>();
  private final AtomicLong number = new AtomicLong();
  private final long deadline;
  private final long seed;

  private ClusterFaults(long seconds, long seed) {
    deadline = System.nanoTime() + seconds * 1_000_000_000L;
    this.seed = seed;
  }

  public static void main(String[] arguments) {
    Address address = Address.of(arguments);
    long[] numbers = {60, 1};
    for (int i = 0; i + 1 < arguments.length; i += 2) {
      if (arguments[i].equals("--seconds")) numbers[0] = Long.parseLong(arguments[i + 1]);
      if (arguments[i].equals("--seed")) numbers[1] = Long.parseLong(arguments[i + 1]);
    }
    Check.program(() -> {
      try (Connection connection = ConnectionFactory.createConnection(address.configuration());
           AsyncConnection async = ConnectionFactory.createAsyncConnection(address.configuration()).get()) {
        new ClusterFaults(numbers[0], numbers[1]).run(connection, async);
      }
    });
  }

  private interface Work {
    void run(Random random) throws Exception;
  }

  private void run(Connection connection, AsyncConnection async) throws Exception {
    try (Table table = Tables.create(connection, TABLE, "f:1", "40000000", "80000000", "c0000000")) {
      AsyncTable<?> asyncTable = async.getTable(table.getName());
      List<Thread> threads = new ArrayList<>();
      threads.add(start(1, random -> write(table, random)));
      threads.add(start(2, random -> scan(() -> table.getScanner(new Scan().setCaching(1 + random.nextInt(50))))));
      threads.add(start(3, random -> scan(() -> asyncTable.getScanner(new Scan()))));
      threads.add(start(4, random -> increment(amount -> table.increment(amount), get -> table.get(get), random)));
      threads.add(start(5, random -> increment(amount -> asyncTable.increment(amount).get(), get -> asyncTable.get(get).get(), random)));
      threads.add(start(6, random -> checkAndMutate(table, random)));
      for (Thread thread : threads) thread.join();
      scan(() -> table.getScanner(new Scan()));
    }
  }

  private Thread start(int thread, Work work) {
    Random random = new Random(seed * 100 + thread);
    Thread started = new Thread(() -> {
      try {
        while (System.nanoTime() < deadline) work.run(random);
      } catch (Throwable unexpected) {
        Check.equal("a client's thread " + thread, null, String.valueOf(unexpected));
        unexpected.printStackTrace(System.out);
      }
    });
    started.start();
    return started;
  }

  private String newRow(Random random) {
    return String.format("%08x-%d", random.nextInt(), number.getAndIncrement());
  }

  private static Put put(String row, String value) {
    return new Put(b(row)).addColumn(F, Q, b(value));
  }

  private void write(Table table, Random random) throws Exception {
    List<Put> puts = new ArrayList<>();
    int count = random.nextInt(4) == 0 ? 1 + random.nextInt(20) : 1;
    for (int i = 0; i < count; ++i) {
      String row = newRow(random);
      rows.put(row, new Times());
      puts.add(put(row, row));
    }
    if (count == 1) {
      table.put(puts.get(0));
    } else {
      table.put(puts);
    }
    long acknowledged = System.nanoTime();
    for (Put put : puts) rows.get(Bytes.toString(put.getRow())).putEnds = acknowledged;
    Check.yes("a row that was put", table.exists(new Get(puts.get(0).getRow())));

    for (Put put : puts) kept.add(Bytes.toString(put.getRow()));
    while (kept.size() > MOST_ROWS) {
      String row = kept.poll();
      Times times = rows.get(row);
      times.deleteBegins = System.nanoTime();
      table.delete(new Delete(b(row)));
      times.deleteEnds = System.nanoTime();
      Check.no("a row that was deleted", table.exists(new Get(b(row))));
    }
  }

  private interface Scanners {
    ResultScanner open() throws Exception;
  }

  private void scan(Scanners scanners) throws Exception {
    long began = System.nanoTime();
    List<String> seen = new ArrayList<>();
    try (ResultScanner scanner = scanners.open()) {
      for (Result result : scanner) {
        String row = Bytes.toString(result.getRow());
        if (counters.contains(row)) continue;
        seen.add(row);
        Check.equal("the value of " + row, row, Bytes.toString(result.getValue(F, Q)));
      }
    }
    long ended = System.nanoTime();
    for (int i = 1; i < seen.size(); ++i) {
      if (seen.get(i - 1).compareTo(seen.get(i)) >= 0) Check.equal("in order, and once", "after " + seen.get(i - 1), seen.get(i));
    }
    ConcurrentSkipListSet<String> missing = new ConcurrentSkipListSet<>();
    rows.forEach((row, times) -> {
      if (times.putEnds < began && times.deleteBegins > ended) missing.add(row);
    });
    for (String row : seen) {
      missing.remove(row);
      Times times = rows.get(row);
      Check.yes(row + " was put, and was not deleted before", times != null && times.deleteEnds > began);
    }
    Check.equal("acknowledged rows that a scan did not give", "[]", missing.toString());
  }

  private interface Counter {
    Result add(Increment increment) throws Exception;
  }

  private interface Getter {
    Result get(Get get) throws Exception;
  }

  /** A counter of this thread's own: the servers know an increment that the client sends again by its nonce. */
  private void increment(Counter counter, Getter getter, Random random) throws Exception {
    String row = newRow(random);
    counters.add(row);
    long value = 0;
    for (int i = 0; i < 50 && System.nanoTime() < deadline; ++i) {
      long amount = 1 + random.nextInt(9);
      value += amount;
      Result result = counter.add(new Increment(b(row)).addColumn(F, Q, amount));
      long got = Bytes.toLong(result.getValue(F, Q));
      Check.equal("counter " + row + " after " + i + " increments", value, got);
      value = got;
      if (i % 5 == 0) Check.equal("counter " + row + ", read", value, Bytes.toLong(getter.get(new Get(b(row))).getValue(F, Q)));
    }
  }

  /**
   * A register of this thread's own. The client sends a check-and-mutate again when it has lost the answer, and may then be told that the
   * condition does not hold, because it did it itself.
   */
  private void checkAndMutate(Table table, Random random) throws Exception {
    String row = newRow(random);
    counters.add(row);
    Check.yes("set if absent", table.checkAndMutate(CheckAndMutate.newBuilder(b(row)).ifNotExists(F, Q).build(put(row, "0"))).isSuccess()
        || value(table, row).equals("0"));
    for (int i = 1; i < 50 && System.nanoTime() < deadline; ++i) {
      String old = String.valueOf(i - 1);
      String next = String.valueOf(i);
      boolean wrong = table.checkAndMutate(CheckAndMutate.newBuilder(b(row)).ifEquals(F, Q, b(next)).build(put(row, "wrong"))).isSuccess();
      Check.no("set " + row + " if it is what it is not", wrong);
      boolean set = table.checkAndMutate(CheckAndMutate.newBuilder(b(row)).ifEquals(F, Q, b(old)).build(put(row, next))).isSuccess();
      Check.equal("register " + row + (set ? "" : ", set by an attempt without an answer"), next, value(table, row));
    }
  }

  private static String value(Table table, String row) throws Exception {
    Cell cell = table.get(new Get(b(row))).getColumnLatestCell(F, Q);
    return cell == null ? "absent" : Bytes.toString(CellUtil.cloneValue(cell));
  }
}
