import java.io.PrintStream;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.RegionSplitter;

/** Split keys: "algorithm NAME REGIONS = keys" and "range START END REGIONS = keys", or "! message". */
final class SplitKeyCases {
  private SplitKeyCases() {}

  static void write(PrintStream out) {
    RegionSplitter.SplitAlgorithm[] algorithms = {
        new RegionSplitter.HexStringSplit(), new RegionSplitter.DecimalStringSplit(), new RegionSplitter.UniformSplit()};
    for (RegionSplitter.SplitAlgorithm algorithm : algorithms) {
      for (int regions : new int[] {2, 3, 4, 7, 10, 16, 100, 257}) {
        out.println("algorithm " + algorithm.getClass().getSimpleName() + " " + regions + " =" + keys(algorithm.split(regions)));
      }
    }
    String[][] ranges = {{"a", "z"}, {"a", "b"}, {"aaa", "zzz"}, {"a", "zzz"}, {"aaa", "b"}, {"0", "9"}, {"\\x00", "\\xFF"}, {"row", "rox"},
        {"row1", "row9"}, {"a", "a\\x00"}, {"a\\xFF", "b"}, {"user\\x00", "user\\xFF\\xFF"}};
    for (String[] range : ranges) {
      for (int regions : new int[] {4, 5, 8, 13, 50}) {
        String line = "range " + range[0] + " " + range[1] + " " + regions;
        try {
          out.println(line + " =" + keys(Bytes.split(Bytes.toBytesBinary(range[0]), Bytes.toBytesBinary(range[1]), regions - 3)));
        } catch (IllegalArgumentException e) {
          out.println(line + " ! " + Text.token(e.getMessage()));
        }
      }
    }
  }

  private static String keys(byte[][] keys) {
    StringBuilder s = new StringBuilder();
    for (byte[] key : keys) s.append(' ').append(Text.token(key));
    return s.toString();
  }
}
