package vaquita.clients;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import sqlline.SqlLine;

/** sqlline, the shell that Phoenix comes with, over Phoenix's thin driver: statements, its commands for metadata, and errors. */
public final class Sqlline {
  private static int passed;
  private static int failed;

  private static void prints(String output, String what, String wanted) {
    boolean found = output.lines().map(line -> line.replaceAll("\\s+", " ").trim()).anyMatch(wanted::equals);
    if (found) {
      passed++;
      return;
    }
    failed++;
    System.out.println("FAILED: " + what + "\n  expected a line: " + wanted);
  }

  /** What sqlline prints when it runs a script of these lines. */
  private static String session(String address, List<String> lines) throws Exception {
    Path script = Files.createTempFile("sqlline", ".sql");
    Files.write(script, lines);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream output = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    SqlLine sqlline = new SqlLine();
    sqlline.setOutputStream(output);
    sqlline.setErrorStream(output);
    String[] arguments = {"-u", "jdbc:phoenix:thin:url=http://" + address + ";serialization=PROTOBUF", "-n", "nobody", "-p", "nothing",
        "-d", "org.apache.phoenix.queryserver.client.Driver", "--outputformat=csv", "--color=false", "--autoCommit=true", "--force=true",
        "--isolation=TRANSACTION_READ_COMMITTED", "-f", script.toString()};
    sqlline.begin(arguments, null, false);
    Files.delete(script);
    return bytes.toString(StandardCharsets.UTF_8);
  }

  public static void main(String[] arguments) throws Exception {
    if (arguments.length != 2 || !arguments[0].equals("--address")) {
      System.err.println("usage: Sqlline --address HOST:PORT");
      System.exit(2);
    }
    String output = session(arguments[1], List.of(
        "CREATE TABLE LINES (ID INTEGER NOT NULL, NAME VARCHAR NOT NULL, N DECIMAL(10,2), CONSTRAINT LINES_PK PRIMARY KEY (ID, NAME));",
        "CREATE INDEX LINES_I ON LINES (N);",
        "UPSERT INTO LINES VALUES (1, 'Ann', 12.5);",
        "UPSERT INTO LINES VALUES (2, 'Bob', 3);",
        "UPSERT INTO LINES SELECT ID + 10, NAME, N * 2 FROM LINES;",
        "SELECT ID, NAME, N FROM LINES ORDER BY ID DESC;",
        "EXPLAIN SELECT * FROM LINES WHERE ID = 2;",
        "SELECT NOPE FROM LINES;",
        "!tables",
        "!columns LINES",
        "!describe LINES",
        "!primarykeys LINES",
        "!indexes LINES",
        "!dbinfo",
        "!autocommit off",
        "UPSERT INTO LINES VALUES (99, 'not committed', 0);",
        "!rollback",
        "!autocommit on",
        "SELECT COUNT(*) AS HOW_MANY FROM LINES;"));
    prints(output, "columns", "'ID','NAME','N'");
    prints(output, "a row", "'12','Bob','6.00'");
    prints(output, "the last row", "'1','Ann','12.50'");
    prints(output, "a count", "'4'");
    if (output.contains("ERROR 504 (42703): Undefined column. columnName=LINES.NOPE")) {
      passed++;
    } else {
      failed++;
      System.out.println("FAILED: an error");
    }
    for (String part : List.of("'LINES','TABLE'", "'LINES_I','INDEX'", "'LINES','N','3','DECIMAL','10'", "RANGE SCAN OVER LINES [2]",
        "getDatabaseProductName Phoenix")) {
      if (output.replaceAll("[ ]+", " ").contains(part)) {
        passed++;
      } else {
        failed++;
        System.out.println("FAILED: expected somewhere: " + part);
      }
    }
    session(arguments[1], List.of("DROP TABLE LINES;"));
    if (failed > 0) {
      System.out.println(output);
    }
    System.out.println(passed + " checks passed, " + failed + " failed");
    System.exit(failed == 0 && passed > 0 ? 0 : 1);
  }
}
