package vaquita.clients;

/** hbase-client 2.1: the API that a program has. */
public final class Java21 {
  public static void main(String[] arguments) {
    Java2.run(Address.of(arguments), (connection, async) -> {});
  }

  private Java21() {}
}
