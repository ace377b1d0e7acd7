package org.vaquita.rowkey;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.mapreduce.TableInputFormat;
import org.apache.hadoop.hbase.mapreduce.TableSplit;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;

/**
 * A range of original keys of a distributed table as the input of a MapReduce job: mappers get original keys, and results that carry
 * them. One map task per bucket and region that overlap; with keys that keep no order, one per region, which leaves out the rows that
 * the scan's range does not have.
 *
 * <p>To be given to TableMapReduceUtil.initTableMapperJob as the input format. How keys are distributed, the table's descriptor says
 * ({@link RowKeyDistributor#store}), or the job's configuration ({@link #setDistributor}). Filters as README.md says; a scan
 * cannot be reversed.
 */
public final class DistributedTableInputFormat extends TableInputFormat {
  private static final String DISTRIBUTOR = "vaquita.rowkey.distributor";

  /** For tables whose descriptor does not say it. */
  public static void setDistributor(Configuration configuration, RowKeyDistributor distributor) {
    configuration.set(DISTRIBUTOR, distributor.getParamsToStore());
  }

  private RowKeyDistributor distributor() throws IOException {
    String text = getConf().get(DISTRIBUTOR);
    return text != null ? RowKeyDistributor.parse(text) : RowKeyDistributor.load(getTable().getDescriptor());
  }

  @Override
  public List<InputSplit> getSplits(JobContext context) throws IOException {
    Scan original = getScan();
    initialize(context);
    try {
      RowKeyDistributor distributor = distributor();
      List<InputSplit> splits = new ArrayList<>();
      for (byte[] prefix : distributor.getBucketPrefixes()) {
        setScan(bucketScan(original, prefix));
        splits.addAll(super.getSplits(context));
      }
      if (distributor.getBucketPrefixes().length == 0) {
        setScan(wholeScan(original));
        splits.addAll(super.getSplits(context));
      }
      return splits;
    } finally {
      setScan(original);
      closeTable();
    }
  }

  @Override
  public RecordReader<ImmutableBytesWritable, Result> createRecordReader(InputSplit split, TaskAttemptContext context)
      throws IOException {
    Scan original = getScan();
    initialize(context);
    try {
      RowKeyDistributor distributor = distributor();
      byte[][] prefixes = distributor.getBucketPrefixes();
      setScan(prefixes.length == 0 ? wholeScan(original) : bucketScan(original, prefixOf(((TableSplit) split).getStartRow(), prefixes)));
      return new OriginalKeyReader(super.createRecordReader(split, context), distributor, halfOpen(original));
    } finally {
      setScan(original);
    }
  }

  private static byte[] prefixOf(byte[] row, byte[][] prefixes) {
    for (byte[] prefix : prefixes) {
      if (Bytes.startsWith(row, prefix)) return prefix;
    }
    throw new IllegalArgumentException("the split that starts at '" + Bytes.toStringBinary(row) + "' is in no bucket");
  }

  private static Scan bucketScan(Scan original, byte[] prefix) throws IOException {
    return BucketScan.of(halfOpen(original), prefix);
  }

  private static Scan wholeScan(Scan original) throws IOException {
    if (original.getFilter() != null) BucketScan.checkIgnoresRows(original.getFilter());
    return halfOpen(original).withStartRow(new byte[0]).withStopRow(new byte[0]);
  }

  /** With the start in and the stop out, as TableInputFormat takes every range. */
  private static Scan halfOpen(Scan original) throws IOException {
    if (original.isReversed()) throw new IllegalArgumentException("a job's tasks have no order; its scan cannot be reversed");
    Scan scan = new Scan(original);
    byte[] start = original.getStartRow();
    byte[] stop = original.getStopRow();
    if (start.length > 0 && !original.includeStartRow()) scan.withStartRow(Arrays.copyOf(start, start.length + 1));
    if (stop.length > 0 && original.includeStopRow()) scan.withStopRow(Arrays.copyOf(stop, stop.length + 1));
    return scan;
  }

  /** Rows of one split with original keys, without those that are not in the range. */
  private static final class OriginalKeyReader extends RecordReader<ImmutableBytesWritable, Result> {
    private final RecordReader<ImmutableBytesWritable, Result> reader;
    private final RowKeyDistributor distributor;
    private final byte[] start;
    private final byte[] stop;
    private byte[] key;

    OriginalKeyReader(RecordReader<ImmutableBytesWritable, Result> reader, RowKeyDistributor distributor, Scan range) {
      this.reader = reader;
      this.distributor = distributor;
      this.start = range.getStartRow();
      this.stop = range.getStopRow();
    }

    @Override
    public void initialize(InputSplit split, TaskAttemptContext context) throws IOException, InterruptedException {
      reader.initialize(split, context);
    }

    @Override
    public boolean nextKeyValue() throws IOException, InterruptedException {
      while (reader.nextKeyValue()) {
        key = distributor.getOriginalKey(reader.getCurrentKey().copyBytes());
        boolean inRange = Bytes.compareTo(key, start) >= 0 && (stop.length == 0 || Bytes.compareTo(key, stop) < 0);
        if (inRange) return true;
      }
      return false;
    }

    @Override
    public ImmutableBytesWritable getCurrentKey() {
      return new ImmutableBytesWritable(key);
    }

    @Override
    public Result getCurrentValue() throws IOException, InterruptedException {
      return RowCopies.of(reader.getCurrentValue(), key);
    }

    @Override
    public float getProgress() throws IOException, InterruptedException {
      return reader.getProgress();
    }

    @Override
    public void close() throws IOException {
      reader.close();
    }
  }
}
