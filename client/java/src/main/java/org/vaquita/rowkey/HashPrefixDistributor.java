package org.vaquita.rowkey;

import java.util.Arrays;
import java.util.TreeSet;
import org.apache.hadoop.hbase.util.Bytes;

/** A prefix that the key's hash says: any row is found in one call. */
public final class HashPrefixDistributor extends PrefixDistributor {
  private final Hasher hasher;

  /** IllegalArgumentException for a hasher whose prefixes are not distinct and of one length. */
  public HashPrefixDistributor(Hasher hasher) {
    super(checked(hasher));
    this.hasher = hasher;
  }

  @Override
  public byte[] getDistributedKey(byte[] originalKey) {
    return Bytes.add(hasher.getHashPrefix(originalKey), originalKey);
  }

  @Override
  public byte[][] getAllDistributedKeys(byte[] originalKey) {
    return new byte[][] {getDistributedKey(originalKey)};
  }

  @Override
  public boolean isComputable() {
    return true;
  }

  @Override
  public String getParamsToStore() {
    return "HashPrefix(" + hasher.getParamsToStore() + ")";
  }

  private static byte[][] checked(Hasher hasher) {
    byte[][] prefixes = hasher.getAllPossiblePrefixes();
    TreeSet<byte[]> distinct = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    distinct.addAll(Arrays.asList(prefixes));
    boolean right = prefixes.length > 0 && prefixes[0].length > 0 && distinct.size() == prefixes.length
        && distinct.stream().allMatch(prefix -> prefix.length == prefixes[0].length);
    if (right) return prefixes;
    throw new IllegalArgumentException(hasher.getParamsToStore() + ": a hasher's prefixes must be distinct, and all of one length");
  }
}
