import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.filter.*;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ComparatorProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.FilterProtos;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;

/** HBase's filters from and to the text that the case files have. */
final class FilterText {
  private FilterText() {}

  static Filter read(String text) {
    return read(Text.parse(text));
  }

  private static Filter read(Text.Node n) {
    switch (n.name()) {
      case "AND": return new FilterList(FilterList.Operator.MUST_PASS_ALL, filters(n));
      case "OR": return new FilterList(FilterList.Operator.MUST_PASS_ONE, filters(n));
      case "Row": return new RowFilter(op(n, 1), comparator(n.at(2)));
      case "Family": return new FamilyFilter(op(n, 1), comparator(n.at(2)));
      case "Qualifier": return new QualifierFilter(op(n, 1), comparator(n.at(2)));
      case "Value": return new ValueFilter(op(n, 1), comparator(n.at(2)));
      case "SingleColumnValue": return singleColumnValue(n);
      case "DependentColumn":
        return new DependentColumnFilter(n.bytesAt(1), n.bytesAt(2), bool(n, 3), op(n, 4), n.size() > 5 ? comparator(n.at(5)) : null);
      case "ColumnValue": return new ColumnValueFilter(n.bytesAt(1), n.bytesAt(2), op(n, 3), comparator(n.at(4)));
      case "ColumnPrefix": return new ColumnPrefixFilter(n.bytesAt(1));
      case "MultipleColumnPrefix": return new MultipleColumnPrefixFilter(all(n));
      case "ColumnRange": return new ColumnRangeFilter(orNull(n, 1), bool(n, 2), orNull(n, 3), bool(n, 4));
      case "ColumnCountGet": return new ColumnCountGetFilter(number(n, 1));
      case "ColumnPagination": return new ColumnPaginationFilter(number(n, 1), number(n, 2));
      case "ColumnPaginationFrom": return new ColumnPaginationFilter(number(n, 1), n.bytesAt(2));
      case "Page": return new PageFilter(number(n, 1));
      case "Prefix": return new PrefixFilter(n.bytesAt(1));
      case "FirstKeyOnly": return new FirstKeyOnlyFilter();
      case "FirstKeyMatching": return firstKeyMatching(n);
      case "KeyOnly": return new KeyOnlyFilter(bool(n, 1));
      case "InclusiveStop": return new InclusiveStopFilter(n.bytesAt(1));
      case "FuzzyRow": return fuzzyRow(n);
      case "MultiRowRange": return multiRowRange(n);
      case "Timestamps": return timestamps(n);
      case "Skip": return new SkipFilter(read(n.at(1)));
      case "While": return new WhileMatchFilter(read(n.at(1)));
      default: throw new IllegalStateException("no filter " + n.name());
    }
  }

  private static List<Filter> filters(Text.Node n) {
    List<Filter> filters = new ArrayList<>();
    for (int i = 1; i < n.size(); i++) filters.add(read(n.at(i)));
    return filters;
  }

  private static byte[][] all(Text.Node n) {
    byte[][] all = new byte[n.size() - 1][];
    for (int i = 1; i < n.size(); i++) all[i - 1] = n.bytesAt(i);
    return all;
  }

  private static Filter singleColumnValue(Text.Node n) {
    SingleColumnValueFilter f = bool(n, 7)
        ? new SingleColumnValueExcludeFilter(n.bytesAt(1), n.bytesAt(2), op(n, 3), comparator(n.at(4)))
        : new SingleColumnValueFilter(n.bytesAt(1), n.bytesAt(2), op(n, 3), comparator(n.at(4)));
    f.setFilterIfMissing(bool(n, 5));
    f.setLatestVersionOnly(bool(n, 6));
    return f;
  }

  private static Filter firstKeyMatching(Text.Node n) {
    Set<byte[]> qualifiers = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    for (byte[] q : all(n)) qualifiers.add(q);
    return new FirstKeyValueMatchingQualifiersFilter(qualifiers);
  }

  private static Filter fuzzyRow(Text.Node n) {
    List<Pair<byte[], byte[]>> keys = new ArrayList<>();
    for (int i = 1; i < n.size(); i += 2) keys.add(new Pair<>(n.bytesAt(i), n.bytesAt(i + 1)));
    return new FuzzyRowFilter(keys);
  }

  private static Filter multiRowRange(Text.Node n) {
    List<MultiRowRangeFilter.RowRange> ranges = new ArrayList<>();
    for (int i = 1; i < n.size(); i += 4) {
      ranges.add(new MultiRowRangeFilter.RowRange(n.bytesAt(i), bool(n, i + 1), n.bytesAt(i + 2), bool(n, i + 3)));
    }
    return new MultiRowRangeFilter(ranges);
  }

  private static Filter timestamps(Text.Node n) {
    List<Long> timestamps = new ArrayList<>();
    for (int i = 2; i < n.size(); i++) timestamps.add(Long.parseLong(n.textAt(i)));
    return new TimestampsFilter(timestamps, bool(n, 1));
  }

  private static CompareOperator op(Text.Node n, int i) {
    return CompareOperator.valueOf(n.textAt(i));
  }

  private static boolean bool(Text.Node n, int i) {
    return Boolean.parseBoolean(n.textAt(i));
  }

  private static int number(Text.Node n, int i) {
    return Integer.parseInt(n.textAt(i));
  }

  private static byte[] orNull(Text.Node n, int i) {
    return n.textAt(i).equals("null") ? null : n.bytesAt(i);
  }

  static ByteArrayComparable comparator(Text.Node n) {
    switch (n.name()) {
      case "binary": return new BinaryComparator(n.bytesAt(1));
      case "binaryprefix": return new BinaryPrefixComparator(n.bytesAt(1));
      case "component": return new BinaryComponentComparator(n.bytesAt(1), number(n, 2));
      case "regex": {
        RegexStringComparator regex = new RegexStringComparator(Bytes.toString(n.bytesAt(1)), number(n, 2));
        regex.setCharset(java.nio.charset.Charset.forName(Bytes.toString(n.bytesAt(3))));
        return regex;
      }
      case "substring": return new SubstringComparator(Bytes.toString(n.bytesAt(1)));
      case "null": return new NullComparator();
      case "bit": return new BitComparator(n.bytesAt(2), BitComparator.BitwiseOp.valueOf(n.textAt(1)));
      case "long": return new LongComparator(Bytes.toLong(n.bytesAt(1)));
      case "bigdecimal": return new BigDecimalComparator(Bytes.toBigDecimal(n.bytesAt(1)));
      default: throw new IllegalStateException("no comparator " + n.name());
    }
  }

  /** The text of a filter of those that the filter language makes. */
  static String write(Filter f) throws Exception {
    if (f instanceof FilterList) {
      FilterList list = (FilterList) f;
      StringBuilder s = new StringBuilder(list.getOperator() == FilterList.Operator.MUST_PASS_ALL ? "(AND" : "(OR");
      for (Filter member : list.getFilters()) s.append(' ').append(write(member));
      return s.append(')').toString();
    }
    if (f instanceof SkipFilter) return "(Skip " + write(((SkipFilter) f).getFilter()) + ")";
    if (f instanceof WhileMatchFilter) return "(While " + write(((WhileMatchFilter) f).getFilter()) + ")";
    if (f instanceof DependentColumnFilter) {
      DependentColumnFilter d = (DependentColumnFilter) f;
      String comparator = d.getComparator() == null ? "" : " " + write(d.getComparator());
      return "(DependentColumn " + Text.token(d.getFamily()) + " " + Text.token(d.getQualifier()) + " " + d.dropDependentColumn() + " "
          + d.getCompareOperator() + comparator + ")";
    }
    if (f instanceof CompareFilter) {
      CompareFilter c = (CompareFilter) f;
      return "(" + f.getClass().getSimpleName().replace("Filter", "") + " " + c.getCompareOperator() + " " + write(c.getComparator()) + ")";
    }
    if (f instanceof SingleColumnValueFilter) {
      SingleColumnValueFilter s = (SingleColumnValueFilter) f;
      return "(SingleColumnValue " + Text.token(s.getFamily()) + " " + Text.token(s.getQualifier()) + " " + s.getCompareOperator() + " "
          + write(s.getComparator()) + " " + s.getFilterIfMissing() + " " + s.getLatestVersionOnly() + " "
          + (f instanceof SingleColumnValueExcludeFilter) + ")";
    }
    return writeOther(f);
  }

  private static String writeOther(Filter f) throws Exception {
    StringBuilder s = new StringBuilder("(").append(f.getClass().getSimpleName().replaceFirst("Filter$", ""));
    if (f instanceof ColumnValueFilter) {
      ColumnValueFilter c = (ColumnValueFilter) f;
      s.append(' ').append(Text.token(c.getFamily())).append(' ').append(Text.token(c.getQualifier())).append(' ')
          .append(c.getCompareOperator()).append(' ').append(write(c.getComparator()));
    } else if (f instanceof ColumnPrefixFilter) {
      s.append(' ').append(Text.token(((ColumnPrefixFilter) f).getPrefix()));
    } else if (f instanceof MultipleColumnPrefixFilter) {
      for (byte[] prefix : ((MultipleColumnPrefixFilter) f).getPrefix()) s.append(' ').append(Text.token(prefix));
    } else if (f instanceof ColumnRangeFilter) {
      ColumnRangeFilter c = (ColumnRangeFilter) f;
      s.append(' ').append(c.getMinColumn() == null ? "null" : Text.token(c.getMinColumn())).append(' ').append(c.getMinColumnInclusive())
          .append(' ').append(c.getMaxColumn() == null ? "null" : Text.token(c.getMaxColumn())).append(' ').append(c.getMaxColumnInclusive());
    } else if (f instanceof ColumnCountGetFilter) {
      s.append(' ').append(((ColumnCountGetFilter) f).getLimit());
    } else if (f instanceof ColumnPaginationFilter) {
      s.append(' ').append(((ColumnPaginationFilter) f).getLimit()).append(' ').append(((ColumnPaginationFilter) f).getOffset());
    } else if (f instanceof PageFilter) {
      s.append(' ').append(((PageFilter) f).getPageSize());
    } else if (f instanceof PrefixFilter) {
      s.append(' ').append(Text.token(((PrefixFilter) f).getPrefix()));
    } else if (f instanceof InclusiveStopFilter) {
      s.append(' ').append(Text.token(((InclusiveStopFilter) f).getStopRowKey()));
    } else if (f instanceof KeyOnlyFilter) {
      s.append(' ').append(FilterProtos.KeyOnlyFilter.parseFrom(f.toByteArray()).getLenAsVal());
    } else if (f instanceof TimestampsFilter) {
      s.append(" false");
      for (long t : ((TimestampsFilter) f).getTimestamps()) s.append(' ').append(t);
    } else if (!(f instanceof FirstKeyOnlyFilter)) {
      throw new IllegalStateException("no text for " + f.getClass());
    }
    return s.append(')').toString();
  }

  private static String write(ByteArrayComparable c) throws Exception {
    if (c instanceof BinaryComparator) return "(binary " + Text.token(c.getValue()) + ")";
    if (c instanceof BinaryPrefixComparator) return "(binaryprefix " + Text.token(c.getValue()) + ")";
    if (c instanceof SubstringComparator) return "(substring " + Text.token(c.getValue()) + ")";
    if (c instanceof RegexStringComparator) {
      ComparatorProtos.RegexStringComparator r = ComparatorProtos.RegexStringComparator.parseFrom(c.toByteArray());
      return "(regex " + Text.token(r.getPattern()) + " " + r.getPatternFlags() + " " + Text.token(r.getCharset()) + ")";
    }
    throw new IllegalStateException("no text for " + c.getClass());
  }
}
