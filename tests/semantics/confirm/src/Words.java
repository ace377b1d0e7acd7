import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The words of a script's line, and the text forms of bytes, timestamps and time spans. Strings hold one byte a character
 * (ISO-8859-1), so that any bytes can stand in a script. The forms are described in tests/semantics/README.md.
 */
final class Words {
  /** The time at which every script starts. */
  static final long START_MS = 1_600_000_000_000L;

  private Words() {}

  static List<String> split(String line) {
    List<String> words = new ArrayList<>();
    int at = 0;
    while (true) {
      while (at < line.length() && line.charAt(at) == ' ') {
        at++;
      }
      if (at == line.length()) {
        return words;
      }
      StringBuilder word = new StringBuilder();
      at = readWord(line, at, word);
      words.add(word.toString());
    }
  }

  private static int readWord(String line, int at, StringBuilder word) {
    boolean quoted = false;
    while (at < line.length()) {
      char c = line.charAt(at);
      if (c == '"') {
        quoted = !quoted;
        at++;
      } else if (c == '\\') {
        at = readEscape(line, at, word);
      } else if (!quoted && c == ' ') {
        break;
      } else if (!quoted && c == '(' && (word.length() == 0 || word.charAt(word.length() - 1) == '=')) {
        int end = endOfGroup(line, at);
        word.append(line, at, end);
        at = end;
      } else if (!quoted && c == '{') {
        at = readRepeat(line, at, word);
      } else {
        word.append(c);
        at++;
      }
    }
    if (quoted) {
      throw new ScriptError("a quote is not closed: " + line);
    }
    return at;
  }

  /** A group in parentheses is kept as it is: whoever reads it splits it again. */
  private static int endOfGroup(String line, int at) {
    int depth = 0;
    boolean quoted = false;
    for (int i = at; i < line.length(); i++) {
      char c = line.charAt(i);
      if (c == '"') {
        quoted = !quoted;
      } else if (c == '\\') {
        i++;
      } else if (!quoted && c == '(') {
        depth++;
      } else if (!quoted && c == ')' && --depth == 0) {
        return i + 1;
      }
    }
    throw new ScriptError("a parenthesis is not closed: " + line);
  }

  private static int readEscape(String line, int at, StringBuilder word) {
    char kind = at + 1 < line.length() ? line.charAt(at + 1) : 0;
    if (kind == 'x') {
      word.append((char) Integer.parseInt(line.substring(at + 2, at + 4), 16));
      return at + 4;
    }
    if (kind == '\\' || kind == '"' || kind == '{' || kind == '(') {
      word.append(kind);
      return at + 2;
    }
    throw new ScriptError("unknown escape in: " + line);
  }

  /** {a*300} stands for 300 times a. */
  private static int readRepeat(String line, int at, StringBuilder word) {
    int end = line.indexOf('}', at);
    int star = line.lastIndexOf('*', end);
    StringBuilder unit = new StringBuilder();
    readWord(line.substring(at + 1, star), 0, unit);
    word.append(unit.toString().repeat(Integer.parseInt(line.substring(star + 1, end))));
    return end + 1;
  }

  static byte[] bytes(String word) {
    return word.getBytes(StandardCharsets.ISO_8859_1);
  }

  static String string(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  /** A value: long(5), int(5), decimal(1.5), or the word's own bytes. */
  static byte[] value(String word) {
    if (word.endsWith(")")) {
      String inner = word.substring(word.indexOf('(') + 1, word.length() - 1);
      if (word.startsWith("long(")) {
        return Bytes.toBytes(Long.parseLong(inner));
      }
      if (word.startsWith("int(")) {
        return Bytes.toBytes(Integer.parseInt(inner));
      }
      if (word.startsWith("decimal(")) {
        return Bytes.toBytes(new BigDecimal(inner));
      }
    }
    return bytes(word);
  }

  /** Bytes as a script writes them. */
  static String print(byte[] bytes) {
    StringBuilder out = new StringBuilder();
    boolean quote = bytes.length == 0 || bytes[0] == '(' || bytes[0] == '@';
    for (int i = 0; i < bytes.length;) {
      int same = i;
      while (same < bytes.length && bytes[same] == bytes[i]) {
        same++;
      }
      int c = bytes[i] & 0xff;
      String one = c == '"' || c == '\\' || c == '{' ? "\\" + (char) c
          : c >= 0x20 && c < 0x7f ? String.valueOf((char) c) : String.format("\\x%02X", c);
      quote |= c == ' ';
      if (same - i >= 32) {
        out.append('{').append(one).append('*').append(same - i).append('}');
        i = same;
      } else {
        out.append(one);
        i++;
      }
    }
    return quote ? "\"" + out + "\"" : out.toString();
  }

  /** 5, T, T+10s, T-500, max. */
  static long timestamp(String word) {
    if (word.equals("max")) {
      return Long.MAX_VALUE;
    }
    if (word.startsWith("T")) {
      if (word.length() == 1) {
        return START_MS;
      }
      long span = span(word.substring(2));
      return word.charAt(1) == '+' ? START_MS + span : START_MS - span;
    }
    return Long.parseLong(word);
  }

  static String printTimestamp(long ms) {
    if (ms == Long.MAX_VALUE) {
      return "max";
    }
    long since = ms - START_MS;
    if (Math.abs(since) > 1_000L * 86_400_000L) {
      return Long.toString(ms);
    }
    return since == 0 ? "T" : "T" + (since < 0 ? "-" : "+") + printSpan(Math.abs(since));
  }

  private static final String[] UNITS = {"d", "h", "m", "s"};
  private static final long[] UNIT_MS = {86_400_000L, 3_600_000L, 60_000L, 1_000L};

  /** 500, 10s, 5m, 2h, 3d; without a unit it is milliseconds. */
  static long span(String word) {
    for (int i = 0; i < UNITS.length; i++) {
      if (word.endsWith(UNITS[i])) {
        return Long.parseLong(word.substring(0, word.length() - 1)) * UNIT_MS[i];
      }
    }
    return Long.parseLong(word);
  }

  private static String printSpan(long ms) {
    for (int i = 0; i < UNITS.length; i++) {
      if (ms % UNIT_MS[i] == 0) {
        return ms / UNIT_MS[i] + UNITS[i];
      }
    }
    return Long.toString(ms);
  }
}
