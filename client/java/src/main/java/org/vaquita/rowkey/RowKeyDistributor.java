package org.vaquita.rowkey;

import java.io.IOException;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/**
 * Spreads rows with sequential keys over a table, and finds them again: turns the keys a program thinks in, the original ones, into
 * those its rows have in the table, the distributed ones, and back.
 *
 * <p>Most put one of a few prefixes before the original key: the rows behind one prefix, a bucket, keep the order of their original
 * keys, so that {@link DistributedScanner} reads a range from all buckets and merges. The same distributors are in Vaquita's C++
 * client and make the same bytes. Any thread may use them.
 */
public abstract class RowKeyDistributor {
  /** The table's attribute that says how its keys are distributed, for readers to find. */
  public static final String TABLE_ATTRIBUTE = "ROW_KEY_DISTRIBUTOR";

  /** The key to write a new row under. May be another each time, unless {@link #isComputable}. */
  public abstract byte[] getDistributedKey(byte[] originalKey);

  /** Every key that a row with this original key may have in the table; one, if {@link #isComputable}. */
  public abstract byte[][] getAllDistributedKeys(byte[] originalKey);

  /** The way back. IllegalArgumentException for what the distributor cannot have made. */
  public abstract byte[] getOriginalKey(byte[] distributedKey);

  /** Whether the original key alone says where its row is. */
  public abstract boolean isComputable();

  /**
   * The buckets: distinct prefixes, none of which begins with another. None at all: distributed keys are not a prefix and the original
   * key, and no range of them keeps the order of the original keys.
   */
  public abstract byte[][] getBucketPrefixes();

  /** Kind and parameters, e.g. {@code HashPrefix(OneByteSimpleHash(32))}: what {@link #parse} makes it of again. */
  public abstract String getParamsToStore();

  @Override
  public final String toString() {
    return getParamsToStore();
  }

  /**
   * Makes the distributor that a text describes: {@code Identity()}, {@code OneBytePrefix(BUCKETS)}, {@code BitReversal()} or
   * {@code HashPrefix(HASHER)}, where HASHER is {@code OneByteSimpleHash(BUCKETS)}, or {@code CLASS(PARAMETERS)} of a {@link Hasher}
   * that has a constructor with one String.
   */
  public static RowKeyDistributor parse(String text) {
    CallText call = CallText.of(text);
    switch (call.name) {
      case "Identity":
        return new IdentityDistributor();
      case "OneBytePrefix":
        return new OneBytePrefixDistributor(call.buckets());
      case "HashPrefix":
        return new HashPrefixDistributor(Hasher.parse(call.argument));
      case "BitReversal":
        return new BitReversalDistributor();
      default:
        throw new IllegalArgumentException("no row key distributor '" + text + "': there are Identity(), OneBytePrefix(BUCKETS), "
            + "HashPrefix(HASHER) and BitReversal()");
    }
  }

  public final TableDescriptorBuilder store(TableDescriptorBuilder table) {
    return table.setValue(TABLE_ATTRIBUTE, getParamsToStore());
  }

  /** The table's; identity, if it says nothing. */
  public static RowKeyDistributor load(TableDescriptor table) throws IOException {
    String text = table.getValue(TABLE_ATTRIBUTE);
    if (text == null) return new IdentityDistributor();
    try {
      return parse(text);
    } catch (IllegalArgumentException e) {
      throw new IOException("table " + table.getTableName() + ": " + e.getMessage(), e);
    }
  }
}
