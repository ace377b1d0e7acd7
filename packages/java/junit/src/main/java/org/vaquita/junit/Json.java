package org.vaquita.junit;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** JSON to and from maps, lists, strings, longs, doubles, booleans and null. For what the server says; no dependency is worth that. */
final class Json {
  private final String text;
  private int at;

  private Json(String text) {
    this.text = text;
  }

  /** Returns the object that the text is. IllegalArgumentException says where the text is none. */
  static Map<String, Object> parseObject(String text) {
    Json json = new Json(text);
    json.skipSpace();
    if (json.peek() != '{') throw json.wrong("an object");
    Map<String, Object> object = json.object();
    json.skipSpace();
    if (json.at != text.length()) throw json.wrong("the end");
    return object;
  }

  static String write(Object value) {
    StringBuilder out = new StringBuilder();
    write(value, out);
    return out.toString();
  }

  private static void write(Object value, StringBuilder out) {
    if (value instanceof Map) {
      String comma = "{";
      for (Map.Entry<?, ?> entry : ((Map<?, ?>) value).entrySet()) {
        out.append(comma);
        writeString(entry.getKey().toString(), out);
        out.append(':');
        write(entry.getValue(), out);
        comma = ",";
      }
      out.append(comma.equals("{") ? "{}" : "}");
    } else if (value instanceof Iterable) {
      String comma = "[";
      for (Object element : (Iterable<?>) value) {
        out.append(comma);
        write(element, out);
        comma = ",";
      }
      out.append(comma.equals("[") ? "[]" : "]");
    } else if (value == null || value instanceof Number || value instanceof Boolean) {
      out.append(value);
    } else {
      writeString(value.toString(), out);
    }
  }

  private static void writeString(String text, StringBuilder out) {
    out.append('"');
    for (int i = 0; i < text.length(); ++i) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') out.append('\\').append(c);
      else if (c == '\n') out.append("\\n");
      else if (c < ' ') out.append(String.format("\\u%04x", (int) c));
      else out.append(c);
    }
    out.append('"');
  }

  private Object value() {
    skipSpace();
    switch (peek()) {
      case '{': return object();
      case '[': return list();
      case '"': return string();
      case 't': return word("true", Boolean.TRUE);
      case 'f': return word("false", Boolean.FALSE);
      case 'n': return word("null", null);
      default: return number();
    }
  }

  private Map<String, Object> object() {
    Map<String, Object> object = new LinkedHashMap<>();
    ++at;
    skipSpace();
    if (peek() == '}') {
      ++at;
      return object;
    }
    while (true) {
      skipSpace();
      String key = string();
      skipSpace();
      take(':');
      object.put(key, value());
      skipSpace();
      if (peek() == '}') {
        ++at;
        return object;
      }
      take(',');
    }
  }

  private List<Object> list() {
    List<Object> list = new ArrayList<>();
    ++at;
    skipSpace();
    if (peek() == ']') {
      ++at;
      return list;
    }
    while (true) {
      list.add(value());
      skipSpace();
      if (peek() == ']') {
        ++at;
        return list;
      }
      take(',');
    }
  }

  private String string() {
    take('"');
    StringBuilder out = new StringBuilder();
    while (true) {
      char c = next();
      if (c == '"') return out.toString();
      out.append(c == '\\' ? escaped() : c);
    }
  }

  private char escaped() {
    char c = next();
    switch (c) {
      case 'n': return '\n';
      case 't': return '\t';
      case 'r': return '\r';
      case 'b': return '\b';
      case 'f': return '\f';
      case 'u':
        at += 4;
        if (at > text.length()) throw wrong("four hexadecimal digits");
        return (char) Integer.parseInt(text.substring(at - 4, at), 16);
      default: return c;
    }
  }

  private Object word(String word, Object value) {
    if (!text.startsWith(word, at)) throw wrong(word);
    at += word.length();
    return value;
  }

  private Object number() {
    int start = at;
    while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) ++at;
    String number = text.substring(start, at);
    try {
      return number.matches("-?[0-9]+") ? (Object) Long.valueOf(number) : (Object) Double.valueOf(number);
    } catch (NumberFormatException e) {
      throw wrong("a value");
    }
  }

  private void skipSpace() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) ++at;
  }

  private char peek() {
    return at < text.length() ? text.charAt(at) : 0;
  }

  private char next() {
    if (at >= text.length()) throw wrong("more");
    return text.charAt(at++);
  }

  private void take(char c) {
    if (peek() != c) throw wrong("'" + c + "'");
    ++at;
  }

  private IllegalArgumentException wrong(String wanted) {
    return new IllegalArgumentException("no JSON: " + wanted + " is missing at character " + at + " of " + text);
  }
}
