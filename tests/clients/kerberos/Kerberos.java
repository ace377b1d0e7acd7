package vaquita.clients;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.security.UserGroupInformation;

/** The checks, on a server for each protection of the messages and on a cluster, and with a client that has no ticket. */
public final class Kerberos {
  public static void main(String[] arguments) throws Exception {
    String program = arguments[1];
    PrintStream out = System.out;
    System.setErr(new PrintStream(OutputStream.nullOutputStream()));  // AccessControlClient prints what it throws
    Path folder = Files.createTempDirectory("vaquita-kerberos");
    try (Kdc kdc = new Kdc(folder, "admin", "ada", "bob")) {
      run(program, kdc, "standalone", "authentication", "zookeeper");
      run(program, kdc, "standalone", "authentication", "rpc");
      run(program, kdc, "standalone", "integrity", "zookeeper");
      run(program, kdc, "standalone", "privacy", "zookeeper");
      run(program, kdc, "cluster", "privacy", "zookeeper");
      out.println("-- without");
      try (Server server = new Server(program, kdc, "standalone", "authentication")) {
        Configuration configuration = server.configuration("zookeeper");
        configuration.set("hadoop.security.authentication", "simple");
        UserGroupInformation.setConfiguration(configuration);
        out.println("a client without a ticket: " + KerberosChecks.outcomeOf(configuration,
            User.create(UserGroupInformation.createRemoteUser("admin"))));
      }
    }
    try (Stream<Path> files = Files.walk(folder)) {
      files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    }
    System.exit(0);
  }

  private static void run(String program, Kdc kdc, String mode, String protection, String registry) throws Exception {
    System.out.println("-- " + mode + ", " + protection + ", " + registry);
    try (Server server = new Server(program, kdc, mode, protection)) {
      Configuration configuration = server.configuration(registry);
      kdc.configure(configuration, protection);
      KerberosChecks checks = new KerberosChecks(configuration, kdc, System.out);
      checks.run();
      if (mode.equals("cluster")) {
        System.out.println("-- other than in HBase");
        checks.actForAdmin();
      }
    }
  }

  /** A server or a cluster of its own, which ends with this process. */
  private static final class Server implements AutoCloseable {
    private final Process process;
    private final String ready;

    Server(String program, Kdc kdc, String mode, String protection) throws IOException {
      process = new ProcessBuilder(program, mode, "--free-ports", "--exit-with-stdin", "--ready-line",
          "--data", Files.createTempDirectory(kdc.folder(), "data").toString(),
          "-D", "hbase.security.authorization=true", "-D", "hbase.superuser=admin",
          "-D", "hbase.security.authentication=kerberos", "-D", "hbase.rpc.protection=" + protection,
          "-D", "hbase.regionserver.keytab.file=" + kdc.serverKeytab(),
          "-D", "hbase.regionserver.kerberos.principal=" + kdc.serverPrincipal(),
          "-D", "hbase.master.keytab.file=" + kdc.serverKeytab(),
          "-D", "hbase.master.kerberos.principal=" + kdc.serverPrincipal())
          .redirectError(ProcessBuilder.Redirect.INHERIT).start();
      ready = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)).readLine();
      if (ready == null) throw new IOException("the server did not start");
    }

    Configuration configuration(String registry) {
      Configuration configuration = HBaseConfiguration.create();
      configuration.setInt("hbase.client.retries.number", 2);
      // Else a refusal is also told as FailedServerException, for two seconds after it.
      configuration.setInt("hbase.ipc.client.failed.servers.expiry", 0);
      if (registry.equals("rpc")) {
        configuration.set("hbase.client.registry.impl", "org.apache.hadoop.hbase.client.RpcConnectionRegistry");
        configuration.set("hbase.client.bootstrap.servers", text("region_server"));
      } else {
        String[] parts = text("zookeeper").split(":");
        configuration.set("hbase.zookeeper.quorum", parts[0]);
        configuration.set("hbase.zookeeper.property.clientPort", parts[1]);
      }
      return configuration;
    }

    private String text(String key) {
      Matcher matcher = Pattern.compile("\"" + key + "\":\"([^\"]*)\"").matcher(ready);
      if (!matcher.find()) throw new IllegalStateException(ready);
      return matcher.group(1);
    }

    @Override
    public void close() throws IOException {
      process.getOutputStream().close();
      try {
        process.waitFor();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
