package org.vaquita.rowkey;

/** Which of some prefixes a key's hash gives it. Any thread may use it. */
public interface Hasher {
  /** One of {@link #getAllPossiblePrefixes}, the same for the same key in every program and for ever. */
  byte[] getHashPrefix(byte[] originalKey);

  /** Distinct, all of the same length, which is at least 1. */
  byte[][] getAllPossiblePrefixes();

  /** Name and parameters, e.g. {@code OneByteSimpleHash(32)} or {@code org.example.MyHasher(x)}. */
  String getParamsToStore();

  /** The hasher that a text describes; see {@link RowKeyDistributor#parse}. */
  static Hasher parse(String text) {
    CallText call = CallText.of(text);
    if (call.name.equals("OneByteSimpleHash")) return new OneByteSimpleHash(call.buckets());
    try {
      return Class.forName(call.name).asSubclass(Hasher.class).getConstructor(String.class).newInstance(call.argument);
    } catch (ReflectiveOperationException | ClassCastException e) {
      throw new IllegalArgumentException("no hasher '" + text + "': there is OneByteSimpleHash(BUCKETS), and CLASS(PARAMETERS) of a "
          + "Hasher with a constructor that takes a String", e);
    }
  }
}
