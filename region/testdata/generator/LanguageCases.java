import java.io.PrintStream;
import java.util.Random;
import org.apache.hadoop.hbase.filter.ParseFilter;

/** Strings of the filter language: the string as a token, then the filter, "! message" or, for Java's other exceptions, "!". */
final class LanguageCases {
  private static final Random RANDOM = new Random(7);

  private LanguageCases() {}

  static void write(PrintStream out) {
    for (String text : WRITTEN) print(out, text);
    for (int i = 0; i < 400; i++) print(out, expression(RANDOM.nextInt(4)));
    for (int i = 0; i < 600; i++) print(out, damage(expression(RANDOM.nextInt(3))));
  }

  private static void print(PrintStream out, String text) {
    out.println(Text.token(text));
    try {
      out.println("  " + FilterText.write(new ParseFilter().parseFilterString(text)));
    } catch (IllegalArgumentException e) {
      out.println("  ! " + Text.token(e.getMessage()));
    } catch (Exception e) {
      out.println("  !");
    }
  }

  private static final String[] WRITTEN = {
      "", " ", "()", "(", ")", "'", "x", "KeyOnlyFilter", "KeyOnlyFilter()", "KeyOnlyFilter ()", "  KeyOnlyFilter ( )  ", "KeyOnlyFilter(true)",
      "KeyOnlyFilter(True)", "KeyOnlyFilter('true')", "KeyOnlyFilter(1)", "KeyOnlyFilter(true, true)", "NoSuchFilter()", "(NoSuchFilter())",
      "FirstKeyOnlyFilter()", "FirstKeyOnlyFilter('x')", "PrefixFilter('row')", "PrefixFilter(row)", "PrefixFilter('')", "PrefixFilter('''')",
      "PrefixFilter('it''s')", "PrefixFilter('a)b')", "PrefixFilter('a(b')", "PrefixFilter('a AND b')", "PrefixFilter('a', 'b')", "PrefixFilter()",
      "PrefixFilter('row'", "PrefixFilter('row)", "PrefixFilter 'row'", "PrefixFilter ('row')", "prefixfilter('row')",
      "(PrefixFilter ('row2') AND (QualifierFilter (>=, 'binary:xyz'))) AND (TimestampsFilter ( 123, 456))",
      "PrefixFilter('r') AND KeyOnlyFilter()", "PrefixFilter('r')AND KeyOnlyFilter()", "PrefixFilter('r') ANDKeyOnlyFilter()",
      "PrefixFilter('r') AND(KeyOnlyFilter())", "PrefixFilter('r') and KeyOnlyFilter()", "AND KeyOnlyFilter()", "KeyOnlyFilter() AND",
      "KeyOnlyFilter() AND ", "KeyOnlyFilter() OR OR KeyOnlyFilter()", "KeyOnlyFilter() KeyOnlyFilter()", "SKIP KeyOnlyFilter()", "SKIP",
      "SKIP ", "WHILE KeyOnlyFilter()", "WHILE(KeyOnlyFilter())", "SKIP(SKIP KeyOnlyFilter())", "SKIP SKIP KeyOnlyFilter()",
      "SKIP WHILE KeyOnlyFilter()", "KeyOnlyFilter() SKIP", "\tKeyOnlyFilter()", "\nKeyOnlyFilter()", "KeyOnlyFilter()\n",
      "KeyOnlyFilter() AND FirstKeyOnlyFilter() OR PageFilter(1)", "KeyOnlyFilter() OR FirstKeyOnlyFilter() AND PageFilter(1)",
      "(KeyOnlyFilter() OR FirstKeyOnlyFilter()) AND PageFilter(1)", "KeyOnlyFilter() OR (FirstKeyOnlyFilter() AND PageFilter(1))",
      "(KeyOnlyFilter() OR FirstKeyOnlyFilter() AND PageFilter(1))", "(KeyOnlyFilter() OR SKIP FirstKeyOnlyFilter())",
      "PageFilter(1) OR (KeyOnlyFilter() OR SKIP FirstKeyOnlyFilter())", "((KeyOnlyFilter()))", "(KeyOnlyFilter()", "KeyOnlyFilter())",
      "PageFilter(0)", "PageFilter(-1)", "PageFilter(9223372036854775807)", "PageFilter(9223372036854775808)", "PageFilter(99999999999999999999)",
      "PageFilter('1')", "PageFilter(1.5)", "PageFilter()", "ColumnCountGetFilter(4)", "ColumnCountGetFilter(-4)", "ColumnCountGetFilter(2147483648)",
      "ColumnPaginationFilter(4, 0)", "ColumnPaginationFilter(4,0)", "ColumnPaginationFilter(4)", "ColumnPaginationFilter(4, -1)",
      "ColumnPaginationFilter(2, 'c')", "InclusiveStopFilter('row')", "TimestampsFilter()", "TimestampsFilter(5, 3, 5)", "TimestampsFilter(-5)",
      "TimestampsFilter('5')", "RowFilter(=, 'binary:abc')", "RowFilter(=,'binary:abc')", "RowFilter(<, 'binaryprefix:a')", "RowFilter(<=, 'binary:a:b')",
      "RowFilter(=, 'regexstring:a.*')", "RowFilter(=, 'regexstringnocase:a.*')", "RowFilter(!=, 'substring:Abc')", "RowFilter(<, 'substring:abc')",
      "RowFilter(>, 'regexstring:a')", "RowFilter(==, 'binary:a')", "RowFilter(=, 'abc')", "RowFilter(=, 'nothing:abc')", "RowFilter(=, binary:abc)",
      "RowFilter(=)", "RowFilter(=, 'binary:')", "RowFilter(=, 'BINARY:a')", "RowFilter(=, ':a')", "RowFilter('=', 'binary:a')",
      "FamilyFilter(>=, 'binary:f')", "QualifierFilter(!=, 'binaryprefix:q')", "ValueFilter(=, 'substring:v')", "ValueFilter (=,'binary:x y')",
      "ColumnPrefixFilter('p')", "MultipleColumnPrefixFilter('p', 'q', 'a')", "MultipleColumnPrefixFilter('p', 'p')", "MultipleColumnPrefixFilter()",
      "ColumnRangeFilter('a', true, 'b', false)", "ColumnRangeFilter('', true, '', false)", "ColumnRangeFilter('a', 1, 'b', false)",
      "ColumnRangeFilter(a, true, b, false)", "SingleColumnValueFilter('f', 'q', =, 'binary:v')",
      "SingleColumnValueFilter('f', 'q', =, 'binary:v', true, false)", "SingleColumnValueFilter('f', 'q', =, 'binary:v', true)",
      "SingleColumnValueFilter('f', 'q', <, 'substring:v')", "SingleColumnValueExcludeFilter('f', 'q', !=, 'regexstring:v', false, true)",
      "DependentColumnFilter('f', 'q')", "DependentColumnFilter('f', 'q', true)", "DependentColumnFilter('f', 'q', true, =, 'binary:v')",
      "DependentColumnFilter('f', 'q', true, <, 'substring:v')", "DependentColumnFilter('f')", "DependentColumnFilter('f', 'q', maybe)",
      "ColumnValueFilter('f', 'q', >, 'binary:v')", "ColumnValueFilter('f', 'q', >, 'substring:v')", "ColumnValueFilter('f', 'q')",
      "FuzzyRowFilter('a')", "PrefixFilter('a'x'b')", "PrefixFilter('a''')", "PrefixFilter('a''b', 'c''')", "PrefixFilter(''')", "PrefixFilter(' ')",
      "PrefixFilter('\u00e9')", "PrefixFilter('a' 'b')", "MultipleColumnPrefixFilter('a' 'b')", "MultipleColumnPrefixFilter('a'  'b')",
      "MultipleColumnPrefixFilter('a','b')", "MultipleColumnPrefixFilter('a'b'c')", "TimestampsFilter(1 2)", "TimestampsFilter(1,2,)", "ORFilter()",
      "SKIP (KeyOnlyFilter() AND PageFilter(1)) OR PageFilter(2)", "KeyOnlyFilter() AND PageFilter(1) AND PageFilter(2)",
      "KeyOnlyFilter() OR PageFilter(1) OR PageFilter(2)", "SKIP KeyOnlyFilter() AND WHILE PageFilter(1)",
  };

  private static final String[] SIMPLE = {"KeyOnlyFilter()", "FirstKeyOnlyFilter ()", "PrefixFilter('r''w')", "PageFilter(3)", "RowFilter(>=, 'binary:x')",
      "TimestampsFilter(1, 2)", "ColumnPrefixFilter ( 'c' )", "ValueFilter(=,'substring:v')", "ColumnRangeFilter('a',true,'c',false)"};

  private static String expression(int depth) {
    if (depth == 0) return SIMPLE[RANDOM.nextInt(SIMPLE.length)];
    switch (RANDOM.nextInt(5)) {
      case 0: return (RANDOM.nextBoolean() ? "SKIP " : "WHILE ") + expression(depth - 1);
      case 1: return "(" + expression(depth - 1) + ")";
      default:
        StringBuilder s = new StringBuilder(expression(depth - 1));
        for (int n = 1 + RANDOM.nextInt(2); n > 0; n--) s.append(RANDOM.nextBoolean() ? " AND " : " OR ").append(expression(depth - 1));
        return s.toString();
    }
  }

  private static String damage(String text) {
    StringBuilder s = new StringBuilder(text);
    for (int n = 1 + RANDOM.nextInt(2); n > 0 && s.length() > 0; n--) {
      int at = RANDOM.nextInt(s.length());
      switch (RANDOM.nextInt(3)) {
        case 0: s.deleteCharAt(at); break;
        case 1: s.insert(at, "() ',AOR=1".charAt(RANDOM.nextInt(10))); break;
        default: s.setCharAt(at, "() ',SD=1".charAt(RANDOM.nextInt(9))); break;
      }
    }
    return s.toString();
  }
}
