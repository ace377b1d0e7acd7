package org.vaquita.rowkey;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.BinaryPrefixComparator;
import org.apache.hadoop.hbase.filter.ByteArrayComparable;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FuzzyRowFilter;
import org.apache.hadoop.hbase.filter.InclusiveStopFilter;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.filter.SkipFilter;
import org.apache.hadoop.hbase.filter.WhileMatchFilter;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * What a read in original keys is for the rows behind one prefix.
 *
 * <p>Both ends of the range get the prefix; an open end becomes the bucket's. So do the rows of PrefixFilter, InclusiveStopFilter,
 * MultiRowRangeFilter, and of RowFilter with BinaryComparator or BinaryPrefixComparator, alone, in a FilterList and in a SkipFilter.
 * Refused, with an IllegalArgumentException, are RowFilter with any other comparator, which would see the prefix, too, FuzzyRowFilter,
 * which does not tell its patterns, and WhileMatchFilter, for a row that ends one bucket's scan says nothing of the other buckets. All
 * other filters stay as they are; a filter of one's own sees distributed keys.
 */
final class BucketScan {
  /** The same scan with the range and the filter of the bucket. */
  static Scan of(Scan original, byte[] prefix) throws IOException {
    Scan scan = new Scan(original);
    if (prefix.length == 0) return scan;
    byte[] start = original.getStartRow();
    byte[] stop = original.getStopRow();
    if (!original.isReversed()) {
      scan.withStartRow(Bytes.add(prefix, start), start.length == 0 || original.includeStartRow());
      if (stop.length > 0) scan.withStopRow(Bytes.add(prefix, stop), original.includeStopRow());
      else scan.withStopRow(rowAfter(prefix), false);
    } else {
      byte[] after = rowAfter(prefix);
      if (start.length > 0) scan.withStartRow(Bytes.add(prefix, start), original.includeStartRow());
      else scan.withStartRow(after, after.length == 0);  // without a row after it, the table's last row
      scan.withStopRow(Bytes.add(prefix, stop), stop.length == 0 || original.includeStopRow());
    }
    if (original.getFilter() != null) scan.setFilter(filter(original.getFilter(), prefix));
    return scan;
  }

  /** The first row behind all that start with the prefix; empty: there is none. */
  static byte[] rowAfter(byte[] prefix) {
    int length = prefix.length;
    while (length > 0 && prefix[length - 1] == (byte) 0xff) --length;
    byte[] after = Arrays.copyOf(prefix, length);
    if (length > 0) ++after[length - 1];
    return after;
  }

  static Filter filter(Filter original, byte[] prefix) throws IOException {
    if (prefix.length == 0) return original;
    if (original instanceof PrefixFilter) return new PrefixFilter(Bytes.add(prefix, ((PrefixFilter) original).getPrefix()));
    if (original instanceof InclusiveStopFilter) {
      return new InclusiveStopFilter(Bytes.add(prefix, ((InclusiveStopFilter) original).getStopRowKey()));
    }
    if (original instanceof RowFilter) return rowFilter((RowFilter) original, prefix);
    if (original instanceof MultiRowRangeFilter) return ranges((MultiRowRangeFilter) original, prefix);
    if (original instanceof SkipFilter) return new SkipFilter(filter(((SkipFilter) original).getFilter(), prefix));
    if (original instanceof FilterList) {
      List<Filter> filters = new ArrayList<>();
      for (Filter filter : ((FilterList) original).getFilters()) filters.add(filter(filter, prefix));
      return new FilterList(((FilterList) original).getOperator(), filters);
    }
    if (original instanceof FuzzyRowFilter) throw refused(original, "it does not tell its patterns");
    if (original instanceof WhileMatchFilter) {
      throw refused(original, "the row that ends it in one bucket does not end the other buckets");
    }
    return original;
  }

  /** For keys that are no prefix and the original key: refuses what looks at rows. */
  static void checkIgnoresRows(Filter filter) {
    if (filter instanceof SkipFilter) {
      checkIgnoresRows(((SkipFilter) filter).getFilter());
    } else if (filter instanceof FilterList) {
      ((FilterList) filter).getFilters().forEach(BucketScan::checkIgnoresRows);
    } else if (filter instanceof PrefixFilter || filter instanceof InclusiveStopFilter || filter instanceof RowFilter
        || filter instanceof MultiRowRangeFilter || filter instanceof FuzzyRowFilter || filter instanceof WhileMatchFilter) {
      throw refused(filter, "it looks at the row, whose bytes are in another order there");
    }
  }

  private static Filter rowFilter(RowFilter original, byte[] prefix) {
    ByteArrayComparable comparator = original.getComparator();
    byte[] bytes = Bytes.add(prefix, comparator.getValue());
    if (comparator instanceof BinaryComparator) return new RowFilter(original.getCompareOperator(), new BinaryComparator(bytes));
    if (comparator instanceof BinaryPrefixComparator) {
      return new RowFilter(original.getCompareOperator(), new BinaryPrefixComparator(bytes));
    }
    throw refused(original, "its comparator would see the prefix, too; BinaryComparator and BinaryPrefixComparator can be used");
  }

  private static Filter ranges(MultiRowRangeFilter original, byte[] prefix) {
    List<MultiRowRangeFilter.RowRange> ranges = new ArrayList<>();
    for (MultiRowRangeFilter.RowRange range : original.getRowRanges()) {
      byte[] start = range.getStartRow();
      byte[] stop = range.getStopRow();
      boolean open = stop.length == 0;
      ranges.add(new MultiRowRangeFilter.RowRange(Bytes.add(prefix, start), start.length == 0 || range.isStartRowInclusive(),
                                                  open ? rowAfter(prefix) : Bytes.add(prefix, stop),
                                                  !open && range.isStopRowInclusive()));
    }
    return new MultiRowRangeFilter(ranges);
  }

  private static IllegalArgumentException refused(Filter filter, String why) {
    return new IllegalArgumentException(
        filter.getClass().getSimpleName() + " cannot be used on distributed row keys: " + why);
  }

  private BucketScan() {}
}
