package vaquita.clients;

import java.io.IOException;
import java.io.PrintStream;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.ipc.RemoteWithExtrasException;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.security.access.AccessControlClient;
import org.apache.hadoop.hbase.security.access.Permission;
import org.apache.hadoop.hbase.security.token.AuthenticationTokenIdentifier;
import org.apache.hadoop.hbase.security.token.ClientTokenUtil;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;

/**
 * Users with Kerberos tickets and delegation tokens, on a server with hbase.security.authorization whose superuser is
 * "admin". It prints what each gets; kerberos.txt is what HBase 2.6.0 prints.
 */
final class KerberosChecks {
  private static final TableName T = TableName.valueOf("t1");
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] Q = Bytes.toBytes("q");
  private static final int ROWS = 2000;

  private final Configuration configuration;
  private final Kdc kdc;
  private final PrintStream out;

  KerberosChecks(Configuration configuration, Kdc kdc, PrintStream out) {
    this.configuration = configuration;
    this.kdc = kdc;
    this.out = out;
  }

  private interface Work {
    Object run(Connection connection) throws Throwable;
  }

  /** Runs the work on a connection of the user's own, and prints its outcome. */
  private void as(UserGroupInformation user, String what, Work work) throws Exception {
    String outcome = user.doAs((PrivilegedExceptionAction<String>) () -> {
      try (Connection connection = ConnectionFactory.createConnection(configuration, User.create(user))) {
        Object result = work.run(connection);
        return result == null ? "ok" : result.toString();
      } catch (Throwable e) {
        return nameOf(e);
      }
    });
    out.println(what + ": " + outcome);
  }

  /** What a get of the table gives the user. */
  static String outcomeOf(Configuration configuration, User user) {
    try (Connection connection = ConnectionFactory.createConnection(configuration, user);
        Table table = connection.getTable(T)) {
      table.get(new Get(Bytes.toBytes("r1")));
      return "ok";
    } catch (IOException e) {
      return nameOf(e);
    }
  }

  /** The innermost exception's class; retries differ by time alone. */
  private static String nameOf(Throwable e) {
    while (e instanceof RetriesExhaustedException && e.getCause() != null) e = e.getCause();
    if (e instanceof RemoteWithExtrasException) e = ((RemoteWithExtrasException) e).unwrapRemoteException();
    return e.getClass().getSimpleName();
  }

  void run() throws Exception {
    UserGroupInformation admin = kdc.login("admin");
    UserGroupInformation ada = kdc.login("ada");
    UserGroupInformation bob = kdc.login("bob");

    as(admin, "admin makes a table", connection -> {
      try (Admin a = connection.getAdmin()) {
        a.createTable(TableDescriptorBuilder.newBuilder(T).setColumnFamily(ColumnFamilyDescriptorBuilder.of(F)).build());
      }
      AccessControlClient.grant(connection, T, "ada", null, null, Permission.Action.READ, Permission.Action.WRITE);
      return null;
    });
    as(ada, "ada puts and gets", connection -> putAndGet(connection, "r1"));
    as(bob, "bob gets", connection -> get(connection, "r1"));
    as(ada, "ada makes a table", connection -> {
      try (Admin a = connection.getAdmin()) {
        a.createTable(TableDescriptorBuilder.newBuilder(TableName.valueOf("t2"))
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F)).build());
      }
      return null;
    });
    as(ada, "ada writes and scans from many threads", this::writeAndScan);
    as(ada, "ada puts and gets 3 MB", connection -> {
      byte[] value = new byte[3 << 20];
      for (int i = 0; i < value.length; ++i) value[i] = (byte) (i * 31 >> 3);
      try (Table table = connection.getTable(T)) {
        table.put(new Put(Bytes.toBytes("big")).addColumn(F, Q, value));
        byte[] found = table.get(new Get(Bytes.toBytes("big"))).getValue(F, Q);
        return Bytes.equals(found, value);
      }
    });

    as(UserGroupInformation.createProxyUser("bob", admin), "admin as bob gets", connection -> get(connection, "r1"));
    as(UserGroupInformation.createProxyUser("ada", admin), "admin as ada gets", connection -> get(connection, "r1"));

    tokens(ada);
  }

  /** HBase lets everybody act for others unless hadoop.security.authorization is true. */
  void actForAdmin() throws Exception {
    as(UserGroupInformation.createProxyUser("admin", kdc.login("ada")), "ada as admin gets", connection -> get(connection, "r1"));
  }

  private void tokens(UserGroupInformation ada) throws Exception {
    List<Token<AuthenticationTokenIdentifier>> tokens = new ArrayList<>();
    as(ada, "ada asks for a token", connection -> {
      Token<AuthenticationTokenIdentifier> token = ClientTokenUtil.obtainToken(connection);
      tokens.add(token);
      AuthenticationTokenIdentifier identifier = token.decodeIdentifier();
      return token.getKind() + " of " + identifier.getUsername() + ", valid for "
          + (identifier.getExpirationDate() - identifier.getIssueDate()) / 3_600_000 + " h";
    });
    if (tokens.isEmpty()) return;
    UserGroupInformation task = holder(tokens.get(0));
    as(task, "a task with ada's token puts and gets", connection -> putAndGet(connection, "r2"));
    as(task, "it writes and scans from many threads", this::writeAndScan);
    as(task, "it asks for a token", connection -> ClientTokenUtil.obtainToken(connection).getKind());

    Token<AuthenticationTokenIdentifier> real = tokens.get(0);
    byte[] password = real.getPassword().clone();
    password[0] ^= 1;
    UserGroupInformation forger =
        holder(new Token<>(real.getIdentifier(), password, real.getKind(), real.getService()));
    as(forger, "a task with a forged token gets", connection -> get(connection, "r1"));
  }

  private static UserGroupInformation holder(Token<AuthenticationTokenIdentifier> token) {
    UserGroupInformation task = UserGroupInformation.createRemoteUser("task");
    task.addToken(token);
    return task;
  }

  private Object get(Connection connection, String row) throws IOException {
    try (Table table = connection.getTable(T)) {
      return Bytes.toString(table.get(new Get(Bytes.toBytes(row))).getValue(F, Q));
    }
  }

  private Object putAndGet(Connection connection, String row) throws IOException {
    try (Table table = connection.getTable(T)) {
      table.put(new Put(Bytes.toBytes(row)).addColumn(F, Q, Bytes.toBytes("value of " + row)));
      return get(connection, row);
    }
  }

  private Object writeAndScan(Connection connection) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try (Table table = connection.getTable(T)) {
      List<Future<?>> writes = new ArrayList<>();
      for (int thread = 0; thread < 8; ++thread) {
        int first = thread;
        writes.add(threads.submit((Callable<Void>) () -> {
          for (int i = first; i < ROWS; i += 8) table.put(new Put(rowOf(i)).addColumn(F, Q, Bytes.toBytes(i)));
          return null;
        }));
      }
      for (Future<?> write : writes) write.get();
      int found = 0;
      try (ResultScanner scanner = table.getScanner(new Scan().withStartRow(rowOf(0)).withStopRow(Bytes.toBytes("s~")))) {
        for (Result result : scanner) {
          if (Bytes.toInt(result.getValue(F, Q)) == found) ++found;
        }
      }
      return found + " rows";
    } finally {
      threads.shutdown();
    }
  }

  private static byte[] rowOf(int i) {
    return Bytes.toBytes(String.format("s%06d", i));
  }
}
