package vaquita.clients;

import static vaquita.clients.Text.b;

import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.mapreduce.TableMapReduceUtil;
import org.apache.hadoop.hbase.mapreduce.TableMapper;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.output.NullOutputFormat;
import org.vaquita.rowkey.DistributedTable;
import org.vaquita.rowkey.DistributedTableInputFormat;
import org.vaquita.rowkey.RowKeyDistributor;

/** Jobs over distributed tables, by Hadoop's local runner. */
final class DistributorJobs {
  private static final TableName NAME = TableName.valueOf("job");
  private static final int ROWS = 300;
  /** What the mappers, which run in this process, were given. */
  private static final List<String> SEEN = Collections.synchronizedList(new ArrayList<>());

  private final Connection connection;
  private final Configuration configuration;

  DistributorJobs(Connection connection, Configuration configuration) {
    this.connection = connection;
    this.configuration = new Configuration(configuration);
    this.configuration.set("hadoop.tmp.dir", Paths.get("hadoop").toAbsolutePath().toString());
    this.configuration.setInt("mapreduce.client.completion.pollinterval", 50);
    this.configuration.setInt("mapreduce.client.progressmonitor.pollinterval", 50);
  }

  public static final class SeenMapper extends TableMapper<NullWritable, NullWritable> {
    @Override
    protected void setup(Context context) {
      context.getCounter("seen", "tasks").increment(1);
    }

    @Override
    protected void map(ImmutableBytesWritable key, Result row, Context context) {
      String text = Bytes.toStringBinary(key.get());
      SEEN.add(text.equals(Bytes.toStringBinary(row.getRow())) ? text : text + " is not the result's row");
    }
  }

  void run() throws Exception {
    Scan range = new Scan().withStartRow(b("0100"), false).withStopRow(b("0150"), true);
    Scan prefix = new Scan().setFilter(new PrefixFilter(b("02")));
    fill("OneBytePrefix(6)", true, "\1", "\2", "\2" + "0120", "\3");
    job("all rows, as the table says", null, new Scan(), 7, 0, ROWS);  // bucket 2 is in two regions; 3, 4 and 5 share one
    job("a range", null, range, 7, 101, 151);
    job("a filter", null, prefix, 7, 200, 300);
    fill("HashPrefix(OneByteSimpleHash(4))", false, "\2");
    job("all rows, as the job says", "HashPrefix(OneByteSimpleHash(4))", new Scan(), 4, 0, ROWS);
    job("a range", "HashPrefix(OneByteSimpleHash(4))", range, 4, 101, 151);
    fill("Identity()", false, "0200");
    job("of a plain table", null, range, 1, 101, 151);
    fill("BitReversal()", false, "L", "m");
    job("reversed bits", "BitReversal()", range, 3, 101, 151);
    Check.fails("reversed", IllegalArgumentException.class, () -> run("Identity()", new Scan().setReversed(true)));
  }

  private void fill(String kind, boolean describe, String... splits) throws Exception {
    RowKeyDistributor distributor = RowKeyDistributor.parse(kind);
    Table table = Tables.create(connection, NAME.getNameAsString(), "f:1", splits);
    if (describe) {
      try (Admin admin = connection.getAdmin()) {
        admin.modifyTable(distributor.store(Tables.descriptor(NAME, "f:1")).build());
      }
    }
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < ROWS; ++i) puts.add(new Put(b(row(i))).addColumn(b("f"), b("q"), b("v")));
    new DistributedTable(table, distributor).put(puts);
  }

  private static String row(int i) {
    return String.format("%04d", i);
  }

  private void job(String what, String kind, Scan scan, int maps, int begin, int end) throws Exception {
    SEEN.clear();
    Job job = run(kind, scan);
    Check.yes(what + ": done", job.isSuccessful());
    Check.equal(what + ": map tasks", (long) maps, job.getCounters().findCounter("seen", "tasks").getValue());
    List<String> expected = new ArrayList<>();
    for (int i = begin; i < end; ++i) expected.add(row(i));
    List<String> seen = new ArrayList<>(SEEN);
    Collections.sort(seen);
    Check.equal(what + ": rows", expected, seen);
  }

  private Job run(String kind, Scan scan) throws Exception {
    Job job = Job.getInstance(new Configuration(configuration), "seen");
    TableMapReduceUtil.initTableMapperJob(NAME.getNameAsString(), scan, SeenMapper.class, NullWritable.class, NullWritable.class, job, false,
                                          false, DistributedTableInputFormat.class);
    if (kind != null) DistributedTableInputFormat.setDistributor(job.getConfiguration(), RowKeyDistributor.parse(kind));
    job.setOutputFormatClass(NullOutputFormat.class);
    job.setNumReduceTasks(0);
    job.waitForCompletion(false);
    return job;
  }
}
