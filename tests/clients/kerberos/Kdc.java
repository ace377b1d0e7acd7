package vaquita.clients;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.minikdc.MiniKdc;
import org.apache.hadoop.security.UserGroupInformation;

/** A key distribution centre, its users, and the servers' keys. This process's Kerberos asks it. */
final class Kdc implements AutoCloseable {
  private final Path folder;
  private final MiniKdc kdc;
  private final File users;

  Kdc(Path folder, String... names) throws Exception {
    this.folder = folder;
    Properties settings = MiniKdc.createConf();
    settings.setProperty(MiniKdc.DEBUG, "false");
    kdc = new MiniKdc(settings, Files.createDirectories(folder.resolve("kdc")).toFile());
    kdc.start();
    kdc.createPrincipal(new File(serverKeytab()), "hbase/localhost", "HTTP/localhost");
    users = folder.resolve("users.keytab").toFile();
    kdc.createPrincipal(users, names);
  }

  /** Where all files are. */
  Path folder() {
    return folder;
  }

  String serverKeytab() {
    return folder.resolve("server.keytab").toString();
  }

  String serverPrincipal() {
    return "hbase/localhost@" + kdc.getRealm();
  }

  /** What clients and servers have in common. */
  void configure(Configuration configuration, String protection) {
    configuration.set("hadoop.security.authentication", "kerberos");
    configuration.set("hbase.security.authentication", "kerberos");
    configuration.set("hbase.regionserver.kerberos.principal", serverPrincipal());
    configuration.set("hbase.master.kerberos.principal", serverPrincipal());
    configuration.set("hbase.rpc.protection", protection);
    UserGroupInformation.setConfiguration(configuration);
  }

  /** The user, with a ticket. */
  UserGroupInformation login(String name) throws Exception {
    return UserGroupInformation.loginUserFromKeytabAndReturnUGI(name + "@" + kdc.getRealm(), users.getPath());
  }

  @Override
  public void close() {
    kdc.stop();
  }
}
