package org.vaquita.rowkey;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Bytes 0 to buckets - 1 in turn: as even as can be, but only all buckets together know where a row is. For rows that are written once.
 */
public final class OneBytePrefixDistributor extends PrefixDistributor {
  private final int buckets;
  private final AtomicLong next;

  /** The first key goes to any bucket, so that programs that write one row each spread, too. */
  public OneBytePrefixDistributor(int buckets) {
    this(buckets, ThreadLocalRandom.current().nextInt(256));
  }

  /** The first key goes to bucket {@code first} mod {@code buckets}. IllegalArgumentException unless there are 1 to 256 buckets. */
  public OneBytePrefixDistributor(int buckets, int first) {
    super(new OneByteSimpleHash(buckets).getAllPossiblePrefixes());
    this.buckets = buckets;
    this.next = new AtomicLong(first);
  }

  @Override
  public byte[] getDistributedKey(byte[] originalKey) {
    return Bytes.add(new byte[] {(byte) (next.getAndIncrement() % buckets)}, originalKey);
  }

  @Override
  public byte[][] getAllDistributedKeys(byte[] originalKey) {
    byte[][] keys = getBucketPrefixes();
    for (int i = 0; i < keys.length; ++i) keys[i] = Bytes.add(keys[i], originalKey);
    return keys;
  }

  @Override
  public boolean isComputable() {
    return buckets == 1;
  }

  @Override
  public String getParamsToStore() {
    return "OneBytePrefix(" + buckets + ")";
  }
}
