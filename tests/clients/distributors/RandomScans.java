package vaquita.clients;

import static vaquita.clients.Text.b;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.BinaryPrefixComparator;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.InclusiveStopFilter;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.filter.SkipFilter;
import org.apache.hadoop.hbase.filter.ValueFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.vaquita.rowkey.DistributedTable;
import org.vaquita.rowkey.RowKeyDistributor;

/** Random scans of distributed tables give what they give on a table with the original keys. */
final class RandomScans {
  private static final int ROWS = 200;
  private static final int SCANS = 60;
  private static final byte[] BYTES = {0, 1, 'a', 'b', -1};

  private final Random random = new Random(20130101);

  static void compare(Connection connection, String... kinds) throws Exception {
    new RandomScans().run(connection, kinds);
  }

  private void run(Connection connection, String... kinds) throws Exception {
    List<Put> puts = puts();
    Table plain = Tables.create(connection, "plain", "f:1", "a", "b");
    plain.put(puts);
    List<DistributedTable> tables = new ArrayList<>();
    for (String kind : kinds) {
      Table table = Tables.create(connection, "random" + tables.size(), "f:1", "\1", "\2a", "\5", "b");
      tables.add(new DistributedTable(table, RowKeyDistributor.parse(kind)));
      tables.get(tables.size() - 1).put(puts);
    }
    for (int i = 0; i < SCANS; ++i) {
      Scan scan = next();
      String expected = Text.versions(plain, new Scan(scan));
      for (DistributedTable table : tables) {
        try (ResultScanner scanner = table.getScanner(scan)) {
          Check.equal(table.getDistributor() + " scan " + i + " " + scan, expected, Text.versions(scanner));
        }
      }
    }
  }

  private byte[] key() {
    byte[] key = new byte[1 + random.nextInt(4)];
    for (int i = 0; i < key.length; ++i) key[i] = BYTES[random.nextInt(BYTES.length)];
    return key;
  }

  private List<Put> puts() {
    TreeSet<byte[]> keys = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    while (keys.size() < ROWS) keys.add(key());
    List<Put> puts = new ArrayList<>();
    for (byte[] key : keys) {
      Put put = new Put(key).addColumn(b("f"), b("a"), 1 + random.nextInt(5), b("" + random.nextInt(3)));
      if (random.nextBoolean()) put.addColumn(b("f"), b("b"), 1 + random.nextInt(5), b("" + random.nextInt(3)));
      puts.add(put);
    }
    return puts;
  }

  private Scan next() throws Exception {
    byte[] low = random.nextInt(3) == 0 ? new byte[0] : key();
    byte[] high = random.nextInt(3) == 0 ? new byte[0] : key();
    if (high.length > 0 && Bytes.compareTo(high, low) < 0) {
      byte[] other = low;
      low = high;
      high = other;
    }
    boolean reversed = random.nextInt(3) == 0;
    Scan scan = new Scan().setReversed(reversed);
    scan.withStartRow(reversed ? high : low, random.nextBoolean()).withStopRow(reversed ? low : high, random.nextBoolean());
    if (random.nextBoolean()) scan.setLimit(1 + random.nextInt(30));
    if (random.nextBoolean()) scan.setCaching(1 + random.nextInt(10));
    if (random.nextInt(5) == 0) scan.setTimeRange(2, 4);
    if (random.nextBoolean()) scan.setFilter(filter(reversed));
    return scan;
  }

  private RowFilter rowFilter() {
    CompareOperator operator = CompareOperator.values()[random.nextInt(6)];
    return new RowFilter(operator, random.nextBoolean() ? new BinaryComparator(key()) : new BinaryPrefixComparator(key()));
  }

  private Filter filter(boolean reversed) {
    switch (random.nextInt(reversed ? 6 : 7)) {
      case 0:
        return new PrefixFilter(Arrays.copyOf(key(), 1));
      case 1:
        return new InclusiveStopFilter(key());
      case 2:
        return rowFilter();
      case 3:
        return new SkipFilter(rowFilter());
      case 4:
        return new FilterList(FilterList.Operator.MUST_PASS_ONE, rowFilter(),
                              new ValueFilter(CompareOperator.EQUAL, new BinaryComparator(b("1"))));
      case 5:
        return new ValueFilter(CompareOperator.NOT_EQUAL, new BinaryComparator(b("1")));
      default:
        return new MultiRowRangeFilter(Arrays.asList(new MultiRowRangeFilter.RowRange("", true, "\1", false),
                                                     new MultiRowRangeFilter.RowRange("a", false, "b", true),
                                                     new MultiRowRangeFilter.RowRange("b\1", true, "", false)));
    }
  }

  private RandomScans() {}
}
