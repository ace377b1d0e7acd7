import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Arrays;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellScanner;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.*;
import org.apache.hadoop.hbase.codec.Codec;
import org.apache.hadoop.hbase.codec.KeyValueCodec;
import org.apache.hadoop.hbase.exceptions.RegionMovedException;
import org.apache.hadoop.hbase.filter.*;
import org.apache.hadoop.hbase.io.TimeRange;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.ResponseConverter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.MutationType;
import org.apache.hadoop.hbase.util.Bytes;

/** Writes HBase's messages, made by hbase-client, for the tests of proto/: MessageCases FILE. */
public final class MessageCases {
  private static final String[] COMPARATORS = {"(binary v)", "(binary -)", "(binaryprefix ab)", "(component xy 3)", "(long \\x00\\x00\\x00\\x00\\x00\\x00\\x01\\x02)",
      "(bigdecimal \\x00\\x00\\x00\\x02\\x01\\xE2\\x40)", "(bit AND \\x0F)", "(bit OR \\x01\\xFF)", "(bit XOR a)", "(null)", "(regex a.*b 32 UTF\\x2D8)",
      "(regex ^x 2 ISO\\x2D8859\\x2D1)", "(substring needle)"};

  private static final String[] FILTERS = {"(AND)", "(OR (Page 5) (KeyOnly true))", "(AND (Prefix a) (OR (FirstKeyOnly) (Skip (Value NOT_EQUAL (binary 0)))))",
      "(Row LESS (binary r))", "(Row LESS_OR_EQUAL (binaryprefix r))", "(Family EQUAL (binary f))", "(Qualifier NOT_EQUAL (substring q))",
      "(Value GREATER_OR_EQUAL (binary v))", "(Value GREATER (binary v))", "(SingleColumnValue f q EQUAL (binary v) false true false)",
      "(SingleColumnValue f - NOT_EQUAL (regex x 0 UTF\\x2D8) true false false)", "(SingleColumnValue f q LESS (binary v) true true true)",
      "(DependentColumn f q true NO_OP)", "(DependentColumn f q false GREATER (binary v))", "(ColumnValue f q EQUAL (substring v))", "(ColumnPrefix ab)",
      "(MultipleColumnPrefix a b cc)", "(ColumnRange a true z false)", "(ColumnRange null false z true)", "(ColumnRange a false null false)",
      "(ColumnCountGet 3)", "(ColumnPagination 2 5)", "(ColumnPagination 2 0)", "(ColumnPaginationFrom 4 cc)", "(Page 7)", "(Prefix row\\x00)", "(FirstKeyOnly)",
      "(FirstKeyMatching a b)", "(KeyOnly false)", "(KeyOnly true)", "(InclusiveStop zz)", "(FuzzyRow ab\\x00d \\x00\\x00\\x01\\x00 \\x00\\x00 \\x01\\x01)",
      "(MultiRowRange a true c false e false f true)", "(Timestamps false 3 5 9)", "(Timestamps true 1)", "(Skip (Page 1))", "(While (Prefix p))"};

  private static PrintStream out;

  public static void main(String[] args) throws Exception {
    out = new PrintStream(new File(args[0]), "UTF-8");
    out.println("# Generated with HBase 2.6.0's own classes by generator/MessageCases.java; see README.md.");
    for (String c : COMPARATORS) {
      line("comparator", ProtobufUtil.toComparator(FilterText.comparator(Text.parse(c))).toByteArray(), c);
    }
    for (String f : FILTERS) line("filter", ProtobufUtil.toFilter(FilterText.read(f)).toByteArray(), f);
    reads();
    mutations();
    conditions();
    schemas();
    exceptions();
    out.close();
  }

  private static void line(String kind, byte[] message, String name) {
    out.println(kind + " " + Text.token(message) + " " + name);
  }

  private static byte[] b(String text) {
    return Bytes.toBytes(text);
  }

  private static void reads() throws Exception {
    line("get", ProtobufUtil.toGet(new Get(b("r"))).toByteArray(), "plain");
    Get get = new Get(b("row")).addColumn(b("f"), b("q")).addColumn(b("f"), b("p")).addFamily(b("g")).readVersions(7).setTimeRange(5, 10)
        .setFilter(new KeyOnlyFilter()).setCacheBlocks(false).setMaxResultsPerColumnFamily(3).setRowOffsetPerColumnFamily(2);
    get.setColumnFamilyTimeRange(b("f"), 1, 2);
    get.setCheckExistenceOnly(true);
    line("get", ProtobufUtil.toGet(get).toByteArray(), "all");
    line("scan", ProtobufUtil.toScan(new Scan()).toByteArray(), "plain");
    Scan scan = new Scan().withStartRow(b("z"), false).withStopRow(b("a"), true).setReversed(true).setCaching(11).setBatch(4).setMaxResultSize(1234)
        .readAllVersions().setTimeRange(0, 99).setAllowPartialResults(true).setCacheBlocks(false).addFamily(b("f")).addColumn(b("g"), b("q"))
        .setMaxResultsPerColumnFamily(0).setRowOffsetPerColumnFamily(6).setFilter(new PrefixFilter(b("p"))).setRaw(true);
    scan.setColumnFamilyTimeRange(b("g"), 3, Long.MAX_VALUE);
    line("scan", ProtobufUtil.toScan(scan).toByteArray(), "all");
    Result result = Result.create(Arrays.<Cell>asList(new KeyValue(b("r"), b("f"), b("q"), 5, b("v")),
        new KeyValue(b("r"), b("f"), b("q2"), 6, KeyValue.Type.DeleteColumn)), null, false, true);
    line("result", ProtobufUtil.toResult(result).toByteArray(), "cells");
  }

  private static void mutation(String name, MutationType type, Mutation mutation) throws IOException {
    line("mutation", ProtobufUtil.toMutation(type, mutation).toByteArray(), name);
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    Codec.Encoder encoder = new KeyValueCodec().getEncoder(block);
    for (CellScanner cells = mutation.cellScanner(); cells.advance();) encoder.write(cells.current());
    encoder.flush();
    line("mutation_beside", ProtobufUtil.toMutationNoData(type, mutation).toByteArray(), name + " " + Text.token(block.toByteArray()));
  }

  private static void mutations() throws Exception {
    mutation("put", MutationType.PUT, new Put(b("r")).addColumn(b("f"), b("q"), b("v")));
    Put put = new Put(b("r"), 44).addColumn(b("f"), b("q"), b("v")).addColumn(b("f"), b("q"), 7, b("old")).addColumn(b("g"), null, b(""));
    mutation("put_all", MutationType.PUT, put.setTTL(5000).setDurability(Durability.SKIP_WAL));
    mutation("delete_row", MutationType.DELETE, new Delete(b("r"), 77));
    mutation("delete", MutationType.DELETE, new Delete(b("r")).addColumn(b("f"), b("a")).addColumn(b("f"), b("b"), 3).addColumns(b("f"), b("c"))
        .addColumns(b("f"), b("d"), 4).addFamilyVersion(b("g"), 9).addFamily(b("h")).addFamily(b("i"), 8).setDurability(Durability.FSYNC_WAL));
    mutation("increment", MutationType.INCREMENT, new Increment(b("r")).addColumn(b("f"), b("q"), 5));
    mutation("increment_all", MutationType.INCREMENT, new Increment(b("r")).addColumn(b("f"), b("q"), -1).addColumn(b("g"), b("q"), 1).setTimeRange(1, 9)
        .setReturnResults(false).setDurability(Durability.ASYNC_WAL));
    mutation("append", MutationType.APPEND, new Append(b("r")).addColumn(b("f"), b("q"), b("more")).setDurability(Durability.SYNC_WAL));
  }

  private static void conditions() throws Exception {
    byte[] r = b("r");
    line("condition", ProtobufUtil.toCondition(r, b("f"), b("q"), CompareOperator.LESS, b("v"), null, TimeRange.between(2, 3)).toByteArray(), "less");
    line("condition", ProtobufUtil.toCondition(r, b("f"), null, CompareOperator.EQUAL, null, null, TimeRange.allTime()).toByteArray(), "absent");
    line("condition", ProtobufUtil.toCondition(r, new PrefixFilter(b("p")), TimeRange.allTime()).toByteArray(), "filter");
  }

  private static void schemas() throws Exception {
    line("table", ProtobufUtil.toTableSchema(TableDescriptorBuilder.newBuilder(TableName.valueOf("t"))
        .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f")).build()).toByteArray(), "plain");
    ColumnFamilyDescriptor family = ColumnFamilyDescriptorBuilder.newBuilder(b("g")).setMaxVersions(3).setMinVersions(1).setTimeToLive(86400)
        .setKeepDeletedCells(KeepDeletedCells.TTL).setCompressionType(Compression.Algorithm.SNAPPY).setBloomFilterType(BloomType.ROWCOL)
        .setBlocksize(8192).setInMemory(true).setBlockCacheEnabled(false).setConfiguration("k", "v").setValue("OWN", "kept").build();
    line("table", ProtobufUtil.toTableSchema(TableDescriptorBuilder.newBuilder(TableName.valueOf("ns", "t")).setColumnFamily(family)
        .setMaxFileSize(1 << 30).setMemStoreFlushSize(1 << 27).setReadOnly(true).setDurability(Durability.ASYNC_WAL).setCompactionEnabled(false)
        .setSplitEnabled(false).setMergeEnabled(false).setRegionSplitPolicyClassName("org.apache.hadoop.hbase.regionserver.DisabledRegionSplitPolicy")
        .setValue("OWN", "kept").build()).toByteArray(), "all");
    line("region", ProtobufUtil.toRegionInfo(RegionInfoBuilder.newBuilder(TableName.valueOf("ns:t")).setStartKey(b("a")).setEndKey(b("b")).setRegionId(5)
        .setOffline(true).setSplit(true).build()).toByteArray(), "all");
    line("region", ProtobufUtil.toRegionInfo(RegionInfoBuilder.FIRST_META_REGIONINFO).toByteArray(), "meta");
    line("server", ProtobufUtil.toServerName(ServerName.valueOf("host", 16020, 1234567890123L)).toByteArray(), "host,16020,1234567890123");
    line("server", ProtobufUtil.toServerName(ServerName.valueOf("host", 16020, -1)).toByteArray(), "host,16020,-1");
    line("namespace", ProtobufUtil.toProtoNamespaceDescriptor(NamespaceDescriptor.create("ns").addConfiguration("k", "v").build()).toByteArray(), "all");
  }

  private static void exceptions() {
    line("exception", ResponseConverter.buildException(new NotServingRegionException("t,,1.x. is closing")).toByteArray(), "not_serving");
    line("exception", ResponseConverter.buildException(new RegionMovedException(ServerName.valueOf("other", 16020, 99), 7)).toByteArray(), "moved");
    line("exception", ResponseConverter.buildException(new DoNotRetryIOException(new IllegalArgumentException("two\nlines"))).toByteArray(), "wrapped");
    line("exception", ResponseConverter.buildException(new IOException(new IllegalStateException())).toByteArray(), "io");
    line("exception", ResponseConverter.buildException(new java.io.FileNotFoundException("f")).toByteArray(), "unknown");
  }
}
