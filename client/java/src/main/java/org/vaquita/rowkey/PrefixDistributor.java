package org.vaquita.rowkey;

import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hbase.util.Bytes;

/** Distributed keys are one of some prefixes, all of one length, and the original key. */
abstract class PrefixDistributor extends RowKeyDistributor {
  private final byte[][] prefixes;
  private final Set<byte[]> known = new TreeSet<>(Bytes.BYTES_COMPARATOR);

  PrefixDistributor(byte[][] prefixes) {
    this.prefixes = prefixes;
    known.addAll(Arrays.asList(prefixes));
  }

  @Override
  public final byte[] getOriginalKey(byte[] distributedKey) {
    int length = prefixes[0].length;
    if (distributedKey.length < length || !known.contains(Arrays.copyOf(distributedKey, length))) {
      throw new IllegalArgumentException("row '" + Bytes.toStringBinary(distributedKey) + "' was not distributed by " + this);
    }
    return Arrays.copyOfRange(distributedKey, length, distributedKey.length);
  }

  @Override
  public final byte[][] getBucketPrefixes() {
    return prefixes.clone();
  }
}
