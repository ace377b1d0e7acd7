import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.util.Bytes;

/** Tokens of the case files: bytes without blanks or parentheses, and (lists of) them. */
final class Text {
  private Text() {}

  /** Bytes as one token: "-" for none, \xNN for what is not printable, a blank, a parenthesis, '-' or '"'. */
  static String token(byte[] bytes) {
    if (bytes.length == 0) return "-";
    return Bytes.toStringBinary(bytes).replace(" ", "\\x20").replace("(", "\\x28").replace(")", "\\x29").replace("-", "\\x2D")
        .replace("\"", "\\x22");
  }

  static String token(String text) {
    return token(Bytes.toBytes(text));
  }

  static byte[] bytes(String token) {
    return token.equals("-") ? new byte[0] : Bytes.toBytesBinary(token);
  }

  /** A token or a list of nodes in parentheses. */
  static final class Node {
    final String token;
    final List<Node> list = new ArrayList<>();

    Node(String token) {
      this.token = token;
    }

    String name() {
      return list.get(0).token;
    }

    Node at(int i) {
      return list.get(i);
    }

    int size() {
      return list.size();
    }

    byte[] bytesAt(int i) {
      return bytes(list.get(i).token);
    }

    String textAt(int i) {
      return list.get(i).token;
    }
  }

  static Node parse(String text) {
    int[] at = {0};
    String[] tokens = text.replace("(", " ( ").replace(")", " ) ").trim().split(" +");
    return parse(tokens, at);
  }

  private static Node parse(String[] tokens, int[] at) {
    String token = tokens[at[0]++];
    if (!token.equals("(")) return new Node(token);
    Node node = new Node(null);
    while (!tokens[at[0]].equals(")")) node.list.add(parse(tokens, at));
    at[0]++;
    return node;
  }
}
