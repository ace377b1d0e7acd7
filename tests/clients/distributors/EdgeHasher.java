package vaquita.clients;

import org.vaquita.rowkey.Hasher;

/** Two bytes, the largest among them, by the key's last byte: a hasher that is found by its class. */
public final class EdgeHasher implements Hasher {
  private static final byte[][] PREFIXES = {{-1, -1}, {0, 0}, {'a', -1}, {'b', 0}};
  private final String parameters;

  public EdgeHasher(String parameters) {
    this.parameters = parameters;
  }

  @Override
  public byte[] getHashPrefix(byte[] originalKey) {
    return PREFIXES[originalKey[originalKey.length - 1] & 3];
  }

  @Override
  public byte[][] getAllPossiblePrefixes() {
    return PREFIXES.clone();
  }

  @Override
  public String getParamsToStore() {
    return "vaquita.clients.EdgeHasher(" + parameters + ")";
  }
}
