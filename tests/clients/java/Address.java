package vaquita.clients;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;

/** Where the cluster is found: `--address HOST:PORT [--registry zookeeper|rpc|master]`; `--server hbase` says it is not Vaquita. */
final class Address {
  private final String address;
  private final String registry;
  private final boolean isVaquita;

  private Address(String address, String registry, boolean isVaquita) {
    this.address = address;
    this.registry = registry;
    this.isVaquita = isVaquita;
  }

  static Address of(String[] arguments) {
    String address = null;
    String registry = "zookeeper";
    boolean isVaquita = true;
    for (int i = 0; i + 1 < arguments.length; i += 2) {
      if (arguments[i].equals("--address")) address = arguments[i + 1];
      if (arguments[i].equals("--registry")) registry = arguments[i + 1];
      if (arguments[i].equals("--server")) isVaquita = !arguments[i + 1].equals("hbase");
    }
    if (address == null) {
      System.err.println("usage: --address HOST:PORT [--registry zookeeper|rpc|master] [--server vaquita|hbase]");
      System.exit(2);
    }
    return new Address(address, registry, isVaquita);
  }

  boolean isVaquita() {
    return isVaquita;
  }

  @Override
  public String toString() {
    return address;
  }

  /** Nothing but the address: what else a client has are its defaults. */
  Configuration configuration() {
    Configuration configuration = HBaseConfiguration.create();
    String[] parts = address.split(":");
    switch (registry) {
      case "zookeeper":
        configuration.set("hbase.zookeeper.quorum", parts[0]);
        configuration.set("hbase.zookeeper.property.clientPort", parts[1]);
        break;
      case "rpc":
        configuration.set("hbase.client.registry.impl", "org.apache.hadoop.hbase.client.RpcConnectionRegistry");
        configuration.set("hbase.client.bootstrap.servers", address);
        break;
      case "master":
        configuration.set("hbase.client.registry.impl", "org.apache.hadoop.hbase.client.MasterRegistry");
        configuration.set("hbase.masters", address);
        break;
      default:
        throw new IllegalArgumentException("registry " + registry);
    }
    return configuration;
  }
}
