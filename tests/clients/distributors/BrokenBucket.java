package vaquita.clients;

import java.io.IOException;
import java.lang.reflect.Proxy;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellBuilderFactory;
import org.apache.hadoop.hbase.CellBuilderType;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.vaquita.rowkey.DistributedScanner;
import org.vaquita.rowkey.OneBytePrefixDistributor;

/** A scan over three buckets of four rows, one of which fails once at its third row. */
final class BrokenBucket {
  private static final int BROKEN = 1;
  private int made;

  /** Going on after the failure would leave out rows, without a word. */
  static void staysBroken() throws Exception {
    Table table = proxy(Table.class, new BrokenBucket()::answer);
    try (ResultScanner scanner = DistributedScanner.create(table, new Scan().setCaching(2), new OneBytePrefixDistributor(3))) {
      StringBuilder rows = new StringBuilder();
      IOException failure = null;
      while (failure == null) {
        try {
          rows.append(Bytes.toString(scanner.next().getRow())).append(' ');
        } catch (IOException e) {
          failure = e;
        }
      }
      Check.equal("the rows before", "a0 a1 a2 b0 ", rows.toString());
      Check.holds("the failure", "bucket broke", failure.getMessage());
      for (int i = 0; i < 3; ++i) Check.failsWith("again", "bucket broke", scanner::next);
    }
  }

  private interface Answers {
    Object to(String method) throws Exception;
  }

  private static <T> T proxy(Class<T> type, Answers answers) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, given) -> answers.to(method.getName())));
  }

  private Object answer(String method) {
    if (method.equals("getName")) return TableName.valueOf("t");
    if (!method.equals("getScanner")) return null;
    int bucket = made++;
    int[] calls = {0};
    return proxy(ResultScanner.class, called -> called.equals("next") ? row(bucket, calls[0]++) : null);
  }

  private static Result row(int bucket, int call) throws IOException {
    if (bucket == BROKEN && call == 2) throw new IOException("the bucket broke");
    if (call >= 4) return null;
    byte[] row = {(byte) bucket, (byte) ('a' + call), (byte) ('0' + bucket)};
    return Result.create(new Cell[] {CellBuilderFactory.create(CellBuilderType.DEEP_COPY)
                                         .setRow(row)
                                         .setFamily(Bytes.toBytes("f"))
                                         .setQualifier(Bytes.toBytes("q"))
                                         .setTimestamp(1)
                                         .setType(Cell.Type.Put)
                                         .setValue(Bytes.toBytes("v"))
                                         .build()});
  }
}
