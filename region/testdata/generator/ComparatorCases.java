import java.io.PrintStream;
import java.math.BigDecimal;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.filter.ByteArrayComparable;
import org.apache.hadoop.hbase.util.Bytes;

/** Comparators against bytes: "(comparator) bytes sign". */
final class ComparatorCases {
  private ComparatorCases() {}

  static void write(PrintStream out) {
    regexes(out);
    substrings(out);
    decimals(out);
    others(out);
  }

  private static void print(PrintStream out, String comparator, byte[] value) {
    ByteArrayComparable c = FilterText.comparator(Text.parse(comparator));
    out.println(comparator + " " + Text.token(value) + " " + Integer.signum(c.compareTo(value, 0, value.length)));
  }

  private static void regexes(PrintStream out) {
    String[] patterns = {"a.c", "^a", "c$", "^$", "", "a|b", "[abc]+d", "[^abc]", "(a)(b)\\1\\2", "(?<=a)b", "(?<!a)b", "a(?=b)", "a(?!b)",
        "\\d+", "\\D", "\\w+\\s\\w+", "\\bab\\b", "a{2,3}", "a*?b", "a++b", "(?i)ABC", "(?s)a.b", "a.b", "\\Qa.b\\E", "\\Q[x]", "\\x41", "\\u0041",
        "\\u00e9", "\\0101", "\\tb", "[a-c[x-z]]+", "[a\\]b]", "[\\w.]+@", "\\p{Lower}+", "\\p{Upper}", "\\P{Digit}", "[\\p{Alpha}_]+",
        "\\p{Punct}", "\\p{L}", "\\p{Lu}", "\\p{IsAlphabetic}", "(?<year>\\d{4})-\\d\\d", "a\\z", "\\Aa", "x\\Z", "\\R", "\\h+", ".*", "^.*foo.*$",
        "a[-b]c", "[]a]", "user_[0-9]{3}", "^(?:GET|POST) /", "\\$", "#a b", "\u00e9t\u00e9", "[\\x00-\\x1F]", "\\.$", "a\\Qb\\Ec"};
    String[] values = {"", "abc", "aXc", "a\nc", "xabcd", "ABC", "abab", "ab", "b", "cb", "aab", "aaa", "12 ab", "a.b", "axb", "[x]", "A", "\u00e9", "a\tb",
        "x-z", "a]b", "me.x@y", "2024-05", "a\n", "x\n", "x\r\n", "GET /x", "user_123 foo", "$5", "#ab", "\u00c9T\u00c9 \u00e9t\u00e9", "\u0001", "end.", "a-c"};
    int[] flags = {Pattern.DOTALL, 0, Pattern.DOTALL | Pattern.CASE_INSENSITIVE, Pattern.MULTILINE, Pattern.COMMENTS, Pattern.LITERAL, Pattern.UNIX_LINES};
    for (int p = 0; p < patterns.length; p++) {
      for (int v = 0; v < values.length; v++) {
        // Every value with the default flags, and one of the others in turn.
        int[] chosen = {flags[0], flags[1 + (p + v) % (flags.length - 1)]};
        for (int flag : chosen) {
          try {
            Pattern.compile(patterns[p], flag);
          } catch (java.util.regex.PatternSyntaxException e) {
            continue;
          }
          boolean ascii = patterns[p].chars().allMatch(c -> c < 128) && !patterns[p].contains("u00e9");
          if ((flag & Pattern.CASE_INSENSITIVE) != 0 && !ascii) continue;  // folds more than Java; see java_regex.h
          if (v % 3 != p % 3 && flag != flags[0]) continue;
          print(out, "(regex " + Text.token(patterns[p]) + " " + flag + " UTF\\x2D8)", Bytes.toBytes(values[v]));
        }
      }
    }
    byte[] malformed = {'a', (byte) 0xff, 'b'};
    print(out, "(regex a.b 32 UTF\\x2D8)", malformed);
    print(out, "(regex a..b 32 UTF\\x2D8)", malformed);
    print(out, "(regex a\\\\uFFFDb 32 UTF\\x2D8)".replace("\\\\", "\\x5C"), malformed);
    print(out, "(regex a.b 32 ISO\\x2D8859\\x2D1)", malformed);
    print(out, "(regex \\x5Cu00ff 32 ISO\\x2D8859\\x2D1)", malformed);
    print(out, "(regex a.b 32 US\\x2DASCII)", malformed);
    print(out, "(regex a.b 32 UTF\\x2D16BE)", new byte[] {0, 'a', 0, 'x', 0, 'b'});
    print(out, "(regex a.b 32 UTF\\x2D16LE)", new byte[] {'a', 0, 'x', 0, 'b', 0});
  }

  private static void substrings(PrintStream out) {
    String[] parts = {"", "abc", "ABC", "b c", "\u00e9", "\u00c9", "\u0394"};
    String[] values = {"", "abc", "xAbCx", "a b c", "\u00c9t\u00e9", "\u03b4\u0394", "ab"};
    for (String part : parts) {
      for (String value : values) print(out, "(substring " + Text.token(part) + ")", Bytes.toBytes(value));
    }
  }

  private static void decimals(PrintStream out) {
    String[] numbers = {"0", "0.00", "1", "-1", "1.0", "1.00", "10", "0.1", "-0.1", "123.456", "123.4560", "123.457", "1E+5", "100000", "1E-30",
        "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "123456789012345678901234567890.12345",
        "123456789012345678901234567890.123450", "-123456789012345678901234567890", "1E+2147483000", "1E-2147483000", "255", "256", "-128", "-129"};
    for (String a : numbers) {
      for (String b : numbers) print(out, "(bigdecimal " + Text.token(Bytes.toBytes(new BigDecimal(a))) + ")", Bytes.toBytes(new BigDecimal(b)));
    }
  }

  private static void others(PrintStream out) {
    long[] longs = {0, 1, -1, Long.MAX_VALUE, Long.MIN_VALUE, 256, -256};
    for (long a : longs) {
      for (long b : longs) print(out, "(long " + Text.token(Bytes.toBytes(a)) + ")", Bytes.toBytes(b));
    }
    byte[][] words = {{}, {0}, {1}, {2}, {(byte) 0xff}, {0, 0}, {0, 1}, {1, 0}, {'a', 'b'}, {'a', 'b', 'c'}, {'b'}};
    for (byte[] a : words) {
      for (byte[] b : words) {
        print(out, "(binary " + Text.token(a) + ")", b);
        print(out, "(binaryprefix " + Text.token(a) + ")", b);
        for (String op : new String[] {"AND", "OR", "XOR"}) print(out, "(bit " + op + " " + Text.token(a) + ")", b);
      }
      print(out, "(null)", a);
    }
    print(out, "(component bc 1)", Bytes.toBytes("abcd"));
    print(out, "(component bd 1)", Bytes.toBytes("abcd"));
    print(out, "(component bb 1)", Bytes.toBytes("abcd"));
  }
}
