package vaquita.clients;

import static vaquita.clients.Text.b;
import static vaquita.clients.Text.values;
import static vaquita.clients.Text.versions;

import java.util.Arrays;
import java.util.function.Function;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.ColumnPrefixFilter;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;
import org.apache.hadoop.hbase.util.Bytes;

/** Single-row operations of Table. */
final class TableChecks {
  private static final byte[] F = b("f");
  private static final byte[] G = b("g");
  private static final byte[] Q = b("q");
  private static int deletedRows;

  static void run(Connection connection) throws Exception {
    Table table = Tables.create(connection, "rows", "f:3 g:1", "m");
    Check.section("get and put", () -> getAndPut(table));
    Check.section("get, restricted", () -> restrictedGets(table));
    Check.section("exists", () -> exists(table));
    Check.section("unusual bytes and sizes", () -> unusualCells(table));
    Check.section("put: TTL, durability, timestamps", () -> putAttributes(table));
    Check.section("delete", () -> deletes(table));
    Check.section("increment", () -> increments(table));
    Check.section("append", () -> appends(table));
    Check.section("mutateRow", () -> rowMutations(table));
    Check.section("unknown tables and families", () -> unknown(connection, table));
  }

  private static void getAndPut(Table table) throws Exception {
    Check.equal("a row that is not there", Text.NONE, values(table.get(new Get(b("nobody")))));
    table.put(new Put(b("r1")).addColumn(F, b("a"), 5, b("five")).addColumn(F, b("b"), 6, b("six")).addColumn(G, Q, 7, b("seven")));
    Check.equal("whole row", "r1 f:a@5=five f:b@6=six g:q@7=seven", versions(table.get(new Get(b("r1")))));
    Check.equal("a family", "r1 g:q@7=seven", versions(table.get(new Get(b("r1")).addFamily(G))));
    Check.equal("a column", "r1 f:b@6=six", versions(table.get(new Get(b("r1")).addColumn(F, b("b")))));
    Check.equal("a column that is not there", Text.NONE, values(table.get(new Get(b("r1")).addColumn(F, b("c")))));
    table.put(Arrays.asList(new Put(b("r2")).addColumn(F, Q, b("in the first region")),
                            new Put(b("x2")).addColumn(F, Q, b("in the second"))));
    Result[] results = table.get(Arrays.asList(new Get(b("x2")), new Get(b("nobody")), new Get(b("r2"))));
    Check.equal("a list of gets keeps its order", "x2 f:q=in the second | (none) | r2 f:q=in the first region",
                values(Arrays.asList(results)));
    long before = System.currentTimeMillis();
    table.put(new Put(b("now")).addColumn(F, Q, b("v")));
    long stamp = table.get(new Get(b("now"))).rawCells()[0].getTimestamp();
    Check.yes("the server's clock stamps a cell", stamp >= before && stamp <= System.currentTimeMillis());
  }

  private static void restrictedGets(Table table) throws Exception {
    byte[] row = b("versions");
    for (int i = 1; i <= 4; ++i) table.put(new Put(row).addColumn(F, Q, i, b("v" + i)).addColumn(F, b("q" + i), i, b("w" + i)));
    Get column = new Get(row).addColumn(F, Q);
    Check.equal("the newest", "versions f:q@4=v4", versions(table.get(column)));
    Check.equal("as many as the family keeps", "versions f:q@4=v4 f:q@3=v3 f:q@2=v2",
                versions(table.get(new Get(column).setMaxVersions())));
    Check.equal("two versions", "versions f:q@4=v4 f:q@3=v3", versions(table.get(new Get(column).setMaxVersions(2))));
    Check.equal("at a timestamp", "versions f:q@3=v3", versions(table.get(new Get(column).setTimeStamp(3))));
    Check.equal("a time range, its end excluded", "versions f:q@3=v3 f:q@2=v2",
                versions(table.get(new Get(column).setTimeRange(2, 4).setMaxVersions())));
    Check.equal("a time range of a family", "versions f:q@3=v3",
                versions(table.get(new Get(column).setColumnFamilyTimeRange(F, 2, 4))));
    Check.equal("the first columns of a family", "versions f:q@4=v4 f:q1@1=w1",
                versions(table.get(new Get(row).setMaxResultsPerColumnFamily(2))));
    Check.equal("columns after an offset", "versions f:q2@2=w2 f:q3@3=w3",
                versions(table.get(new Get(row).setMaxResultsPerColumnFamily(2).setRowOffsetPerColumnFamily(2))));
    Check.equal("a filter", "versions f:q3@3=w3", versions(table.get(new Get(row).setFilter(new ColumnPrefixFilter(b("q3"))))));
    Check.equal("cells are found in the result", "v4", Bytes.toString(table.get(new Get(row)).getValue(F, Q)));
  }

  private static void exists(Table table) throws Exception {
    Check.yes("a row", table.exists(new Get(b("r1"))));
    Check.no("no row", table.exists(new Get(b("nobody"))));
    Check.no("no such column", table.exists(new Get(b("r1")).addColumn(F, b("c"))));
    Check.equal("a list", "[true, false, true]",
                Arrays.toString(table.existsAll(Arrays.asList(new Get(b("x2")), new Get(b("nobody")), new Get(b("r1"))))));
    Result result = table.get(new Get(b("r1")).setCheckExistenceOnly(true));
    Check.equal("existence only: no cells", "true 0", result.getExists() + " " + result.size());
  }

  private static void unusualCells(Table table) throws Exception {
    byte[] row = {0, 1, 0, (byte) 0xff, 0};
    byte[] qualifier = {(byte) 0xff, 0, 10};
    byte[] value = {0, (byte) 0x80, 0};
    table.put(new Put(row).addColumn(F, qualifier, value).addColumn(F, new byte[0], new byte[0]));
    Result result = table.get(new Get(row));
    Check.yes("bytes of a row", Arrays.equals(row, result.getRow()));
    Check.yes("bytes of a qualifier and a value", Arrays.equals(value, result.getValue(F, qualifier)));
    Check.yes("an empty qualifier with an empty value", Arrays.equals(new byte[0], result.getValue(F, new byte[0])));

    byte[] large = new byte[5 << 20];
    Arrays.fill(large, (byte) 'x');
    large[large.length - 1] = 'y';
    table.put(new Put(b("large")).addColumn(F, Q, large));
    Check.yes("a value of 5 MiB", Arrays.equals(large, table.get(new Get(b("large"))).getValue(F, Q)));

    byte[] longRow = new byte[32_767];
    Arrays.fill(longRow, (byte) 'z');
    table.put(new Put(longRow).addColumn(F, Q, b("v")));
    Check.yes("the longest row", table.exists(new Get(longRow)));

    Put wide = new Put(b("wide"));
    for (int i = 0; i < 5_000; ++i) wide.addColumn(G, Bytes.toBytes(i), Bytes.toBytes(i));
    table.put(wide);
    Result cells = table.get(new Get(b("wide")));
    Check.equal("a row of many cells", 5_000, cells.size());
    Check.equal("one of them", 4_321, Bytes.toInt(cells.getValue(G, Bytes.toBytes(4_321))));
  }

  private static void putAttributes(Table table) throws Exception {
    for (Durability durability : Durability.values()) {
      table.put(new Put(b("durable")).addColumn(F, Q, b(durability.name())).setDurability(durability));
      Check.equal("written with", "durable f:q=" + durability, values(table.get(new Get(b("durable")))));
    }
    table.put(new Put(b("fleeting")).addColumn(F, b("soon"), b("v")).setTTL(100));
    table.put(new Put(b("fleeting")).addColumn(F, b("late"), b("v")).setTTL(3_600_000));
    Check.eventually("the end of a cell whose put has a TTL",
                     () -> values(table.get(new Get(b("fleeting")))).equals("fleeting f:late=v"));
    table.put(new Put(b("stamped"), 42).addColumn(F, Q, b("v")));
    Check.equal("a timestamp of the whole put", "stamped f:q@42=v", versions(table.get(new Get(b("stamped")))));
  }

  private static void deletes(Table table) throws Exception {
    Check.equal("the newest version", "f:q@2=b f:q@1=a f:r@3=c g:q@3=d", afterDelete(table, row -> new Delete(row).addColumn(F, Q)));
    Check.equal("a version", "f:q@3=c f:q@1=a f:r@3=c g:q@3=d", afterDelete(table, row -> new Delete(row).addColumn(F, Q, 2)));
    Check.equal("a column", "f:r@3=c g:q@3=d", afterDelete(table, row -> new Delete(row).addColumns(F, Q)));
    Check.equal("a column up to a time", "f:q@3=c f:r@3=c g:q@3=d", afterDelete(table, row -> new Delete(row).addColumns(F, Q, 2)));
    Check.equal("a family", "g:q@3=d", afterDelete(table, row -> new Delete(row).addFamily(F)));
    Check.equal("a family up to a time", "f:q@3=c f:r@3=c g:q@3=d", afterDelete(table, row -> new Delete(row).addFamily(F, 2)));
    Check.equal("a family's version", "f:q@2=b f:q@1=a g:q@3=d", afterDelete(table, row -> new Delete(row).addFamilyVersion(F, 3)));
    Check.equal("a row", "", afterDelete(table, Delete::new));
    Check.equal("a row up to a time", "f:q@3=c f:r@3=c g:q@3=d", afterDelete(table, row -> new Delete(row, 2)));
    table.delete(new Delete(b("nobody")));

    table.put(new Put(b("hidden")).addColumn(F, Q, 5, b("v")));
    table.delete(new Delete(b("hidden")).addColumns(F, Q, 9));
    table.put(new Put(b("hidden")).addColumn(F, Q, 8, b("later, but below the marker")));
    Check.equal("a marker hides what comes later below it", Text.NONE, values(table.get(new Get(b("hidden")))));
  }

  /** What is left of a fresh row's cells after a delete. */
  private static String afterDelete(Table table, Function<byte[], Delete> delete) throws Exception {
    byte[] row = b("deleted" + deletedRows++);
    table.put(new Put(row).addColumn(F, Q, 1, b("a")).addColumn(F, Q, 2, b("b")).addColumn(F, Q, 3, b("c"))
                  .addColumn(F, b("r"), 3, b("c")).addColumn(G, Q, 3, b("d")));
    table.delete(delete.apply(row));
    Result result = table.get(new Get(row).setMaxVersions());
    return result.isEmpty() ? "" : versions(result).substring(row.length + 1);
  }

  private static void increments(Table table) throws Exception {
    byte[] row = b("counter");
    Check.equal("from nothing", 5L, table.incrementColumnValue(row, F, Q, 5));
    Check.equal("downwards", 2L, table.incrementColumnValue(row, F, Q, -3));
    Check.equal("by zero, which reads", 2L, table.incrementColumnValue(row, F, Q, 0));
    Check.equal("without the log", 3L, table.incrementColumnValue(row, F, Q, 1, Durability.SKIP_WAL));
    Result result = table.increment(new Increment(row).addColumn(F, Q, 10).addColumn(F, b("r"), 1).addColumn(G, Q, 7));
    Check.equal("several columns", "13 1 7",
                Bytes.toLong(result.getValue(F, Q)) + " " + Bytes.toLong(result.getValue(F, b("r"))) + " "
                    + Bytes.toLong(result.getValue(G, Q)));
    Check.equal("with no results asked for", Text.NONE,
                values(table.increment(new Increment(row).addColumn(F, Q, 1).setReturnResults(false))));
    Check.equal("and still counted", 14L, Bytes.toLong(table.get(new Get(row)).getValue(F, Q)));
    table.put(new Put(b("word")).addColumn(F, Q, b("not a number")));
    DoNotRetryIOException refused = Check.fails("of what is no counter", DoNotRetryIOException.class,
                                                () -> table.incrementColumnValue(b("word"), F, Q, 1));
    if (refused != null) Check.holds("its message", "Field is not a long, it's 12 bytes wide", refused.getMessage());
  }

  private static void appends(Table table) throws Exception {
    byte[] row = b("text");
    Check.equal("to nothing", "text f:q=one", values(table.append(new Append(row).add(F, Q, b("one")))));
    Check.equal("several columns", "text f:q=one, two g:q=three",
                values(table.append(new Append(row).add(F, Q, b(", two")).add(G, Q, b("three")))));
    Result nothing = table.append(new Append(row).add(G, Q, b(", four")).setReturnResults(false));
    Check.equal("with no results asked for", Text.NONE, values(nothing));
    Check.equal("and still appended", "text f:q=one, two g:q=three, four", values(table.get(new Get(row))));
  }

  private static void rowMutations(Table table) throws Exception {
    byte[] row = b("mutated");
    table.put(new Put(row).addColumn(F, b("old"), b("v")));
    RowMutations mutations = new RowMutations(row);
    mutations.add(new Put(row).addColumn(F, b("new"), b("w")));
    mutations.add(new Delete(row).addColumns(F, b("old")));
    table.mutateRow(mutations);
    Check.equal("a put and a delete", "mutated f:new=w", values(table.get(new Get(row))));
    RowMutations bad = new RowMutations(row);
    bad.add(new Put(row).addColumn(F, b("newer"), b("x")));
    bad.add(new Put(row).addColumn(b("nofamily"), Q, b("x")));
    Check.fails("an unknown family", NoSuchColumnFamilyException.class, () -> table.mutateRow(bad));
    Check.equal("all or nothing", "mutated f:new=w", values(table.get(new Get(row))));
  }

  private static void unknown(Connection connection, Table table) throws Exception {
    byte[] bad = b("nofamily");
    Check.fails("put", NoSuchColumnFamilyException.class, () -> table.put(new Put(b("r")).addColumn(bad, Q, b("v"))));
    Check.fails("get", NoSuchColumnFamilyException.class, () -> table.get(new Get(b("r")).addFamily(bad)));
    Check.fails("delete", NoSuchColumnFamilyException.class, () -> table.delete(new Delete(b("r")).addFamily(bad)));
    Check.fails("increment", NoSuchColumnFamilyException.class, () -> table.incrementColumnValue(b("r"), bad, Q, 1));
    Check.fails("append", NoSuchColumnFamilyException.class, () -> table.append(new Append(b("r")).add(bad, Q, b("v"))));
    Check.fails("scan", NoSuchColumnFamilyException.class, () -> table.getScanner(bad).next());
    try (Table absent = connection.getTable(TableName.valueOf("absent"))) {
      Check.fails("get of an unknown table", TableNotFoundException.class, () -> absent.get(new Get(b("r"))));
      Check.fails("put to an unknown table", TableNotFoundException.class,
                  () -> absent.put(new Put(b("r")).addColumn(F, Q, b("v"))));
      Check.fails("scan of an unknown table", TableNotFoundException.class, () -> absent.getScanner(F).next());
    }
  }

  private TableChecks() {}
}
