package org.vaquita.rowkey;

/** The original key itself: the table as it is. */
public final class IdentityDistributor extends PrefixDistributor {
  public IdentityDistributor() {
    super(new byte[][] {new byte[0]});
  }

  @Override
  public byte[] getDistributedKey(byte[] originalKey) {
    return originalKey;
  }

  @Override
  public byte[][] getAllDistributedKeys(byte[] originalKey) {
    return new byte[][] {originalKey};
  }

  @Override
  public boolean isComputable() {
    return true;
  }

  @Override
  public String getParamsToStore() {
    return "Identity()";
  }
}
