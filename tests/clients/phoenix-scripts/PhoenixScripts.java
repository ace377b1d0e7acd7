package vaquita.clients;

import java.io.IOException;
import java.math.BigDecimal;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.TimeZone;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Replays the statements that Apache Phoenix 5.2.1 answered (sql/engine/testdata, sql/avatica/testdata) by Phoenix's thin JDBC driver, and compares
 * the answers as text: columns with their types, rows, counts, errors with code and state. Cells and descriptors are read by
 * HBase's own client. Every script begins with an empty server, which the test control makes.
 */
public final class PhoenixScripts {
  private static int passed;
  private static int failed;
  private static java.sql.Connection sql;
  private static Connection hbase;

  /** "create TABLE FAMILY...", "put TABLE ROW FAMILY QUALIFIER VALUE". */
  private static void change(String[] words) throws IOException {
    if (words[1].equals("create")) {
      HBaseCells.create(hbase, words[2], List.of(words).subList(3, words.length));
      return;
    }
    try (Table table = hbase.getTable(TableName.valueOf(words[2]))) {
      table.put(new Put(Bytes.toBytes(words[3])).addColumn(
          Bytes.toBytes(words[4]), Bytes.toBytes(words[5]), Bytes.toBytesBinary(words[6])));
    }
  }

  private static List<String> answer(String statement) throws Exception {
    if (!statement.startsWith("!")) {
      return ThinAnswers.run(sql, statement.substring(0, statement.lastIndexOf(';')));
    }
    String[] words = statement.split("\\s+");
    switch (words[0]) {
      case "!hbase": change(words); break;
      case "!cells": return HBaseCells.read(hbase, words[1], words.length > 2 ? words[2] : "");
      case "!table": return HBaseCells.descriptor(hbase, words[1]);
      case "!meta": return ThinAnswers.metadata(sql, statement.substring("!meta ".length()));
      case "!autocommit": sql.setAutoCommit(words[1].equals("on")); break;
      case "!rollback": sql.rollback(); break;
      case "!commit":
        try {
          sql.commit();
        } catch (SQLException e) {
          return List.of(ThinAnswers.error(e));
        }
        break;
      default: throw new IllegalArgumentException(statement);
    }
    return List.of();
  }

  /** A column's label and type: "N DECIMAL/3", "A DATE ARRAY/2003". */
  private static final Pattern COLUMN = Pattern.compile("(?s)(.*?) ((?:\\w+ )?\\w+)/(-?\\d+)");

  private static String plainValue(String text, String type) {
    String value = type.endsWith(" ARRAY") ? text.replace("'", "") : text;
    switch (type) {
      case "FLOAT": case "UNSIGNED_FLOAT": return value.equals("null") ? value : String.valueOf((float) Double.parseDouble(value));
      case "DECIMAL": return value.matches("-?[0-9.E+-]+") ? new BigDecimal(value).stripTrailingZeros().toPlainString() : value;
      case "CHAR": return value.stripTrailing();
      case "DATE": return value.equals("1969-12-31") ? "1970-01-01" : value;  // days are rounded towards 1970
      case "CHAR ARRAY": return value.replaceAll(" +([,\\]])", "$1");
      case "DATE ARRAY":
        return Pattern.compile("(\\d{4}-\\d\\d-\\d\\d) [0-9:.]+").matcher(value)
            .replaceAll(date -> String.valueOf(LocalDate.parse(date.group(1)).toEpochDay()));
      default: return value;
    }
  }

  /**
   * The lines without what the thin driver does on its own, with Phoenix's query server, too: it gives a DECIMAL the digits of its
   * column's scale, pads a CHAR to its length, prints an array's texts without quotes and its dates as days, makes a FLOAT a
   * double, calls an empty label null, and knows no values of type NULL. HBase's client prints a family's options in the order of their setting.
   */
  private static List<String> plain(List<String> lines) {
    List<String> all = new ArrayList<>();
    List<String> types = new ArrayList<>();
    for (String line : lines) {
      String[] parts = line.split(" \\| ", -1);
      if (line.startsWith("columns")) {
        for (int i = 1; i < parts.length; i++) {
          Matcher column = COLUMN.matcher(parts[i]);
          types.add(column.matches() ? column.group(2) : "");
          parts[i] = parts[i].startsWith(" ") ? "null" + parts[i] : parts[i];
          if (types.get(i - 1).equals("NULL")) {
            return List.of("unknown type 0");
          }
        }
        line = String.join(" | ", parts);
      } else if (line.startsWith("row | ") && parts.length == types.size() + 1) {
        for (int i = 1; i < parts.length; i++) {
          parts[i] = plainValue(parts[i], types.get(i - 1));
        }
        line = String.join(" | ", parts);
      } else if (line.startsWith("family {")) {
        String[] options = line.substring("family {".length(), line.length() - 1).split(", ");
        Arrays.sort(options);
        line = "family {" + String.join(", ", options) + "}";
      } else if (line.endsWith(": unknown type 0")) {
        return List.of("unknown type 0");
      }
      all.add(line);
    }
    return all;
  }

  private static void replay(Path script) throws Exception {
    boolean anyOrder = false;
    for (String block : Files.readString(script).split("\n\n+")) {
      List<String> lines = new ArrayList<>(Arrays.asList(block.split("\n")));
      while (!lines.isEmpty() && lines.get(0).startsWith("#")) {
        lines.remove(0);
      }
      if (!lines.isEmpty() && lines.get(0).equals("!anyorder")) {
        anyOrder = true;
        lines.remove(0);
      }
      if (lines.isEmpty() || lines.get(0).isEmpty()) {
        continue;
      }
      StringBuilder statement = new StringBuilder(lines.remove(0));
      while (statement.charAt(0) != '!' && !statement.toString().stripTrailing().endsWith(";") && !lines.isEmpty()) {
        statement.append("\n").append(lines.remove(0));
      }
      if (statement.toString().startsWith("!put ")) {
        HBaseCells.write(hbase, statement.substring("!put ".length()), lines);
        continue;
      }
      List<String> got = plain(answer(statement.toString()));
      lines = plain(lines);
      anyOrder |= statement.toString().startsWith("!table ");
      if (anyOrder) {
        Collections.sort(lines);
        Collections.sort(got);
      }
      anyOrder = false;
      if (lines.equals(got)) {
        passed++;
        continue;
      }
      failed++;
      System.out.println("FAILED: " + script.getFileName() + ": " + statement + "\n  expected: " + String.join("\n            ", lines)
          + "\n  got:      " + String.join("\n            ", got));
    }
  }

  private static void reset(String control) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(URI.create(control + "/reset")).POST(HttpRequest.BodyPublishers.noBody()).build();
    HttpResponse<String> response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    if (response.statusCode() != 200) {
      throw new IOException(response.body());
    }
  }

  public static void main(String[] arguments) throws Exception {
    TimeZone.setDefault(TimeZone.getTimeZone("UTC"));
    int folders = arguments.length - 3;
    if (folders < 1 || !arguments[0].equals("--scripts") || !arguments[folders + 1].equals("--address")) {
      System.err.println("usage: PhoenixScripts --scripts FOLDER... --address HOST:PORT, with the server's ready file in $READY_FILE");
      System.exit(2);
    }
    String ready = Files.readString(Path.of(System.getenv("READY_FILE")), StandardCharsets.UTF_8);
    java.util.function.UnaryOperator<String> service = name -> {
      Matcher matcher = Pattern.compile("\"" + name + "\": *\"([^\"]+)\"").matcher(ready);
      if (!matcher.find()) {
        throw new IllegalArgumentException("no " + name + " in " + ready);
      }
      return matcher.group(1);
    };
    Configuration configuration = HBaseConfiguration.create();
    String[] quorum = service.apply("zookeeper").split(":");
    configuration.set("hbase.zookeeper.quorum", quorum[0]);
    configuration.set("hbase.zookeeper.property.clientPort", quorum[1]);
    hbase = ConnectionFactory.createConnection(configuration);
    List<Path> scripts = new ArrayList<>();
    for (int i = 1; i <= folders; i++) {
      try (Stream<Path> files = Files.list(Path.of(arguments[i]))) {
        files.filter(file -> file.toString().endsWith(".txt")).sorted().forEach(scripts::add);
      }
    }
    for (Path script : scripts) {
      // functions_differ.txt goes on with the tables of functions.txt.
      if (!script.getFileName().toString().equals("functions_differ.txt")) {
        reset(service.apply("test_control"));
        sql = DriverManager.getConnection("jdbc:phoenix:thin:url=http://" + arguments[folders + 2] + ";serialization=PROTOBUF");
        sql.setAutoCommit(true);
      }
      int before = passed;
      long start = System.nanoTime();
      replay(script);
      System.out.printf("%-30s %5d answers %6.2f s%n", script.getFileName(), passed - before, (System.nanoTime() - start) / 1e9);
    }
    System.out.println(passed + " checks passed, " + failed + " failed");
    System.exit(failed == 0 && passed > 0 ? 0 : 1);
  }
}
