package org.vaquita.junit;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** A call that the server got. */
public final class Call {
  private final Map<String, Object> fields;

  Call(Map<String, Object> fields) {
    this.fields = fields;
  }

  /** 1, 2, ... */
  public long number() {
    return number("number");
  }

  /** HBase's name, e.g. "Multi". */
  public String method() {
    return text("method");
  }

  /** The table, the first if there are several; empty if there is none. */
  public String table() {
    return text("table");
  }

  /** At most 16 of its rows. */
  public List<String> rows() {
    List<String> rows = new ArrayList<>();
    for (Object row : (List<?>) fields.getOrDefault("rows", Collections.emptyList())) rows.add(row.toString());
    return rows;
  }

  /** Rows of the request; a scan's: of the answer. */
  public int rowCount() {
    return (int) number("rowCount");
  }

  /** "OK", or the class of the exception that was answered. */
  public String result() {
    return text("result");
  }

  public long micros() {
    return number("micros");
  }

  public long requestBytes() {
    return number("requestBytes");
  }

  public long answerBytes() {
    return number("answerBytes");
  }

  /** All that the server says of it, by the names of docs/test-control.md. */
  public Map<String, Object> fields() {
    return Collections.unmodifiableMap(fields);
  }

  @Override
  public String toString() {
    return "#" + number() + " " + method() + " " + table() + " " + rows() + " (" + rowCount() + " rows): " + result();
  }

  private long number(String name) {
    Object value = fields.get(name);
    return value == null ? 0 : Long.parseLong(value.toString());
  }

  private String text(String name) {
    Object value = fields.get(name);
    return value == null ? "" : value.toString();
  }
}
