package vaquita.phoenix;

import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.List;
import java.util.TimeZone;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.CoprocessorDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import vaquita.clients.ThinAnswers;

/**
 * Writes tables by the SQL of one server, copies their cells to another by HBase's client, and asks both the same queries. The
 * file's statements before the first SELECT write; all tables that are not Phoenix's own are copied. Tables that go to Phoenix get
 * its coprocessors, which Vaquita's do not name.
 */
public final class Exchange {
  private static final int PRIORITY = 805306366;
  private static final List<String> OF_ALL = List.of("org.apache.phoenix.coprocessor.ScanRegionObserver",
      "org.apache.phoenix.coprocessor.UngroupedAggregateRegionObserver", "org.apache.phoenix.coprocessor.GroupedAggregateRegionObserver",
      "org.apache.phoenix.coprocessor.ServerCachingEndpointImpl");
  private static final String OF_TABLE = "org.apache.phoenix.hbase.index.IndexRegionObserver";
  private static final String OF_INDEX = "org.apache.phoenix.index.GlobalIndexChecker";

  private static Connection hbase(String address) throws Exception {
    Configuration configuration = HBaseConfiguration.create();
    configuration.set("hbase.zookeeper.quorum", address.replaceAll(":.*", ""));
    configuration.set("hbase.zookeeper.property.clientPort", address.replaceAll(".*:", ""));
    return ConnectionFactory.createConnection(configuration);
  }

  private static java.sql.Connection sql(String address) throws Exception {
    java.sql.Connection connection = DriverManager.getConnection("jdbc:phoenix:thin:url=http://" + address + ";serialization=PROTOBUF");
    connection.setAutoCommit(true);
    return connection;
  }

  /** Makes the table as it is on the other side, with Phoenix's coprocessors if they are known there. */
  private static void create(Admin from, Admin to, TableName name, boolean phoenix) throws Exception {
    TableDescriptor descriptor = from.getDescriptor(name);
    TableDescriptorBuilder builder = TableDescriptorBuilder.newBuilder(descriptor);
    descriptor.getCoprocessorDescriptors().forEach(c -> builder.removeCoprocessor(c.getClassName()));
    if (phoenix) {
      List<String> classes = new ArrayList<>(OF_ALL);
      classes.add(descriptor.getValue("DATA_TABLE_NAME") == null ? OF_TABLE : OF_INDEX);
      for (String each : classes) {
        CoprocessorDescriptorBuilder coprocessor = CoprocessorDescriptorBuilder.newBuilder(each).setPriority(PRIORITY);
        if (each.equals(OF_TABLE)) {
          coprocessor.setProperty("index.builder", "org.apache.phoenix.index.PhoenixIndexBuilder")
              .setProperty("org.apache.hadoop.hbase.index.codec.class", "org.apache.phoenix.index.PhoenixIndexCodec");
        }
        builder.setCoprocessor(coprocessor.build());
      }
    }
    byte[][] splits = from.getRegions(name).stream().map(r -> r.getStartKey()).filter(k -> k.length > 0).sorted(Bytes::compareTo).toArray(byte[][]::new);
    if (splits.length == 0) {
      to.createTable(builder.build());
    } else {
      to.createTable(builder.build(), splits);
    }
  }

  /** Copies all cells, deletions and older versions too, with their times. */
  private static int copy(Connection from, Connection to, TableName name) throws Exception {
    List<Mutation> mutations = new ArrayList<>();
    try (Table source = from.getTable(name); ResultScanner scanner = source.getScanner(new Scan().setRaw(true).readAllVersions())) {
      for (Result row : scanner) {
        for (Cell cell : row.rawCells()) {
          if (Bytes.toString(CellUtil.cloneRow(cell)).startsWith("\0SYSTEM\0")) {
            continue;
          }
          boolean isPut = cell.getType() == Cell.Type.Put;
          mutations.add(isPut ? new Put(row.getRow()).add(cell) : new Delete(row.getRow()).add(cell));
        }
      }
    }
    try (Table target = to.getTable(name)) {
      target.batch(mutations, new Object[mutations.size()]);
    }
    return mutations.size();
  }

  public static void main(String[] arguments) throws Exception {
    TimeZone.setDefault(TimeZone.getTimeZone("UTC"));
    if (arguments.length != 6) {
      throw new IllegalArgumentException("usage: Exchange FROM FROM_ZOOKEEPER TO TO_ZOOKEEPER to-phoenix|to-vaquita FILE   (servers are HOST:PORT)");
    }
    List<String> statements = Compare.statementsOf(Path.of(arguments[5]));
    int differences = 0;
    int queries = 0;
    try (java.sql.Connection from = sql(arguments[0]); Connection source = hbase(arguments[1]); Connection target = hbase(arguments[3]);
         Admin sourceAdmin = source.getAdmin(); Admin targetAdmin = target.getAdmin()) {
      int at = 0;
      for (; at < statements.size() && !statements.get(at).startsWith("SELECT"); at++) {
        List<String> answer = ThinAnswers.run(from, statements.get(at));
        if (answer.get(0).startsWith("error")) {
          throw new IllegalStateException(statements.get(at) + ": " + answer);
        }
      }
      int cells = 0;
      int tables = 0;
      for (TableName name : sourceAdmin.listTableNames()) {
        if (name.getNameAsString().startsWith("SYSTEM.")) {
          continue;
        }
        create(sourceAdmin, targetAdmin, name, arguments[4].equals("to-phoenix"));
        cells += copy(source, target, name);
        tables++;
      }
      try (java.sql.Connection to = sql(arguments[2])) {
        if (arguments[4].equals("to-vaquita")) {  // it makes the catalog's tables when SQL first needs them
          ThinAnswers.run(to, "CREATE TABLE EXCHANGE_BEGINS (ID INTEGER PRIMARY KEY)");
          ThinAnswers.run(to, "CREATE VIEW EXCHANGE_BEGINS_V AS SELECT * FROM EXCHANGE_BEGINS");
          ThinAnswers.run(to, "CREATE SEQUENCE EXCHANGE_BEGINS_S");
        }
        for (String name : List.of("SYSTEM.CATALOG", "SYSTEM.CHILD_LINK", "SYSTEM.SEQUENCE")) {
          if (sourceAdmin.tableExists(TableName.valueOf(name))) {
            cells += copy(source, target, TableName.valueOf(name));
          }
        }
        System.out.println(tables + " tables, " + cells + " cells copied");
        for (; at < statements.size(); at++, queries++) {
          List<String> expected = Compare.ask(from, statements.get(at));
          List<String> got = Compare.ask(to, statements.get(at));
          if (!expected.equals(got)) {
            differences++;
            System.out.println("DIFFERENT: " + statements.get(at) + "\n  from: " + String.join("\n        ", expected) + "\n  to:   "
                + String.join("\n        ", got));
          }
        }
      }
    }
    System.out.println(queries + " queries, " + differences + " answers differ");
    System.exit(differences == 0 && queries > 0 ? 0 : 1);
  }
}
