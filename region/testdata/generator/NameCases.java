import java.io.PrintStream;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.PrettyPrinter;

/** Names of tables, namespaces and regions, and bytes and sizes as HBase prints them. */
final class NameCases {
  private NameCases() {}

  static void write(PrintStream out) throws Exception {
    String[] names = {"t", "ns:t", "default:t", "hbase:meta", "-t", ".t", "t-", "t.", "a b", "a/b", "a:b:c", ":t", "ns:", "", "zookeeper", "ns:zookeeper",
        "zookeeper:t", "-ROOT-", ".META.", "n-s:t", "n.s:t", "t$", "\u00e9t\u00e9", "\u6f22\u5b57", "a\u0000b", "a\u20acb", "_t", "_", "9", "t\ud83d\ude00",
        "ns:\u00e9!", "n\u00e9:t", "A", "\u0661", "a,b", "\u00aa", "t\u00b2", "\u2160", "\u0345"};
    for (String name : names) {
      String line = "table " + Text.token(name);
      try {
        TableName t = TableName.valueOf(name);
        out.println(line + " = " + Text.token(t.getNamespaceAsString()) + " " + Text.token(t.getQualifierAsString()) + " " + Text.token(t.toString()));
      } catch (IllegalArgumentException e) {
        out.println(line + " ! " + Text.token(e.getMessage()));
      }
    }
    byte[][] starts = {{}, Bytes.toBytes("row"), {0, 1, (byte) 0xff}, Bytes.toBytes("a,b")};
    for (String table : new String[] {"t", "ns:t", "hbase:namespace"}) {
      for (byte[] start : starts) {
        RegionInfo r = RegionInfoBuilder.newBuilder(TableName.valueOf(table)).setStartKey(start).setRegionId(1700000000123L).build();
        out.println("region " + table + " " + Text.token(start) + " 1700000000123 = " + Text.token(r.getRegionName()) + " " + r.getEncodedName());
      }
    }
    RegionInfo meta = RegionInfoBuilder.FIRST_META_REGIONINFO;
    out.println("region hbase:meta - 1 = " + Text.token(meta.getRegionName()) + " " + meta.getEncodedName());
    for (String text : new String[] {"abc", "\\x00\\xFF", "\\x0g1", "\\xab1", "\\", "a\\b", "\\x41\\x5C", "\\\\x41"}) {
      out.println("binary " + Text.token(text) + " = " + Text.token(Bytes.toBytesBinary(text)));
    }
    long[] sizes = {0, 1, 1023, 1024, 1025, 1 << 20, 10763632640L, 1L << 40, (1L << 40) + 1, 10737418240L, 134217728L, 1234567890123L};
    for (long size : sizes) {
      out.println("size " + size + " = " + Text.token(PrettyPrinter.format(Long.toString(size), PrettyPrinter.Unit.BYTE)));
    }
  }
}
