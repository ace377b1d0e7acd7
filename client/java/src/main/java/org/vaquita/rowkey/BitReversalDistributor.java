package org.vaquita.rowkey;

/**
 * The key's bits from last to first: sequential ids spread over the whole key space, without a byte more. No order is left in it: a
 * range is read id by id.
 */
public final class BitReversalDistributor extends RowKeyDistributor {
  @Override
  public byte[] getDistributedKey(byte[] originalKey) {
    byte[] reversed = new byte[originalKey.length];
    for (int i = 0; i < reversed.length; ++i) {
      reversed[i] = (byte) (Integer.reverse(originalKey[originalKey.length - 1 - i]) >>> 24);
    }
    return reversed;
  }

  @Override
  public byte[][] getAllDistributedKeys(byte[] originalKey) {
    return new byte[][] {getDistributedKey(originalKey)};
  }

  @Override
  public byte[] getOriginalKey(byte[] distributedKey) {
    return getDistributedKey(distributedKey);
  }

  @Override
  public boolean isComputable() {
    return true;
  }

  @Override
  public byte[][] getBucketPrefixes() {
    return new byte[0][];
  }

  @Override
  public String getParamsToStore() {
    return "BitReversal()";
  }
}
