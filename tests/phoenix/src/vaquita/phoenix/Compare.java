package vaquita.phoenix;

import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TimeZone;
import vaquita.clients.ThinAnswers;

/**
 * Asks two query servers the same statements by Phoenix's thin driver, and prints the answers that differ. The first one is
 * Phoenix's own: its answers are written to the file of --record, as the tests read them. The statements are those of a file,
 * each ended by a semicolon at a line's end, or made at random from a seed. A line "!meta CALL ARGUMENTS" of a file asks
 * DatabaseMetaData (ThinAnswers).
 */
public final class Compare {
  private static final String USAGE =
      "usage: Compare PHOENIX VAQUITA (--seed N --statements N | --file FILE) [--record FILE]   (servers are HOST:PORT)";

  private static Connection connect(String address) throws SQLException {
    Connection connection = DriverManager.getConnection("jdbc:phoenix:thin:url=http://" + address + ";serialization=PROTOBUF");
    connection.setAutoCommit(true);
    return connection;
  }

  /** The answer; Phoenix's query server has an error's code and state only in the text. */
  static List<String> ask(Connection connection, String statement) {
    if (statement.startsWith("!meta ")) {
      return ThinAnswers.metadata(connection, statement.substring("!meta ".length()));
    }
    List<String> lines = ThinAnswers.run(connection, statement);
    lines.replaceAll(line -> line.replaceFirst("^error -1 00000 ERROR (\\d+) \\((\\w+)\\)", "error $1 $2 ERROR $1 ($2)"));
    if (!isOrdered(statement)) {
      Collections.sort(lines.subList(Math.min(1, lines.size()), lines.size()));
    }
    return lines;
  }

  private static boolean isOrdered(String statement) {
    return !statement.matches("(?is)SELECT\\s.*") || statement.matches("(?is).*\\sORDER BY\\s.*");
  }

  static List<String> statementsOf(Path file) throws Exception {
    List<String> statements = new ArrayList<>();
    StringBuilder statement = new StringBuilder();
    for (String line : Files.readAllLines(file)) {
      if (statement.length() == 0 && (line.isBlank() || line.startsWith("--"))) {
        continue;
      }
      if (line.startsWith("!")) {
        statements.add(line);
        continue;
      }
      statement.append(statement.length() == 0 ? "" : "\n").append(line.stripTrailing());
      if (statement.charAt(statement.length() - 1) == ';') {
        statements.add(statement.substring(0, statement.length() - 1));
        statement.setLength(0);
      }
    }
    return statements;
  }

  public static void main(String[] arguments) throws Exception {
    TimeZone.setDefault(TimeZone.getTimeZone("UTC"));
    long seed = 1;
    int count = 0;
    List<String> statements = null;
    PrintWriter record = null;
    for (int i = 2; i + 1 < arguments.length; i += 2) {
      switch (arguments[i]) {
        case "--seed": seed = Long.parseLong(arguments[i + 1]); break;
        case "--statements": count = Integer.parseInt(arguments[i + 1]); break;
        case "--file": statements = statementsOf(Path.of(arguments[i + 1])); break;
        case "--record": record = new PrintWriter(arguments[i + 1], "UTF-8"); break;
        default: throw new IllegalArgumentException(USAGE);
      }
    }
    if (arguments.length < 4 || (statements == null) == (count == 0)) {
      throw new IllegalArgumentException(USAGE);
    }
    if (statements == null) {
      RandomStatements random = new RandomStatements(seed);
      statements = random.setup();
      for (int i = 0; i < count; i++) {
        statements.add(random.next());
      }
    }
    int differences = 0;
    int errors = 0;
    try (Connection phoenix = connect(arguments[0]); Connection vaquita = connect(arguments[1])) {
      for (String statement : statements) {
        List<String> expected = ask(phoenix, statement);
        List<String> got = ask(vaquita, statement);
        errors += expected.get(0).startsWith("error") ? 1 : 0;
        if (record != null) {
          record.println((isOrdered(statement) ? "" : "!anyorder\n") + statement + (statement.startsWith("!") ? "" : ";") + "\n"
              + String.join("\n", expected) + "\n");
        }
        if (!expected.equals(got)) {
          differences++;
          List<String> missing = new ArrayList<>(expected);
          got.forEach(missing::remove);
          List<String> more = new ArrayList<>(got);
          expected.forEach(more::remove);
          System.out.println("DIFFERENT: " + statement + "\n  Phoenix: " + String.join("\n           ", missing)
              + "\n  Vaquita: " + String.join("\n           ", more));
        }
      }
    }
    if (record != null) {
      record.close();
    }
    System.out.println(statements.size() + " statements, " + errors + " of them errors, " + differences + " answers differ");
    System.exit(differences == 0 ? 0 : 1);
  }
}
