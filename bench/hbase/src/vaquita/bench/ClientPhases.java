package vaquita.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The everyday phases of an HBase client against whatever listens at an address; every answer is checked. Prints one line
 * of "name value" pairs a phase: operations, seconds, CPU seconds of the server's process, its resident memory in MB.
 *
 * <p>Commands, one a line on standard input, so that one warm client serves several servers: {@code first ADDRESS} prints
 * the milliseconds from here to the first get of the first put; {@code phases ADDRESS PID ROWS} runs the phases.
 */
public final class ClientPhases {
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] VALUE = Bytes.toBytes("v");
  private static final byte[] COUNTER = Bytes.toBytes("c");
  private static final int THREADS = 8;
  private static final int REGIONS = 16;
  private static final int BATCH = 100;
  private static final int COUNTERS = 1000;

  /** One operation, number {@code i} of a phase; returns the rows it touched. */
  private interface Operation {
    long run(Table table, long i) throws IOException;
  }

  private final Connection connection;
  private final TableName table;
  private final long pid;
  private final long rows;

  private ClientPhases(Connection connection, TableName table, long pid, long rows) {
    this.connection = connection;
    this.table = table;
    this.pid = pid;
    this.rows = rows;
  }

  public static void main(String[] args) throws Exception {
    BufferedReader commands = new BufferedReader(new InputStreamReader(System.in));
    for (String line; (line = commands.readLine()) != null;) {
      String[] words = line.split(" ");
      long begin = System.nanoTime();
      try (Connection connection = connect(words[1])) {
        ClientPhases phases = new ClientPhases(connection, TableName.valueOf("phases"),
            words.length > 2 ? Long.parseLong(words[2]) : 0, words.length > 3 ? Long.parseLong(words[3]) : 0);
        if (words[0].equals("first")) {
          phases.firstPutAndGet(begin);
        } else {
          phases.runAll();
        }
      }
      System.out.println("done");
    }
  }

  private static Connection connect(String address) throws IOException {
    Configuration conf = HBaseConfiguration.create();
    conf.set("hbase.zookeeper.quorum", address.split(":")[0]);
    conf.set("hbase.zookeeper.property.clientPort", address.split(":")[1]);
    return ConnectionFactory.createConnection(conf);
  }

  private void firstPutAndGet(long begin) throws IOException {
    TableName first = TableName.valueOf("first");
    try (Admin admin = connection.getAdmin(); Table t = connection.getTable(first)) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(first).setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY)).build());
      t.put(put(0));
      check(Arrays.equals(t.get(new Get(row(0))).getValue(FAMILY, VALUE), value(0)), "first get");
    }
    System.out.printf("first milliseconds %d%n", (System.nanoTime() - begin) / 1_000_000);
  }

  private void runAll() throws Exception {
    createTable();
    load();
    phase("random get", rows / 5, (t, i) -> {
      long key = random(i, rows);
      check(Arrays.equals(t.get(new Get(row(key))).getValue(FAMILY, VALUE), value(key)), "value of row " + key);
      return 1;
    });
    phase("multi-get of 100", rows / 2 / BATCH, this::multiGet);
    phase("scan", 5, (t, i) -> scanAll(t));
    phase("increment", rows / 20, (t, i) -> {
      t.incrementColumnValue(row(i % COUNTERS), FAMILY, COUNTER, 1);
      return 1;
    });
    checkCounters();
    phase("check-and-mutate", rows / 20, (t, i) -> {
      Put put = put(i);
      check(t.checkAndMutate(CheckAndMutate.newBuilder(put.getRow()).ifEquals(FAMILY, VALUE, value(i)).build(put))
          .isSuccess(), "condition on row " + i);
      return 1;
    });
  }

  private void createTable() throws IOException {
    byte[][] splits = new byte[REGIONS - 1][];
    for (int i = 1; i < REGIONS; i++) {
      splits[i - 1] = Bytes.toBytes(String.format("%x", i));
    }
    try (Admin admin = connection.getAdmin()) {
      if (admin.tableExists(table)) {
        admin.disableTable(table);
        admin.deleteTable(table);
      }
      admin.createTable(
          TableDescriptorBuilder.newBuilder(table).setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY)).build(),
          splits);
    }
  }

  private void load() throws Exception {
    Meter meter = new Meter();
    inThreads(thread -> {
      try (BufferedMutator mutator = connection.getBufferedMutator(table)) {
        for (long i = thread; i < rows; i += THREADS) {
          mutator.mutate(put(i));
        }
      }
      return null;
    });
    meter.print("buffered load", rows);
  }

  private long multiGet(Table t, long call) throws IOException {
    List<Get> gets = new ArrayList<>();
    for (int j = 0; j < BATCH; j++) {
      gets.add(new Get(row(random(call * BATCH + j, rows))));
    }
    Result[] results = t.get(gets);
    for (int j = 0; j < BATCH; j++) {
      check(Arrays.equals(results[j].getValue(FAMILY, VALUE), value(random(call * BATCH + j, rows))), "multi-get");
    }
    return BATCH;
  }

  private long scanAll(Table t) throws IOException {
    long n = 0;
    byte[] last = new byte[0];
    try (ResultScanner scanner = t.getScanner(new Scan().addColumn(FAMILY, VALUE).setCaching(1000))) {
      for (Result result : scanner) {
        check(Bytes.compareTo(last, result.getRow()) < 0, "rows in order");
        last = result.getRow();
        n++;
      }
    }
    check(n == rows, "scan of " + rows + " rows gave " + n);
    return n;
  }

  private void checkCounters() throws IOException {
    long sum = 0;
    try (Table t = connection.getTable(table);
        ResultScanner scanner = t.getScanner(new Scan().addColumn(FAMILY, COUNTER))) {
      for (Result result : scanner) {
        sum += Bytes.toLong(result.getValue(FAMILY, COUNTER));
      }
    }
    check(sum == rows / 20, "counters add up to " + sum);
  }

  /** Runs operations 0 to count - 1 in all threads and prints the phase's line. */
  private void phase(String name, long count, Operation operation) throws Exception {
    AtomicLong next = new AtomicLong();
    AtomicLong done = new AtomicLong();
    Meter meter = new Meter();
    inThreads(thread -> {
      try (Table t = connection.getTable(table)) {
        for (long i; (i = next.getAndIncrement()) < count;) {
          done.addAndGet(operation.run(t, i));
        }
      }
      return null;
    });
    meter.print(name, done.get());
  }

  private interface Work {
    Void run(int thread) throws Exception;
  }

  private static void inThreads(Work work) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(THREADS);
    List<Future<Void>> futures = new ArrayList<>();
    for (int thread = 0; thread < THREADS; thread++) {
      int number = thread;
      futures.add(pool.submit(() -> work.run(number)));
    }
    try {
      for (Future<Void> future : futures) {
        future.get();
      }
    } catch (ExecutionException e) {
      throw new IOException(e.getCause());
    } finally {
      pool.shutdownNow();
    }
  }

  /** Wall time, and the server's CPU time, since its construction. */
  private final class Meter {
    private final double cpu = serverCpuSeconds();
    private final long begin = System.nanoTime();

    void print(String name, long operations) throws IOException {
      double seconds = (System.nanoTime() - begin) / 1e9;
      System.out.printf("phase %s|operations %d seconds %.3f server_cpu %.3f server_mb %d%n", name, operations, seconds,
          serverCpuSeconds() - cpu, serverMegabytes());
    }

    Meter() throws IOException {}
  }

  private double serverCpuSeconds() throws IOException {
    String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / 100.0; // utime, stime in clock ticks of 10 ms
  }

  private long serverMegabytes() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/status"))) {
      if (line.startsWith("VmRSS:")) {
        return Long.parseLong(line.replaceAll("[^0-9]", "")) / 1024;
      }
    }
    throw new IOException("no VmRSS of process " + pid);
  }

  private static void check(boolean ok, String what) {
    if (!ok) {
      throw new IllegalStateException("wrong: " + what);
    }
  }

  private static byte[] row(long i) {
    return Bytes.toBytes(String.format("%016x", random(i, Long.MAX_VALUE) << 1));
  }

  private static byte[] value(long i) {
    byte[] value = new byte[100];
    new Random(i).nextBytes(value);
    return value;
  }

  private static Put put(long i) {
    return new Put(row(i)).addColumn(FAMILY, VALUE, value(i));
  }

  /** A number below {@code limit} that looks random and is always the same for {@code i}. */
  private static long random(long i, long limit) {
    long z = (i + 1) * 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return Long.remainderUnsigned(z ^ (z >>> 31), limit);
  }
}
