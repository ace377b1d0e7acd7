package vaquita.clients;

import static vaquita.clients.Text.b;
import static vaquita.clients.Text.rows;
import static vaquita.clients.Text.values;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.BinaryPrefixComparator;
import org.apache.hadoop.hbase.filter.BitComparator;
import org.apache.hadoop.hbase.filter.ColumnCountGetFilter;
import org.apache.hadoop.hbase.filter.ColumnPaginationFilter;
import org.apache.hadoop.hbase.filter.ColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.ColumnRangeFilter;
import org.apache.hadoop.hbase.filter.CompareFilter.CompareOp;
import org.apache.hadoop.hbase.filter.DependentColumnFilter;
import org.apache.hadoop.hbase.filter.FamilyFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.FuzzyRowFilter;
import org.apache.hadoop.hbase.filter.InclusiveStopFilter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.filter.LongComparator;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter;
import org.apache.hadoop.hbase.filter.MultipleColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.NullComparator;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.filter.ParseFilter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.filter.QualifierFilter;
import org.apache.hadoop.hbase.filter.RandomRowFilter;
import org.apache.hadoop.hbase.filter.RegexStringComparator;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueExcludeFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.filter.SkipFilter;
import org.apache.hadoop.hbase.filter.SubstringComparator;
import org.apache.hadoop.hbase.filter.TimestampsFilter;
import org.apache.hadoop.hbase.filter.ValueFilter;
import org.apache.hadoop.hbase.filter.WhileMatchFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;

/** Every filter and comparator that all versions have, as a client sends it. */
final class FilterChecks {
  private static final byte[] F = b("f");
  private static final byte[] G = b("g");

  static void run(Connection connection) throws Exception {
    Table table = Tables.create(connection, "filters", "f:2 g:1", "r3");
    for (int i = 1; i <= 4; ++i) {
      table.put(new Put(b("r" + i)).addColumn(F, b("a"), i, b("v" + i)).addColumn(F, b("ab"), 7, b("same"))
                    .addColumn(G, b("n"), 7, Bytes.toBytes((long) i)));
    }
    table.put(new Put(b("s1")).addColumn(F, b("c"), 9, b("other")));
    Check.section("filters: rows", () -> ofRows(table));
    Check.section("filters: columns", () -> ofColumns(table));
    Check.section("filters: values", () -> ofValues(table));
    Check.section("filters: comparators", () -> comparators(table));
    Check.section("filters: lists and wrappers", () -> combined(table));
    Check.section("filters: by the filter language", () -> language(table));
  }

  private static void keeps(Table table, String expected, Filter filter) throws Exception {
    Check.equal(filter.toString(), expected, rows(table, new Scan().setFilter(filter)));
  }

  /** Of family f alone, whose values can be printed. */
  private static void shows(Table table, String expected, Filter filter) throws Exception {
    Check.equal(filter.toString(), expected, values(table, new Scan().addFamily(F).setFilter(filter)));
  }

  private static void ofRows(Table table) throws Exception {
    keeps(table, "r2", new RowFilter(CompareOp.EQUAL, new BinaryComparator(b("r2"))));
    keeps(table, "r1 r3 r4 s1", new RowFilter(CompareOp.NOT_EQUAL, new BinaryComparator(b("r2"))));
    keeps(table, "r1", new RowFilter(CompareOp.LESS, new BinaryComparator(b("r2"))));
    keeps(table, "r1 r2", new RowFilter(CompareOp.LESS_OR_EQUAL, new BinaryComparator(b("r2"))));
    keeps(table, "r4 s1", new RowFilter(CompareOp.GREATER, new BinaryComparator(b("r3"))));
    keeps(table, "r3 r4 s1", new RowFilter(CompareOp.GREATER_OR_EQUAL, new BinaryComparator(b("r3"))));
    keeps(table, "s1", new PrefixFilter(b("s")));
    keeps(table, "r1 r2 r3", new InclusiveStopFilter(b("r3")));
    keeps(table, "r1 r3", new PageFilter(1));
    keeps(table, "r1 r2 r3 r4 s1", new RandomRowFilter(2.0f));
    keeps(table, Text.NONE, new RandomRowFilter(-1.0f));
    keeps(table, "r1 r2 s1", new MultiRowRangeFilter(Arrays.asList(
        new MultiRowRangeFilter.RowRange("r1", true, "r3", false), new MultiRowRangeFilter.RowRange("s", true, "t", true))));
    keeps(table, "r1 s1", new FuzzyRowFilter(Arrays.asList(new Pair<>(new byte[] {'?', '1'}, new byte[] {1, 0}))));
  }

  private static void ofColumns(Table table) throws Exception {
    keeps(table, "r1 r2 r3 r4", new FamilyFilter(CompareOp.EQUAL, new BinaryComparator(G)));
    shows(table, "s1 f:c=other", new QualifierFilter(CompareOp.GREATER, new BinaryComparator(b("b"))));
    shows(table, "r1 f:a=v1 | r2 f:a=v2 | r3 f:a=v3 | r4 f:a=v4 | s1 f:c=other", new FirstKeyOnlyFilter());
    shows(table, "r1 f:a= f:ab= | r2 f:a= f:ab= | r3 f:a= f:ab= | r4 f:a= f:ab= | s1 f:c=", new KeyOnlyFilter());
    shows(table, "r1 f:ab=same | r2 f:ab=same | r3 f:ab=same | r4 f:ab=same", new ColumnPrefixFilter(b("ab")));
    shows(table, "r1 f:ab=same | r2 f:ab=same | r3 f:ab=same | r4 f:ab=same | s1 f:c=other",
          new MultipleColumnPrefixFilter(new byte[][] {b("c"), b("ab")}));
    shows(table, "r1 f:ab=same | r2 f:ab=same | r3 f:ab=same | r4 f:ab=same", new ColumnRangeFilter(b("a"), false, b("c"), false));
    shows(table, "s1 f:c=other", new ColumnRangeFilter(b("b"), true, null, true));
    shows(table, "r1 f:ab=same | r2 f:ab=same | r3 f:ab=same | r4 f:ab=same", new ColumnPaginationFilter(1, 1));
    shows(table, "r1 f:ab=same | r2 f:ab=same | r3 f:ab=same | r4 f:ab=same | s1 f:c=other",
          new ColumnPaginationFilter(5, b("aa")));
    shows(table, "r3 f:a=v3 | s1 f:c=other", new TimestampsFilter(Arrays.asList(3L, 9L)));
    Check.equal("the first columns of a get", "r1 f:a=v1",
                values(table.get(new Get(b("r1")).setFilter(new ColumnCountGetFilter(1)))));
    Check.equal("DependentColumnFilter", "r3 f:a=v3",
                values(table, new Scan().withStartRow(b("r3")).withStopRow(b("r4")).addFamily(F)
                    .setFilter(new DependentColumnFilter(F, b("a"), false))));
  }

  private static void ofValues(Table table) throws Exception {
    shows(table, "r2 f:a=v2", new ValueFilter(CompareOp.EQUAL, new BinaryComparator(b("v2"))));
    keeps(table, "r3 s1", new SingleColumnValueFilter(F, b("a"), CompareOp.EQUAL, b("v3")));
    SingleColumnValueFilter strict = new SingleColumnValueFilter(F, b("a"), CompareOp.EQUAL, b("v3"));
    strict.setFilterIfMissing(true);
    shows(table, "r3 f:a=v3 f:ab=same", strict);
    SingleColumnValueExcludeFilter exclude = new SingleColumnValueExcludeFilter(F, b("a"), CompareOp.EQUAL, b("v3"));
    exclude.setFilterIfMissing(true);
    shows(table, "r3 f:ab=same", exclude);
    table.put(new Put(b("r1")).addColumn(F, b("a"), 50, b("newer")));
    keeps(table, "s1", new SingleColumnValueFilter(F, b("a"), CompareOp.EQUAL, b("v1")));
    SingleColumnValueFilter older = new SingleColumnValueFilter(F, b("a"), CompareOp.EQUAL, b("v1"));
    older.setFilterIfMissing(true);
    older.setLatestVersionOnly(false);
    Check.equal("any version", "r1", rows(table, new Scan().setMaxVersions().setFilter(older)));
    table.delete(new Delete(b("r1")).addColumn(F, b("a"), 50));
  }

  private static void comparators(Table table) throws Exception {
    keeps(table, "r1 r2 r3 r4", new RowFilter(CompareOp.EQUAL, new BinaryPrefixComparator(b("r"))));
    keeps(table, "r1 s1", new RowFilter(CompareOp.EQUAL, new RegexStringComparator("^.1$")));
    keeps(table, "r2 r3 r4", new RowFilter(CompareOp.NOT_EQUAL, new RegexStringComparator("1$")));
    keeps(table, "r2", new RowFilter(CompareOp.EQUAL, new SubstringComparator("R2")));
    keeps(table, "r1 r2 r3 r4 s1", new RowFilter(CompareOp.NOT_EQUAL, new NullComparator()));
    keeps(table, "r1 r3 s1", new RowFilter(CompareOp.EQUAL, new BitComparator(new byte[] {0, 1}, BitComparator.BitwiseOp.AND)));
    SingleColumnValueFilter number = new SingleColumnValueFilter(G, b("n"), CompareOp.GREATER, new LongComparator(2));
    number.setFilterIfMissing(true);
    keeps(table, "r3 r4", number);
  }

  private static void combined(Table table) throws Exception {
    Filter low = new RowFilter(CompareOp.LESS, new BinaryComparator(b("r3")));
    Filter ones = new RowFilter(CompareOp.EQUAL, new RegexStringComparator("1$"));
    keeps(table, "r1", new FilterList(FilterList.Operator.MUST_PASS_ALL, low, ones));
    keeps(table, "r1 r2 s1", new FilterList(FilterList.Operator.MUST_PASS_ONE, low, ones));
    keeps(table, "r1 r2 r3 r4 s1", new FilterList(FilterList.Operator.MUST_PASS_ALL));
    keeps(table, "s1", new FilterList(FilterList.Operator.MUST_PASS_ALL, new PrefixFilter(b("s")),
                                      new FilterList(FilterList.Operator.MUST_PASS_ONE, low, ones)));
    keeps(table, "s1", new SkipFilter(new QualifierFilter(CompareOp.EQUAL, new BinaryComparator(b("c")))));
    shows(table, "r1 f:a=v1 f:ab=same", new WhileMatchFilter(new FilterList(
        FilterList.Operator.MUST_PASS_ALL, new RowFilter(CompareOp.EQUAL, new BinaryComparator(b("r1"))))));
    List<Filter> many = new ArrayList<>();
    for (int i = 0; i < 500; ++i) many.add(new RowFilter(CompareOp.EQUAL, new BinaryComparator(b("r" + i))));
    keeps(table, "r1 r2 r3 r4", new FilterList(FilterList.Operator.MUST_PASS_ONE, many));
  }

  private static void language(Table table) throws Exception {
    ParseFilter parser = new ParseFilter();
    keeps(table, "r2", parser.parseFilterString("RowFilter(=, 'binary:r2')"));
    keeps(table, "r1 s1", parser.parseFilterString("PrefixFilter('s') OR (PrefixFilter('r') AND RowFilter(<, 'binary:r2'))"));
    shows(table, "r4 f:a=v4", parser.parseFilterString("ValueFilter(=, 'substring:4') AND FamilyFilter(=, 'binary:f')"));
    keeps(table, "r1 r3", parser.parseFilterString("PageFilter(1)"));
  }

  private FilterChecks() {}
}
