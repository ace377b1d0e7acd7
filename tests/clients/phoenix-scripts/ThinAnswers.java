package vaquita.clients;

import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What Phoenix's thin driver answers, as lines: columns with their types and rows, a count, an error, DatabaseMetaData's values. */
public final class ThinAnswers {
  /** Phoenix's text of an error, within the words that the driver and the query server put around it. */
  private static final Pattern ERROR = Pattern.compile("(?s).*?(ERROR \\d+ \\(\\w+\\).*?)(?: -> \\w+: .*)?");
  private static final Pattern OTHER = Pattern.compile("(?s).*?java\\.sql\\.SQLException: (.*?)(?: -> \\w+: .*)?");

  private ThinAnswers() {}

  public static List<String> run(Connection connection, String text) {
    List<String> lines = new ArrayList<>();
    try (Statement statement = connection.createStatement()) {
      if (statement.execute(text)) {
        addRows(statement.getResultSet(), lines);
      } else {
        lines.add("updated " + statement.getUpdateCount());
      }
    } catch (SQLException e) {
      lines.add(error(e));
    } catch (RuntimeException e) {
      lines.add("error " + e);
    }
    return lines;
  }

  /** DatabaseMetaData's answer to "CALL ARGUMENT...", where null stands for null and '' for an empty text. */
  public static List<String> metadata(Connection connection, String call) {
    String[] words = call.trim().split("\\s+");
    IntFunction<String> argument = i -> i >= words.length || words[i].equals("null") ? null : words[i].replace("''", "");
    List<String> lines = new ArrayList<>();
    try {
      DatabaseMetaData meta = connection.getMetaData();
      String schema = argument.apply(1);
      String table = argument.apply(2);
      switch (words[0]) {
        case "tables":
          addRows(meta.getTables(null, schema, table, words.length > 3 ? words[3].split(",") : null), lines);
          break;
        case "columns": addRows(meta.getColumns(null, schema, table, argument.apply(3)), lines); break;
        case "keys": addRows(meta.getPrimaryKeys(null, schema, table), lines); break;
        case "indexes": addRows(meta.getIndexInfo(null, schema, table, false, true), lines); break;
        case "schemas": addRows(words.length > 1 ? meta.getSchemas(null, schema) : meta.getSchemas(), lines); break;
        case "catalogs": addRows(meta.getCatalogs(), lines); break;
        case "table_types": addRows(meta.getTableTypes(), lines); break;
        case "types": addRows(meta.getTypeInfo(), lines); break;
        case "imported": addRows(meta.getImportedKeys(null, schema, table), lines); break;
        case "exported": addRows(meta.getExportedKeys(null, schema, table), lines); break;
        case "procedures": addRows(meta.getProcedures(null, schema, table), lines); break;
        case "functions": addRows(meta.getFunctions(null, schema, table), lines); break;
        case "user_types": addRows(meta.getUDTs(null, schema, table, null), lines); break;
        case "super_tables": addRows(meta.getSuperTables(null, schema, table), lines); break;
        case "best_row": addRows(meta.getBestRowIdentifier(null, schema, table, 0, true), lines); break;
        case "version_columns": addRows(meta.getVersionColumns(null, schema, table), lines); break;
        case "table_privileges": addRows(meta.getTablePrivileges(null, schema, table), lines); break;
        case "column_privileges": addRows(meta.getColumnPrivileges(null, schema, table, null), lines); break;
        case "properties": addProperties(meta, lines); break;
        default: throw new IllegalArgumentException(call);
      }
    } catch (SQLException e) {
      lines.add(error(e));
    } catch (RuntimeException e) {
      lines.add("error " + e);
    }
    return lines;
  }

  /** All that DatabaseMetaData says without an argument, but for the address and what depends on the driver's own version. */
  private static void addProperties(DatabaseMetaData meta, List<String> lines) {
    TreeMap<String, String> values = new TreeMap<>();
    for (Method method : DatabaseMetaData.class.getMethods()) {
      Class<?> type = method.getReturnType();
      if (method.getParameterCount() > 0 || method.getName().matches("getURL|getDriverVersion|getUserName")
          || !(type.isPrimitive() || type == String.class)) {
        continue;
      }
      try {
        values.put(method.getName(), String.valueOf(method.invoke(meta)));
      } catch (ReflectiveOperationException e) {
        values.put(method.getName(), String.valueOf(e.getCause()));
      }
    }
    values.forEach((name, value) -> lines.add("property " + name + " " + value));
  }

  public static String error(SQLException e) {
    String text = String.valueOf(e.getMessage());
    Matcher phoenix = ERROR.matcher(text);
    Matcher other = OTHER.matcher(text);
    String said = phoenix.matches() ? phoenix.group(1) : other.matches() ? other.group(1) : text;
    return "error " + e.getErrorCode() + " " + e.getSQLState() + " " + said.split("\n")[0];
  }

  public static void addRows(ResultSet rows, List<String> lines) throws SQLException {
    ResultSetMetaData meta = rows.getMetaData();
    StringBuilder head = new StringBuilder("columns");
    for (int i = 1; i <= meta.getColumnCount(); i++) {
      head.append(" | ").append(meta.getColumnLabel(i)).append(" ").append(meta.getColumnTypeName(i)).append("/")
          .append(meta.getColumnType(i));
    }
    lines.add(head.toString());
    while (rows.next()) {
      StringBuilder row = new StringBuilder("row");
      for (int i = 1; i <= meta.getColumnCount(); i++) {
        row.append(" | ").append(text(rows.getObject(i)));
      }
      lines.add(row.toString().replace("\n", "\\n"));
    }
  }

  private static String text(Object value) {
    if (!(value instanceof byte[])) {
      return String.valueOf(value);
    }
    StringBuilder hex = new StringBuilder("x");
    for (byte one : (byte[]) value) {
      hex.append(String.format("%02x", one));
    }
    return hex.toString();
  }
}
