package vaquita.clients;

import static vaquita.clients.Text.b;
import static vaquita.clients.Text.versions;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.mapreduce.CopyTable;
import org.apache.hadoop.hbase.mapreduce.Export;
import org.apache.hadoop.hbase.mapreduce.Import;
import org.apache.hadoop.hbase.mapreduce.ImportTsv;
import org.apache.hadoop.hbase.mapreduce.RowCounter;
import org.apache.hadoop.hbase.mapreduce.TableMapReduceUtil;
import org.apache.hadoop.hbase.mapreduce.TableMapper;
import org.apache.hadoop.hbase.mapreduce.TableReducer;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/** HBase's MapReduce tools, and a job of our own, by Hadoop's local runner. */
public final class MapReduce {
  private static final byte[] F = b("f");
  private static final byte[] Q = b("q");
  private static final int ROWS = 1_000;
  private static Configuration configuration;

  public static void main(String[] arguments) {
    Address address = Address.of(arguments);
    Check.program(() -> {
      configuration = address.configuration();
      configuration.set("hadoop.tmp.dir", Paths.get("hadoop").toAbsolutePath().toString());
      // A job's client looks every five seconds whether it is over.
      configuration.setInt("mapreduce.client.completion.pollinterval", 50);
      configuration.setInt("mapreduce.client.progressmonitor.pollinterval", 50);
      try (Connection connection = ConnectionFactory.createConnection(configuration)) {
        Tables.dropAll(connection);
        Table table = Tables.create(connection, "rows", "f:3 g:1", "row300", "row600");
        fill(table);
        Check.section("RowCounter", () -> rowCounter());
        Check.section("Export and Import", () -> exportAndImport(connection, table));
        Check.section("CopyTable", () -> copyTable(connection, table));
        Check.section("ImportTsv", () -> importTsv(connection));
        Check.section("a job of our own", () -> ownJob(connection));
        Tables.dropAll(connection);
      }
    });
  }

  private static void fill(Table table) throws Exception {
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < ROWS; ++i) {
      puts.add(new Put(b(String.format("row%03d", i))).addColumn(F, Q, 1, b("old " + i)).addColumn(F, Q, 2, b("new " + i))
                   .addColumn(b("g"), b("mod"), 3, b("" + i % 7)));
    }
    table.put(puts);
    table.delete(new Delete(b("row500")).addColumn(F, Q, 2));
  }

  private static int run(Tool tool, String... arguments) throws Exception {
    return ToolRunner.run(new Configuration(configuration), tool, arguments);
  }

  private static void rowCounter() throws Exception {
    Check.equal("as many as there are", 0, run(new RowCounter(), "--expectedCount=" + ROWS, "rows"));
    Check.equal("in a range", 0, run(new RowCounter(), "--expectedCount=100", "rows", "--range=row250,row350"));
    Check.equal("with a column", 0, run(new RowCounter(), "--expectedCount=" + ROWS, "rows", "g:mod"));
    Check.equal("another number is told", 1, run(new RowCounter(), "--expectedCount=7", "rows"));
  }

  private static void sameRows(String what, Table expected, Table got) throws Exception {
    String all = versions(expected, new Scan().setMaxVersions().setCaching(ROWS));
    Check.yes(what, all.length() > 10 * ROWS && all.equals(versions(got, new Scan().setMaxVersions().setCaching(ROWS))));
  }

  private static void exportAndImport(Connection connection, Table table) throws Exception {
    Check.equal("export of all versions", 0, run(new Export(), "rows", "exported", "3"));
    Check.equal("a file for each region", 3L,
                Files.list(Paths.get("exported")).filter(file -> file.getFileName().toString().startsWith("part-")).count());
    Table imported = Tables.create(connection, "imported", "f:3 g:1", "row500");
    Check.equal("import", 0, run(new Import(), "imported", "exported"));
    sameRows("the same versions", table, imported);
    Check.equal("export of a time range", 0, run(new Export(), "rows", "early", "1", "1", "2"));
    Table early = Tables.create(connection, "early", "f:3 g:1");
    Check.equal("import of it", 0, run(new Import(), "early", "early"));
    Check.equal("the old values", "row007 f:q@1=old 7", versions(early, new Scan().withStartRow(b("row007")).setLimit(1)));
  }

  private static void copyTable(Connection connection, Table table) throws Exception {
    Table copy = Tables.create(connection, "copied", "f:3 g:1", "row100");
    Check.equal("all versions", 0, run(new CopyTable(), "--versions=3", "--new.name=copied", "rows"));
    sameRows("the same versions", table, copy);
    Table part = Tables.create(connection, "part", "h:1");
    Check.equal("a family under another name, some rows", 0,
                run(new CopyTable(), "--families=g:h", "--startrow=row010", "--stoprow=row012", "--new.name=part", "rows"));
    Check.equal("those", "row010 h:mod@3=3 | row011 h:mod@3=4", versions(part, new Scan()));
  }

  private static void importTsv(Connection connection) throws Exception {
    Table table = Tables.create(connection, "tsv", "f:1", "k500");
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < ROWS; ++i) lines.add(String.format("k%03d\t%d\ttext of %d", i, i, i));
    lines.add("a bad line");
    Path folder = Files.createDirectory(Paths.get("tsv"));
    Files.write(folder.resolve("rows.tsv"), lines);
    Check.equal("import", 0, run(new ImportTsv(), "-Dimporttsv.columns=HBASE_ROW_KEY,f:number,f:text", "-Dimporttsv.timestamp=5",
                                 "tsv", folder.toString()));
    Check.equal("rows", ROWS, vaquita.clients.Text.rows(table, new Scan()).split(" ").length);
    Check.equal("a row", "k042 f:number@5=42 f:text@5=text of 42", versions(table, new Scan().withStartRow(b("k042")).setLimit(1)));
  }

  /** Rows by the value of g:mod. */
  public static final class ModMapper extends TableMapper<Text, LongWritable> {
    @Override
    protected void map(ImmutableBytesWritable key, Result row, Context context) throws IOException, InterruptedException {
      context.write(new Text(row.getValue(b("g"), b("mod"))), new LongWritable(1));
    }
  }

  public static final class SumReducer extends TableReducer<Text, LongWritable, ImmutableBytesWritable> {
    @Override
    protected void reduce(Text mod, Iterable<LongWritable> ones, Context context) throws IOException, InterruptedException {
      long sum = 0;
      for (LongWritable one : ones) sum += one.get();
      byte[] row = b("mod" + mod);
      context.write(new ImmutableBytesWritable(row), new Put(row).addColumn(F, Q, 9, b("" + sum)));
    }
  }

  private static void ownJob(Connection connection) throws Exception {
    Table sums = Tables.create(connection, "sums", "f:1");
    Job job = Job.getInstance(new Configuration(configuration), "sums");
    TableMapReduceUtil.initTableMapperJob("rows", new Scan().addFamily(b("g")).setCaching(100), ModMapper.class,
                                          Text.class, LongWritable.class, job, false);
    TableMapReduceUtil.initTableReducerJob("sums", SumReducer.class, job, null, null, null, null, false);
    Check.yes("done", job.waitForCompletion(false));
    Check.equal("sums", "mod0=143 mod1=143 mod2=143 mod3=143 mod4=143 mod5=143 mod6=142",
                versions(sums, new Scan()).replace(" f:q@9", "").replace(" | ", " "));
  }

  private MapReduce() {}
}
