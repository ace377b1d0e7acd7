package vaquita.clients;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.security.access.AccessControlClient;
import org.apache.hadoop.hbase.security.access.GetUserPermissionsRequest;
import org.apache.hadoop.hbase.security.access.Permission;
import org.apache.hadoop.hbase.security.access.Permission.Action;
import org.apache.hadoop.hbase.security.access.UserPermission;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Users and their rights, on a server with hbase.security.authorization whose superuser is "admin". It prints what each
 * user gets for each request; users.txt is what HBase 2.6.0 prints.
 */
public final class Users {
  private static final TableName T = TableName.valueOf("t1");
  private static final TableName N = TableName.valueOf("ns1:t2");
  private static final List<String> NAMES = Arrays.asList("admin", "bob", "carol", "dave", "erin", "eve", "frank");
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] G = Bytes.toBytes("g");
  private static final byte[] Q = Bytes.toBytes("q");
  private static final byte[] P = Bytes.toBytes("p");

  private final Configuration configuration;
  private final Map<String, Connection> connections = new HashMap<>();
  private final PrintStream out = System.out;

  private Users(Configuration configuration) {
    this.configuration = configuration;
    configuration.setInt("hbase.client.retries.number", 3);
  }

  public static void main(String[] arguments) throws Exception {
    System.setErr(new PrintStream(OutputStream.nullOutputStream()));
    new Users(Address.of(arguments).configuration()).run();
    System.exit(0);
  }

  private interface Work {
    Object run(Connection connection, Admin admin, Table table) throws Throwable;
  }

  private Connection of(String user) throws Exception {
    Connection known = connections.get(user);
    if (known != null) return known;
    User as = User.create(UserGroupInformation.createRemoteUser(user));
    Connection made = as.runAs((java.security.PrivilegedExceptionAction<Connection>) () ->
        ConnectionFactory.createConnection(configuration, as));
    connections.put(user, made);
    return made;
  }

  /** Prints the outcome of a request of a user. */
  private void as(String user, String what, TableName table, Work work) throws Exception {
    Connection connection = of(user);
    String outcome;
    try (Admin admin = connection.getAdmin(); Table opened = connection.getTable(table)) {
      outcome = text(work.run(connection, admin, opened));
    } catch (Throwable thrown) {
      outcome = text(thrown);
    }
    out.println(user + ": " + what + ": " + outcome);
  }

  private void as(String user, String what, Work work) throws Exception {
    as(user, what, T, work);
  }

  private static String text(Object value) {
    if (value == null) return "done";
    if (value instanceof Result) {
      List<String> cells = new ArrayList<>();
      for (Cell cell : ((Result) value).listCells() == null ? new ArrayList<Cell>() : ((Result) value).listCells()) {
        cells.add(Bytes.toString(CellUtil.cloneFamily(cell)) + ":" + Bytes.toString(CellUtil.cloneQualifier(cell)) + "="
            + Bytes.toStringBinary(CellUtil.cloneValue(cell)));
      }
      return cells.toString();
    }
    if (value instanceof Object[]) {
      List<String> texts = new ArrayList<>();
      for (Object each : (Object[]) value) texts.add(text(each));
      return texts.toString();
    }
    if (value instanceof Throwable) {
      Throwable thrown = (Throwable) value;
      if (thrown instanceof RetriesExhaustedWithDetailsException) {
        return text(((RetriesExhaustedWithDetailsException) thrown).getCause(0));
      }
      // A client puts the class before the message once, twice or not at all.
      String message = String.valueOf(thrown.getMessage())
          .replace("org.apache.hadoop.hbase.security.AccessDeniedException: ", "");
      int end = message.indexOf('\n');
      return thrown.getClass().getSimpleName() + " " + (end < 0 ? message : message.substring(0, end));
    }
    return String.valueOf(value);
  }

  private static String permissions(List<UserPermission> permissions) {
    List<String> texts = new ArrayList<>();
    for (UserPermission each : permissions) {
      // The server's own user is a superuser, and has another name elsewhere.
      if (NAMES.contains(each.getUser())) texts.add(each.getUser() + " " + each.getPermission());
    }
    Collections.sort(texts);
    return texts.toString();
  }

  /** Prints the cells of hbase:acl. */
  private void showAcl() throws Exception {
    try (Table acl = of("admin").getTable(TableName.valueOf("hbase:acl")); ResultScanner rows = acl.getScanner(new Scan())) {
      for (Result row : rows) {
        for (Cell cell : row.rawCells()) {
          out.println("hbase:acl " + Bytes.toStringBinary(row.getRow()) + " " + Bytes.toString(CellUtil.cloneFamily(cell))
              + " " + Bytes.toStringBinary(CellUtil.cloneQualifier(cell)) + " "
              + Bytes.toStringBinary(CellUtil.cloneValue(cell)));
        }
      }
    }
  }

  private static TableDescriptor table(TableName name) {
    return TableDescriptorBuilder.newBuilder(name).setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
        .setColumnFamily(ColumnFamilyDescriptorBuilder.of(G)).build();
  }

  private static List<String> sorted(TableName[] names) {
    List<String> texts = new ArrayList<>();
    for (TableName name : names) texts.add(name.toString());
    Collections.sort(texts);
    return texts;
  }

  private static byte[] row(String name) {
    return name.getBytes(StandardCharsets.UTF_8);
  }

  private static List<String> rows(Table table, Scan scan) throws Exception {
    List<String> texts = new ArrayList<>();
    try (ResultScanner scanner = table.getScanner(scan)) {
      for (Result result : scanner) texts.add(Bytes.toString(result.getRow()) + text(result));
    }
    return texts;
  }

  private void data(String user) throws Exception {
    as(user, "get", (c, a, t) -> t.get(new Get(row("r"))));
    as(user, "get f", (c, a, t) -> t.get(new Get(row("r")).addFamily(F)));
    as(user, "get f:q", (c, a, t) -> t.get(new Get(row("r")).addColumn(F, Q)));
    as(user, "get f:q g", (c, a, t) -> t.get(new Get(row("r")).addColumn(F, Q).addFamily(G)));
    as(user, "get f:p", (c, a, t) -> t.get(new Get(row("r")).addColumn(F, P)));
    as(user, "exists", (c, a, t) -> t.exists(new Get(row("r"))));
    as(user, "scan", (c, a, t) -> rows(t, new Scan()));
    as(user, "scan f", (c, a, t) -> rows(t, new Scan().addFamily(F)));
    as(user, "scan f:q", (c, a, t) -> rows(t, new Scan().addColumn(F, Q)));
    as(user, "put f:q", (c, a, t) -> { t.put(new Put(row("w")).addColumn(F, Q, Q)); return null; });
    as(user, "put f:q g:q", (c, a, t) -> { t.put(new Put(row("w")).addColumn(F, Q, Q).addColumn(G, Q, Q)); return null; });
    as(user, "delete row", (c, a, t) -> { t.delete(new Delete(row("w"))); return null; });
    as(user, "delete f:q", (c, a, t) -> { t.delete(new Delete(row("w")).addColumns(F, Q)); return null; });
    as(user, "increment f:n", (c, a, t) -> t.increment(new Increment(row("w")).addColumn(F, Bytes.toBytes("n"), 1)) != null);
    as(user, "append f:a", (c, a, t) -> t.append(new Append(row("w")).addColumn(F, Bytes.toBytes("a"), Q)) != null);
    as(user, "check f:q and put f:p", (c, a, t) ->
        t.checkAndMutate(row("r"), F).qualifier(Q).ifEquals(Bytes.toBytes("1"))
            .thenPut(new Put(row("r")).addColumn(F, P, Bytes.toBytes("2"))));
    as(user, "row mutations", (c, a, t) -> {
      t.mutateRow(RowMutations.of(Arrays.asList(new Put(row("w")).addColumn(F, Q, Q), new Put(row("w")).addColumn(G, Q, Q))));
      return null;
    });
    as(user, "batch", (c, a, t) -> {
      List<Row> actions = Arrays.asList(new Get(row("r")).addColumn(F, Q), new Put(row("w")).addColumn(F, Q, Q),
          new Put(row("w")).addColumn(G, Q, Q), new Get(row("r")).addColumn(G, Q));
      Object[] results = new Object[actions.size()];
      try {
        t.batch(actions, results);
      } catch (RetriesExhaustedWithDetailsException refused) {
        // the results have what was refused
      }
      return results;
    });
    as("admin", "(cleans)", (c, a, t) -> { t.delete(new Delete(row("w"))); return null; });
  }

  private void administration(String user) throws Exception {
    as(user, "list names", (c, a, t) -> sorted(a.listTableNames()));
    as(user, "list descriptors", (c, a, t) -> a.listTableDescriptors().stream().map(d -> d.getTableName().toString())
        .sorted().collect(java.util.stream.Collectors.toList()));
    as(user, "descriptor", (c, a, t) -> a.getDescriptor(T).getTableName());
    as(user, "table exists", (c, a, t) -> a.tableExists(T));
    as(user, "create", (c, a, t) -> { a.createTable(table(TableName.valueOf("made"))); return null; });
    as(user, "create in ns1", (c, a, t) -> { a.createTable(table(TableName.valueOf("ns1:made"))); return null; });
    if (!user.equals("frank")) as(user, "modify", (c, a, t) -> { a.modifyTable(table(T)); return null; });
    as(user, "disable", (c, a, t) -> { a.disableTable(T); return null; });
    as(user, "enable", (c, a, t) -> { a.enableTable(T); return null; });
    as(user, "flush", (c, a, t) -> { a.flush(T); return null; });
    as(user, "split switch", (c, a, t) -> { a.splitSwitch(true, true); return null; });
    as(user, "procedures", (c, a, t) -> { a.getProcedures(); return null; });
    as(user, "snapshot", (c, a, t) -> { a.snapshot("s-" + user, T); return null; });
    as(user, "list snapshots", (c, a, t) -> a.listSnapshots().stream().map(s -> s.getName())
        .collect(java.util.stream.Collectors.toList()));
    as(user, "delete snapshot", (c, a, t) -> { a.deleteSnapshot("s-" + user); return null; });
    as(user, "list namespaces", (c, a, t) -> Arrays.asList(a.listNamespaces()));
    as(user, "describe namespace", (c, a, t) -> a.getNamespaceDescriptor("ns1").getName());
    as(user, "list namespace descriptors", (c, a, t) -> Arrays.stream(a.listNamespaceDescriptors()).map(n -> n.getName())
        .collect(java.util.stream.Collectors.toList()));
    as(user, "create namespace", (c, a, t) -> { a.createNamespace(NamespaceDescriptor.create("ns2").build()); return null; });
    as(user, "capabilities", (c, a, t) -> a.getSecurityCapabilities().stream().map(Object::toString)
        .filter(name -> !name.startsWith("CELL_")).sorted().collect(java.util.stream.Collectors.toList()));
    as(user, "grant", (c, a, t) -> { AccessControlClient.grant(c, T, "eve", null, null, Action.READ); return null; });
    as(user, "grant globally", (c, a, t) -> { AccessControlClient.grant(c, "eve", Action.READ); return null; });
    as(user, "grant in ns1", (c, a, t) -> { AccessControlClient.grant(c, "ns1", "eve", Action.READ); return null; });
    as(user, "permissions of t1", (c, a, t) -> permissions(AccessControlClient.getUserPermissions(c, "t1")));
    as(user, "permissions", (c, a, t) -> permissions(AccessControlClient.getUserPermissions(c, null)));
    as(user, "permissions in ns1", (c, a, t) -> permissions(AccessControlClient.getUserPermissions(c, "@ns1")));
    as(user, "own rights", (c, a, t) -> a.hasUserPermissions(Arrays.asList(
        Permission.newBuilder(T).withActions(Action.READ).build(),
        Permission.newBuilder(T).withFamily(F).withActions(Action.READ).build(),
        Permission.newBuilder(T).withFamily(F).withQualifier(Q).withActions(Action.READ).build(),
        Permission.newBuilder("ns1").withActions(Action.CREATE).build(),
        Permission.newBuilder().withActions(Action.ADMIN).build())));
    as(user, "admin's rights", (c, a, t) -> a.hasUserPermissions("admin",
        Arrays.asList(Permission.newBuilder(T).withActions(Action.READ).build())));
    if (!user.equals("frank")) as(user, "put into hbase:meta", TableName.META_TABLE_NAME, (c, a, t) -> {
      t.put(new Put(row("x")).addColumn(Bytes.toBytes("info"), Q, Q));
      return null;
    });
    as(user, "scan hbase:meta", TableName.META_TABLE_NAME, (c, a, t) -> !rows(t, new Scan()).isEmpty());
    as(user, "scan hbase:acl", TableName.valueOf("hbase:acl"), (c, a, t) -> !rows(t, new Scan()).isEmpty());
  }

  private void grant(String user, String what, Work work) throws Exception {
    as("admin", "grant " + user + " " + what, work);
  }

  private void run() throws Exception {
    as("admin", "create namespace", (c, a, t) -> { a.createNamespace(NamespaceDescriptor.create("ns1").build()); return null; });
    as("admin", "create t1", (c, a, t) -> { a.createTable(table(T)); return null; });
    as("admin", "create ns1:t2", (c, a, t) -> { a.createTable(table(N)); return null; });
    as("admin", "put", (c, a, t) -> {
      t.put(new Put(row("r")).addColumn(F, Q, Bytes.toBytes("1")).addColumn(F, P, Bytes.toBytes("2"))
          .addColumn(G, Q, Bytes.toBytes("3")));
      return null;
    });
    showAcl();

    out.println("--- no rights");
    data("bob");
    administration("bob");

    out.println("--- a column");
    grant("bob", "t1 f:q RW", (c, a, t) -> { AccessControlClient.grant(c, T, "bob", F, Q, Action.READ, Action.WRITE); return null; });
    data("bob");
    administration("bob");

    out.println("--- a family");
    grant("carol", "t1 f R", (c, a, t) -> { AccessControlClient.grant(c, T, "carol", F, null, Action.READ); return null; });
    data("carol");

    out.println("--- a table");
    grant("dave", "t1 RWXCA", (c, a, t) -> { AccessControlClient.grant(c, T, "dave", null, null, Action.values()); return null; });
    data("dave");
    administration("dave");

    out.println("--- a namespace");
    grant("erin", "@ns1 RC", (c, a, t) -> { AccessControlClient.grant(c, "ns1", "erin", Action.READ, Action.CREATE); return null; });
    as("erin", "get", N, (c, a, t) -> t.get(new Get(row("r"))));
    as("erin", "put", N, (c, a, t) -> { t.put(new Put(row("r")).addColumn(F, Q, Q)); return null; });
    as("erin", "get t1", (c, a, t) -> t.get(new Get(row("r"))));
    as("erin", "create in ns1", (c, a, t) -> { a.createTable(table(TableName.valueOf("ns1:made"))); return null; });
    as("erin", "create", (c, a, t) -> { a.createTable(table(TableName.valueOf("made"))); return null; });
    as("erin", "list names", (c, a, t) -> sorted(a.listTableNames()));
    showAcl();
    as("erin", "put into its own", TableName.valueOf("ns1:made"), (c, a, t) -> { t.put(new Put(row("r")).addColumn(F, Q, Q)); return null; });
    as("erin", "disable its own", (c, a, t) -> { a.disableTable(TableName.valueOf("ns1:made")); return null; });
    as("erin", "delete its own", (c, a, t) -> { a.deleteTable(TableName.valueOf("ns1:made")); return null; });

    out.println("--- everything");
    grant("frank", "RWXCA", (c, a, t) -> { AccessControlClient.grant(c, "frank", Action.values()); return null; });
    data("frank");
    administration("frank");
    as("frank", "drop", (c, a, t) -> {
      for (String name : new String[] {"made", "ns1:made"}) {
        a.disableTable(TableName.valueOf(name));
        a.deleteTable(TableName.valueOf(name));
      }
      a.deleteNamespace("ns2");
      return null;
    });
    as("frank", "grant to a superuser", (c, a, t) -> { AccessControlClient.grant(c, "admin", Action.READ); return null; });
    showAcl();

    out.println("--- changes of rights");
    as("admin", "Admin.grant, merged", (c, a, t) -> {
      a.grant(new UserPermission("bob", Permission.newBuilder(T).withFamily(F).withQualifier(Q).withActions(Action.ADMIN).build()), true);
      return null;
    });
    as("admin", "Admin.grant, not merged", (c, a, t) -> {
      a.grant(new UserPermission("carol", Permission.newBuilder(T).withFamily(F).withActions(Action.WRITE).build()), false);
      return null;
    });
    as("admin", "permissions by family", (c, a, t) -> permissions(a.getUserPermissions(
        GetUserPermissionsRequest.newBuilder(T).withFamily(F).build())));
    as("admin", "permissions by column", (c, a, t) -> permissions(a.getUserPermissions(
        GetUserPermissionsRequest.newBuilder(T).withFamily(F).withQualifier(Q).build())));
    as("admin", "permissions by user", (c, a, t) -> permissions(a.getUserPermissions(
        GetUserPermissionsRequest.newBuilder(T).withUserName("bob").build())));
    as("admin", "permissions by pattern", (c, a, t) -> permissions(AccessControlClient.getUserPermissions(c, ".*")));
    as("admin", "bob's rights", (c, a, t) -> a.hasUserPermissions("bob", Arrays.asList(
        Permission.newBuilder(T).withFamily(F).withQualifier(Q).withActions(Action.READ, Action.ADMIN).build(),
        Permission.newBuilder(T).withFamily(F).withActions(Action.READ).build())));
    as("admin", "revoke bob's W", (c, a, t) -> { AccessControlClient.revoke(c, T, "bob", F, Q, Action.WRITE); return null; });
    as("bob", "get f:q", (c, a, t) -> t.get(new Get(row("r")).addColumn(F, Q)));
    as("bob", "put f:q", (c, a, t) -> { t.put(new Put(row("w")).addColumn(F, Q, Q)); return null; });
    showAcl();
    as("admin", "revoke bob's all", (c, a, t) -> { AccessControlClient.revoke(c, T, "bob", F, Q, Action.values()); return null; });
    as("bob", "get f:q", (c, a, t) -> t.get(new Get(row("r")).addColumn(F, Q)));
    as("admin", "revoke what is not", (c, a, t) -> { AccessControlClient.revoke(c, T, "nobody", null, null, Action.READ); return null; });
    as("admin", "revoke without actions", (c, a, t) -> { a.revoke(new UserPermission("carol", Permission.newBuilder(T).withFamily(F).build())); return null; });
    as("admin", "truncate t1", (c, a, t) -> { a.disableTable(T); a.truncateTable(T, false); return null; });
    showAcl();
    as("admin", "disable hbase:acl", (c, a, t) -> { a.disableTable(TableName.valueOf("hbase:acl")); return null; });
    as("admin", "delete", (c, a, t) -> {
      for (TableName name : new TableName[] {T, N}) {
        a.disableTable(name);
        a.deleteTable(name);
      }
      a.deleteNamespace("ns1");
      return null;
    });
    showAcl();
    as("admin", "revoke frank", (c, a, t) -> { AccessControlClient.revoke(c, "frank", Action.values()); return null; });
    as("admin", "revoke eve", (c, a, t) -> { AccessControlClient.revoke(c, "eve", Action.values()); return null; });
    showAcl();
  }
}
