import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.filter.*;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;

/** The filters of a script: HBase's filter language, or a form in parentheses for what that cannot say. */
final class Filters {
  private Filters() {}

  static Filter parse(String text) throws Exception {
    return text.startsWith("(") && isForm(text) ? form(text) : new ParseFilter().parseFilterString(Words.bytes(text));
  }

  // The filter language starts a parenthesis with a filter's class name; a form starts it with a word in lower case.
  private static boolean isForm(String text) {
    return Character.isLowerCase(text.charAt(1));
  }

  private static List<String> inside(String group) {
    return Words.split(group.substring(1, group.length() - 1));
  }

  private static Filter form(String text) throws Exception {
    List<String> words = inside(text);
    List<String> rest = words.subList(1, words.size());
    switch (words.get(0)) {
      case "and":
        return list(FilterList.Operator.MUST_PASS_ALL, rest);
      case "or":
        return list(FilterList.Operator.MUST_PASS_ONE, rest);
      case "language":
        return new ParseFilter().parseFilterString(Words.bytes(rest.get(0)));
      case "skip":
        return new SkipFilter(parse(rest.get(0)));
      case "while":
        return new WhileMatchFilter(parse(rest.get(0)));
      case "row":
        return new RowFilter(op(rest.get(0)), comparator(rest.get(1)));
      case "family":
        return new FamilyFilter(op(rest.get(0)), comparator(rest.get(1)));
      case "qualifier":
        return new QualifierFilter(op(rest.get(0)), comparator(rest.get(1)));
      case "value":
        return new ValueFilter(op(rest.get(0)), comparator(rest.get(1)));
      case "column-value": {
        byte[][] column = column(rest.get(0));
        return new ColumnValueFilter(column[0], column[1], op(rest.get(1)), comparator(rest.get(2)));
      }
      case "single-column": {
        byte[][] column = column(rest.get(0));
        return flags(new SingleColumnValueFilter(column[0], column[1], op(rest.get(1)), comparator(rest.get(2))), rest);
      }
      case "single-column-exclude": {
        byte[][] column = column(rest.get(0));
        return flags(new SingleColumnValueExcludeFilter(column[0], column[1], op(rest.get(1)), comparator(rest.get(2))), rest);
      }
      case "dependent-column": {
        byte[][] column = column(rest.get(0));
        boolean drop = rest.contains("drop");
        return rest.size() < 3 ? new DependentColumnFilter(column[0], column[1], drop)
            : new DependentColumnFilter(column[0], column[1], drop, op(rest.get(1)), comparator(rest.get(2)));
      }
      case "fuzzy":
        return fuzzy(rest);
      case "multi-row-range":
        return ranges(rest);
      case "pagination":
        return new ColumnPaginationFilter(Integer.parseInt(rest.get(0)), Words.bytes(rest.get(1)));
      case "key-only":
        return new KeyOnlyFilter(rest.contains("length"));
      case "timestamps":
        return timestamps(rest);
      case "random":
        return new RandomRowFilter(Float.parseFloat(rest.get(0)));
      case "first-key-matching": {
        TreeSet<byte[]> qualifiers = new TreeSet<>(Bytes.BYTES_COMPARATOR);
        rest.forEach(word -> qualifiers.add(Words.bytes(word)));
        return new FirstKeyValueMatchingQualifiersFilter(qualifiers);
      }
      default:
        throw new ScriptError("unknown filter: " + text);
    }
  }

  private static FilterList list(FilterList.Operator op, List<String> words) throws Exception {
    FilterList list = new FilterList(op);
    for (String word : words) {
      list.addFilter(parse(word));
    }
    return list;
  }

  private static Filter flags(SingleColumnValueFilter filter, List<String> words) {
    filter.setFilterIfMissing(words.contains("if-missing"));
    filter.setLatestVersionOnly(!words.contains("all-versions"));
    return filter;
  }

  /** (KEY MASK) pairs; the mask has 0 where the key's byte must match and 1 where any byte does. */
  private static Filter fuzzy(List<String> words) {
    List<Pair<byte[], byte[]>> keys = new ArrayList<>();
    for (String word : words) {
      List<String> pair = inside(word);
      byte[] mask = Words.bytes(pair.get(1));
      for (int i = 0; i < mask.length; i++) {
        mask[i] -= '0';
      }
      keys.add(new Pair<>(Words.bytes(pair.get(0)), mask));
    }
    return new FuzzyRowFilter(keys);
  }

  private static Filter ranges(List<String> words) {
    List<MultiRowRangeFilter.RowRange> ranges = new ArrayList<>();
    for (String word : words) {
      List<String> range = inside(word);
      ranges.add(new MultiRowRangeFilter.RowRange(Words.bytes(range.get(0)), !range.contains("start-exclusive"), Words.bytes(range.get(1)),
          range.contains("stop-inclusive")));
    }
    return new MultiRowRangeFilter(ranges);
  }

  private static Filter timestamps(List<String> words) {
    List<Long> list = new ArrayList<>();
    for (String word : words) {
      if (!word.equals("hint")) {
        list.add(Words.timestamp(word));
      }
    }
    return new TimestampsFilter(list, words.contains("hint"));
  }

  static byte[][] column(String word) {
    int colon = word.indexOf(':');
    return new byte[][] {Words.bytes(word.substring(0, colon)), Words.bytes(word.substring(colon + 1))};
  }

  static CompareOperator op(String word) {
    switch (word) {
      case "<":
        return CompareOperator.LESS;
      case "<=":
        return CompareOperator.LESS_OR_EQUAL;
      case "=":
        return CompareOperator.EQUAL;
      case "!=":
        return CompareOperator.NOT_EQUAL;
      case ">=":
        return CompareOperator.GREATER_OR_EQUAL;
      case ">":
        return CompareOperator.GREATER;
      case "no-op":
        return CompareOperator.NO_OP;
      default:
        throw new ScriptError("unknown operator: " + word);
    }
  }

  private static ByteArrayComparable comparator(String word) {
    if (word.equals("null")) {
      return new NullComparator();
    }
    int colon = word.indexOf(':');
    String rest = word.substring(colon + 1);
    switch (word.substring(0, colon)) {
      case "binary":
        return new BinaryComparator(Words.value(rest));
      case "prefix":
        return new BinaryPrefixComparator(Words.bytes(rest));
      case "regex":
        return new RegexStringComparator(rest);
      case "regex-i":
        return new RegexStringComparator(rest, Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
      case "substring":
        return new SubstringComparator(rest);
      case "bit-and":
        return new BitComparator(Words.bytes(rest), BitComparator.BitwiseOp.AND);
      case "bit-or":
        return new BitComparator(Words.bytes(rest), BitComparator.BitwiseOp.OR);
      case "bit-xor":
        return new BitComparator(Words.bytes(rest), BitComparator.BitwiseOp.XOR);
      case "long":
        return new LongComparator(Long.parseLong(rest));
      case "decimal":
        return new BigDecimalComparator(new BigDecimal(rest));
      case "component": {
        int second = rest.indexOf(':');
        return new BinaryComponentComparator(Words.bytes(rest.substring(second + 1)), Integer.parseInt(rest.substring(0, second)));
      }
      default:
        throw new ScriptError("unknown comparator: " + word);
    }
  }
}
