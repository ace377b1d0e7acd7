package vaquita.clients;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/** What a server answered as text that a check can compare: `row f:q=value f:r=value`, rows separated by ` | `. */
final class Text {
  static final String NONE = "(none)";

  static byte[] b(String text) {
    return Bytes.toBytes(text);
  }

  static byte[][] bytes(String... texts) {
    byte[][] all = new byte[texts.length][];
    for (int i = 0; i < texts.length; ++i) all[i] = b(texts[i]);
    return all;
  }

  /** Cells without timestamps. */
  static String values(Result result) {
    return text(result, false);
  }

  /** Cells as `f:q@5=value`; a marker as `f:q@5/DeleteColumn`. */
  static String versions(Result result) {
    return text(result, true);
  }

  static String values(Iterable<Result> results) {
    return text(results, false);
  }

  static String versions(Iterable<Result> results) {
    return text(results, true);
  }

  static String values(Table table, Scan scan) throws IOException {
    try (ResultScanner scanner = table.getScanner(scan)) {
      return values(scanner);
    }
  }

  static String versions(Table table, Scan scan) throws IOException {
    try (ResultScanner scanner = table.getScanner(scan)) {
      return versions(scanner);
    }
  }

  /** The rows alone, separated by spaces. */
  static String rows(Table table, Scan scan) throws IOException {
    try (ResultScanner scanner = table.getScanner(scan)) {
      return rows(scanner);
    }
  }

  static String rows(Iterable<Result> results) {
    List<String> rows = new ArrayList<>();
    for (Result result : results) rows.add(Bytes.toString(result.getRow()));
    return rows.isEmpty() ? NONE : String.join(" ", rows);
  }

  private static String text(Iterable<Result> results, boolean withTimestamps) {
    List<String> texts = new ArrayList<>();
    for (Result result : results) texts.add(text(result, withTimestamps));
    return texts.isEmpty() ? NONE : String.join(" | ", texts);
  }

  private static String text(Result result, boolean withTimestamps) {
    if (result == null || result.isEmpty()) return NONE;
    StringBuilder text = new StringBuilder(Bytes.toString(result.getRow()));
    for (Cell cell : result.rawCells()) text.append(' ').append(text(cell, withTimestamps));
    return text.toString();
  }

  private static String text(Cell cell, boolean withTimestamp) {
    String name = Bytes.toString(CellUtil.cloneFamily(cell)) + ":" + Bytes.toString(CellUtil.cloneQualifier(cell));
    if (withTimestamp) name += "@" + cell.getTimestamp();
    if (cell.getTypeByte() != KeyValue.Type.Put.getCode()) return name + "/" + KeyValue.Type.codeToType(cell.getTypeByte());
    return name + "=" + Bytes.toString(CellUtil.cloneValue(cell));
  }

  private Text() {}
}
