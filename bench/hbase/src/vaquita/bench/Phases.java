package vaquita.bench;

import java.io.IOException;
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
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * All phases share a table, its rows, threads, and a meter of the server's CPU time and memory. Prints a line for
 * each phase: operations, seconds, CPU seconds of the server's process, its resident memory in MB.
 */
abstract class Phases {
  static final byte[] FAMILY = Bytes.toBytes("f");
  static final byte[] VALUE = Bytes.toBytes("v");
  static final byte[] COUNTER = Bytes.toBytes("c");
  static final int THREADS = 8;
  static final int BATCH = 100;
  private static final int SHORT_SCAN = 50;

  /** One operation, number {@code i} of a phase; returns the rows it touched. */
  interface Operation {
    long run(Table table, long i) throws IOException;
  }

  interface Work {
    Void run(int thread) throws Exception;
  }

  final Connection connection;
  final TableName table;
  final long pid;
  final long rows;

  Phases(Connection connection, TableName table, long pid, long rows) {
    this.connection = connection;
    this.table = table;
    this.pid = pid;
    this.rows = rows;
  }

  /** Makes the table anew. */
  final void createTable(ColumnFamilyDescriptor family, byte[][] splits) throws IOException {
    dropTable();
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(TableDescriptorBuilder.newBuilder(table).setColumnFamily(family).build(), splits);
    }
  }

  final void dropTable() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      if (admin.tableExists(table)) {
        admin.disableTable(table);
        admin.deleteTable(table);
      }
    }
  }

  /** Returns the bounds of regions that have as many rows each. */
  static byte[][] evenSplits(int regions) {
    byte[][] splits = new byte[regions - 1][];
    for (int i = 1; i < regions; i++) {
      splits[i - 1] = key(Long.divideUnsigned(-1L, regions) * i);
    }
    return splits;
  }

  final void load() throws Exception {
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

  final long get(Table t, long i) throws IOException {
    long key = random(i, rows);
    check(Arrays.equals(t.get(new Get(row(key))).getValue(FAMILY, VALUE), value(key)), "value of row " + key);
    return 1;
  }

  final long multiGet(Table t, long call) throws IOException {
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

  final long scanAll(Table t) throws IOException {
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

  /** Reads 50 rows from a row that exists. The scan may end sooner, but only at the end of the table. */
  final long scanShort(Table t, long i) throws IOException {
    Scan scan = new Scan().withStartRow(row(i)).setLimit(SHORT_SCAN).setReadType(Scan.ReadType.PREAD);
    long n = 0;
    try (ResultScanner scanner = t.getScanner(scan)) {
      for (Result result : scanner) {
        check(n > 0 || Arrays.equals(result.getRow(), row(i)), "first row of a short scan");
        n++;
      }
    }
    check(n > 0 && n <= SHORT_SCAN, "a short scan gave " + n + " rows");
    return n;
  }

  /** Runs operations 0 to count - 1 in all threads and prints the phase's line. */
  final void phase(String name, long count, Operation operation) throws Exception {
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

  static void inThreads(Work work) throws Exception {
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

  /** Wall time, and the CPU time of the server and of this process, since its construction. */
  final class Meter {
    private final double cpu = cpuSeconds(Long.toString(pid));
    private final double clientCpu = cpuSeconds("self");
    private final long begin = System.nanoTime();

    void print(String name, long operations) throws IOException {
      double seconds = (System.nanoTime() - begin) / 1e9;
      System.out.printf("phase %s|operations %d seconds %.3f server_cpu %.3f client_cpu %.3f server_mb %d%n", name,
          operations, seconds, cpuSeconds(Long.toString(pid)) - cpu, cpuSeconds("self") - clientCpu, serverMegabytes());
    }

    Meter() throws IOException {}
  }

  private static double cpuSeconds(String process) throws IOException {
    String stat = Files.readString(Path.of("/proc/" + process + "/stat"));
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

  static void check(boolean ok, String what) {
    if (!ok) {
      throw new IllegalStateException("wrong: " + what);
    }
  }

  private static byte[] key(long number) {
    return Bytes.toBytes(String.format("%016x", number));
  }

  static byte[] row(long i) {
    return key(random(i, Long.MAX_VALUE) << 1);
  }

  static byte[] value(long i) {
    byte[] value = new byte[100];
    new Random(i).nextBytes(value);
    return value;
  }

  static Put put(long i) {
    return new Put(row(i)).addColumn(FAMILY, VALUE, value(i));
  }

  /** A number below {@code limit} that looks random and is always the same for {@code i}. */
  static long random(long i, long limit) {
    long z = (i + 1) * 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return Long.remainderUnsigned(z ^ (z >>> 31), limit);
  }
}
