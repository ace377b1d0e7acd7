package org.vaquita.rowkey;

import java.util.Arrays;

/**
 * One byte, 0 to buckets - 1: |h| mod buckets, h being {@link Arrays#hashCode(byte[])} of the key. So are the keys of HBaseWD's hasher
 * of this name, but for the one hash without an absolute value in 32 bits, which that leaves out of its buckets.
 */
public final class OneByteSimpleHash implements Hasher {
  private final int buckets;

  /** IllegalArgumentException unless there are 1 to 256 buckets. */
  public OneByteSimpleHash(int buckets) {
    this.buckets = CallText.checkOneByteBuckets(buckets);
  }

  @Override
  public byte[] getHashPrefix(byte[] originalKey) {
    return new byte[] {(byte) (Math.abs((long) Arrays.hashCode(originalKey)) % buckets)};
  }

  @Override
  public byte[][] getAllPossiblePrefixes() {
    byte[][] prefixes = new byte[buckets][];
    for (int i = 0; i < buckets; ++i) prefixes[i] = new byte[] {(byte) i};
    return prefixes;
  }

  @Override
  public String getParamsToStore() {
    return "OneByteSimpleHash(" + buckets + ")";
  }
}
