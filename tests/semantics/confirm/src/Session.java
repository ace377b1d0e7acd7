import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.PrettyPrinter;
import org.apache.hadoop.hbase.util.RegionSplitter;

/** One script's run against the cluster: commands in, lines out. */
final class Session implements AutoCloseable {
  private final Cluster cluster;
  private final Map<String, ResultScanner> scanners = new HashMap<>();
  private List<String> out;

  Session(Cluster cluster) {
    this.cluster = cluster;
  }

  List<String> run(List<Line> lines) throws Exception {
    out = new ArrayList<>();
    for (Line line : lines) {
      try {
        command(line.words.get(0), line.words.subList(1, line.words.size()), line.children);
      } catch (ScriptError | IndexOutOfBoundsException e) {
        throw e;
      } catch (Exception e) {
        out.add(Errors.print(e));
      }
    }
    return out;
  }

  @Override
  public void close() throws Exception {
    scanners.values().forEach(ResultScanner::close);
    cluster.clear();
  }

  private void command(String verb, List<String> words, List<Line> children) throws Exception {
    switch (verb) {
      case "get":
      case "put":
      case "delete":
      case "delete-column":
      case "delete-family":
      case "delete-family-version":
      case "delete-row":
      case "increment":
      case "append":
      case "mutate-row":
      case "check-and-mutate":
        single(table(words), Mutations.action(verb, rest(words), children));
        break;
      case "batch":
        batch(table(words), Mutations.actions(children));
        break;
      case "scan":
        try (ResultScanner scanner = table(words).getScanner(Reads.scan(rest(words)))) {
          print(scanner, Integer.MAX_VALUE);
        }
        break;
      case "open-scanner":
        scanners.put(words.get(0), table(rest(words)).getScanner(Reads.scan(rest(rest(words)))));
        break;
      case "next":
        print(scanners.get(words.get(0)), Integer.parseInt(words.get(1)));
        break;
      case "close-scanner":
        scanners.remove(words.get(0)).close();
        break;
      case "fill":
        fill(words);
        break;
      case "advance":
        cluster.clock.advance(Words.span(words.get(0)));
        break;
      case "restart":
        break; // that a restart loses nothing is Vaquita's to show
      case "flush":
        flush(name(words));
        break;
      case "compact":
        compact(words, false);
        break;
      case "major-compact":
        compact(words, true);
        break;
      default:
        administer(verb, words);
    }
  }

  // Data.

  private Table table(List<String> words) throws Exception {
    return cluster.connection.getTable(name(words));
  }

  private static TableName name(List<String> words) {
    return TableName.valueOf(words.get(0));
  }

  private static List<String> rest(List<String> words) {
    return words.subList(1, words.size());
  }

  private void single(Table table, Row action) throws Exception {
    if (action instanceof Get) {
      Get get = (Get) action;
      if (get.isCheckExistenceOnly()) {
        out.add(Boolean.toString(table.exists(get)));
      } else {
        printGot("", table.get(get));
      }
    } else if (action instanceof Put) {
      table.put((Put) action);
    } else if (action instanceof Delete) {
      table.delete((Delete) action);
    } else if (action instanceof Increment) {
      printCells("", table.increment((Increment) action));
    } else if (action instanceof Append) {
      printCells("", table.append((Append) action));
    } else if (action instanceof RowMutations) {
      printCells("", table.mutateRow((RowMutations) action));
    } else {
      printChecked("", table.checkAndMutate((CheckAndMutate) action));
    }
  }

  private void batch(Table table, List<Row> actions) throws Exception {
    Object[] results = new Object[actions.size()];
    try {
      table.batch(actions, results);
    } catch (java.io.IOException e) {
      // Each action's own outcome is in `results`.
    }
    for (int i = 0; i < results.length; i++) {
      String prefix = "[" + (i + 1) + "] ";
      if (results[i] instanceof Throwable) {
        out.add(prefix + Errors.print((Throwable) results[i]));
      } else if (results[i] instanceof CheckAndMutateResult) {
        printChecked(prefix, (CheckAndMutateResult) results[i]);
      } else if (actions.get(i) instanceof Get) {
        Result result = (Result) results[i];
        if (((Get) actions.get(i)).isCheckExistenceOnly()) {
          out.add(prefix + result.getExists());
        } else {
          printGot(prefix, result);
        }
      } else if (results[i] instanceof Result && !((Result) results[i]).isEmpty()) {
        printCells(prefix, (Result) results[i]);
      } else {
        out.add(prefix + "ok");
      }
    }
  }

  private void print(ResultScanner scanner, int most) throws Exception {
    int rows = 0;
    byte[] row = null;
    for (int i = 0; i < most; i++) {
      Result result = scanner.next();
      if (result == null) {
        break;
      }
      printCells("", result);
      if (result.mayHaveMoreCellsInRow()) {
        out.add("...");
      }
      rows += Bytes.equals(row, result.getRow()) ? 0 : 1;
      row = result.getRow();
    }
    out.add(rows == 1 ? "(1 row)" : "(" + rows + " rows)");
  }

  private void printChecked(String prefix, CheckAndMutateResult result) {
    out.add(prefix + result.isSuccess());
    if (result.getResult() != null) {
      printCells(prefix, result.getResult());
    }
  }

  private void printGot(String prefix, Result result) {
    if (result.isEmpty()) {
      out.add(prefix + "(empty)");
    }
    printCells(prefix, result);
  }

  private void printCells(String prefix, Result result) {
    if (result == null || result.rawCells() == null) {
      return;
    }
    for (Cell cell : result.rawCells()) {
      boolean put = cell.getType() == Cell.Type.Put;
      out.add(prefix + Words.print(CellUtil.cloneRow(cell)) + " " + Words.string(CellUtil.cloneFamily(cell)) + ":"
          + printQualifier(CellUtil.cloneQualifier(cell)) + " @" + Words.printTimestamp(cell.getTimestamp()) + " "
          + (put ? Words.print(CellUtil.cloneValue(cell)) : "(" + cell.getType() + ")"));
    }
  }

  private static String printQualifier(byte[] qualifier) {
    return qualifier.length == 0 ? "" : Words.print(qualifier);
  }

  /** fill TABLE FROM..TO ROW COLUMN [@TS] VALUE: a put for each number, which takes the place of # (of ### with leading zeros). */
  private void fill(List<String> words) throws Exception {
    Table table = table(words);
    int dots = words.get(1).indexOf("..");
    int last = Integer.parseInt(words.get(1).substring(dots + 2));
    List<Put> puts = new ArrayList<>();
    for (int i = Integer.parseInt(words.get(1).substring(0, dots)); i <= last; i++) {
      List<String> filled = new ArrayList<>();
      for (String word : words.subList(2, words.size())) {
        filled.add(number(word, i));
      }
      puts.add((Put) Mutations.action("put", filled, List.of()));
    }
    table.put(puts);
  }

  private static String number(String word, int number) {
    int first = word.indexOf('#');
    if (first < 0) {
      return word;
    }
    int last = first;
    while (last < word.length() && word.charAt(last) == '#') {
      last++;
    }
    return word.substring(0, first) + String.format("%0" + (last - first) + "d", number) + word.substring(last);
  }

  /** Flushes in this thread, under the script's clock; what HBase refuses is left to HBase. */
  private void flush(TableName table) throws Exception {
    if (!cluster.admin.tableExists(table) || !cluster.admin.isTableEnabled(table)) {
      cluster.admin.flush(table);
      return;
    }
    for (HRegion region : cluster.regions(table)) {
      cluster.clock.asDataThread(() -> region.flush(true));
    }
  }

  private void compact(List<String> words, boolean major) throws Exception {
    cluster.admin.getDescriptor(name(words));
    for (HRegion region : cluster.regions(name(words))) {
      cluster.clock.asDataThread(() -> region.compact(major));
    }
  }

  // Administration.

  private void administer(String verb, List<String> words) throws Exception {
    switch (verb) {
      case "create":
        create(words);
        break;
      case "alter":
        cluster.admin.modifyTable(describe(cluster.admin.getDescriptor(name(words)), rest(words), new HashMap<>()));
        break;
      case "describe":
        describe(cluster.admin.getDescriptor(name(words)));
        break;
      case "drop":
        cluster.admin.deleteTable(name(words));
        break;
      case "truncate":
        cluster.admin.truncateTable(name(words), words.contains("preserve"));
        break;
      case "enable":
        cluster.admin.enableTable(name(words));
        break;
      case "disable":
        cluster.admin.disableTable(name(words));
        break;
      case "exists":
        out.add(Boolean.toString(cluster.admin.tableExists(name(words))));
        break;
      case "state":
        out.add(cluster.admin.isTableEnabled(name(words)) ? "ENABLED" : "DISABLED");
        break;
      case "tables":
        for (TableName table : cluster.admin.listTableNames(Pattern.compile(words.isEmpty() ? ".*" : words.get(0)), false)) {
          out.add(table.getNameAsString());
        }
        break;
      case "regions":
        regions(words);
        break;
      case "split":
        split(words);
        break;
      case "merge":
        merge(words);
        break;
      default:
        namespaces(verb, words);
    }
  }

  private void create(List<String> words) throws Exception {
    Map<String, String> options = new HashMap<>();
    TableDescriptor table = describe(TableDescriptorBuilder.newBuilder(name(words)).build(), rest(words), options);
    if (options.containsKey("splits")) {
      List<byte[]> keys = new ArrayList<>();
      for (String key : options.get("splits").split(",", -1)) {
        keys.add(Words.bytes(key));
      }
      cluster.admin.createTable(table, keys.toArray(new byte[0][]));
    } else if (options.containsKey("splitalgo")) {
      cluster.admin.createTable(table,
          RegionSplitter.newSplitAlgoInstance(cluster.connection.getConfiguration(), options.get("splitalgo"))
              .split(Integer.parseInt(options.get("numregions"))));
    } else if (options.containsKey("numregions")) {
      cluster.admin.createTable(table, Words.bytes(options.get("start")), Words.bytes(options.get("end")),
          Integer.parseInt(options.get("numregions")));
    } else {
      cluster.admin.createTable(table);
    }
  }

  private static final List<String> SPLIT_OPTIONS = List.of("splits", "splitalgo", "numregions", "start", "end");

  /** `table` with: table attributes, then each family followed by its attributes. drop=FAMILY removes one. */
  private static TableDescriptor describe(TableDescriptor table, List<String> words, Map<String, String> splitOptions) throws Exception {
    TableDescriptorBuilder builder = TableDescriptorBuilder.newBuilder(table);
    Map<String, ColumnFamilyDescriptorBuilder> families = new LinkedHashMap<>();
    ColumnFamilyDescriptorBuilder family = null;
    for (String word : words) {
      String[] option = Reads.option(word);
      // Attributes have names in capitals, settings have dots.
      String key = option[0].contains(".") ? option[0] : option[0].toUpperCase(Locale.ROOT);
      if (word.indexOf('=') < 0) {
        ColumnFamilyDescriptor old = table.getColumnFamily(Words.bytes(word));
        family = old == null ? ColumnFamilyDescriptorBuilder.newBuilder(Words.bytes(word)) : ColumnFamilyDescriptorBuilder.newBuilder(old);
        families.put(word, family);
      } else if (family != null) {
        set(family, key, option[1]);
      } else if (SPLIT_OPTIONS.contains(option[0])) {
        splitOptions.put(option[0], option[1]);
      } else if (key.equals("DROP")) {
        builder.removeColumnFamily(Words.bytes(option[1]));
      } else {
        builder.setValue(key, option[1]);
      }
    }
    for (ColumnFamilyDescriptorBuilder each : families.values()) {
      ColumnFamilyDescriptor descriptor = each.build();
      if (table.hasColumnFamily(descriptor.getName())) {
        builder.modifyColumnFamily(descriptor);
      } else {
        builder.setColumnFamily(descriptor);
      }
    }
    return builder.build();
  }

  private static void set(ColumnFamilyDescriptorBuilder family, String key, String value) throws Exception {
    switch (key) {
      case "VERSIONS":
        family.setMaxVersions(Integer.parseInt(value));
        break;
      case "MIN_VERSIONS":
        family.setMinVersions(Integer.parseInt(value));
        break;
      case "TTL":
        family.setTimeToLive(value);
        break;
      case "KEEP_DELETED_CELLS":
        family.setKeepDeletedCells(KeepDeletedCells.valueOf(value));
        break;
      case "BLOCKSIZE":
        family.setBlocksize(value);
        break;
      case "BLOOMFILTER":
        family.setBloomFilterType(BloomType.valueOf(value));
        break;
      case "COMPRESSION":
        family.setCompressionType(Compression.Algorithm.valueOf(value));
        break;
      case "DATA_BLOCK_ENCODING":
        family.setDataBlockEncoding(DataBlockEncoding.valueOf(value));
        break;
      default:
        family.setValue(key, value);
    }
  }

  /** The attributes that differ from their default. */
  private void describe(TableDescriptor table) throws Exception {
    Map<String, String> attributes = new TreeMap<>();
    table.getValues().forEach((key, value) -> attributes.put(Words.string(key.copyBytes()), Words.string(value.copyBytes())));
    attributes.remove("IS_META");
    // The server's own mark of how store files are tracked, which it gives to every table.
    attributes.remove("hbase.store.file-tracker.impl");
    if (!attributes.isEmpty()) {
      out.add("table" + print(attributes));
    }
    for (ColumnFamilyDescriptor family : table.getColumnFamilies()) {
      Map<String, String> options = new TreeMap<>();
      Map<String, String> defaults = ColumnFamilyDescriptorBuilder.getDefaultValues();
      family.getValues().forEach((k, v) -> {
        String key = Words.string(k.copyBytes());
        String value = Words.string(v.copyBytes());
        if (!value.equals(defaults.get(key))) {
          options.put(key, format(key, value));
        }
      });
      out.add("family " + Words.print(family.getName()) + print(options));
    }
  }

  private static String format(String key, String value) {
    try {
      return PrettyPrinter.format(value, ColumnFamilyDescriptorBuilder.getUnit(key));
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static String print(Map<String, String> options) {
    StringBuilder text = new StringBuilder();
    options.forEach((key, value) -> text.append(' ').append(key).append('=').append(Words.print(Words.bytes(value))));
    return text.toString();
  }

  private void regions(List<String> words) throws Exception {
    cluster.admin.getDescriptor(name(words));
    List<RegionInfo> regions = cluster.admin.getRegions(name(words));
    if (words.contains("count")) {
      out.add(Integer.toString(regions.size()));
      return;
    }
    for (RegionInfo region : regions) {
      out.add(Words.print(region.getStartKey()) + " .. " + Words.print(region.getEndKey()));
    }
  }

  private RegionInfo regionOf(TableName table, String row) throws Exception {
    for (RegionInfo region : cluster.admin.getRegions(table)) {
      if (region.containsRow(Words.bytes(row))) {
        return region;
      }
    }
    throw new ScriptError("no region of " + table + " holds " + row);
  }

  /** split TABLE ROW [KEY]: the region that holds ROW, at KEY or at its midkey. */
  private void split(List<String> words) throws Exception {
    byte[] region = regionOf(name(words), words.get(1)).getRegionName();
    if (words.size() > 2) {
      cluster.admin.splitRegionAsync(region, Words.bytes(words.get(2))).get();
    } else {
      cluster.admin.splitRegionAsync(region).get();
    }
    cluster.compactReferences(name(words));
  }

  /** merge TABLE ROW ROW... [force]: the regions that hold these rows. */
  private void merge(List<String> words) throws Exception {
    List<byte[]> regions = new ArrayList<>();
    for (String row : rest(words)) {
      if (!row.equals("force")) {
        regions.add(regionOf(name(words), row).getRegionName());
      }
    }
    cluster.admin.mergeRegionsAsync(regions.toArray(new byte[0][]), words.contains("force")).get();
    cluster.compactReferences(name(words));
  }

  private void namespaces(String verb, List<String> words) throws Exception {
    switch (verb) {
      case "create-namespace":
        cluster.admin.createNamespace(namespace(words));
        break;
      case "alter-namespace":
        cluster.admin.modifyNamespace(namespace(words));
        break;
      case "drop-namespace":
        cluster.admin.deleteNamespace(words.get(0));
        break;
      case "describe-namespace":
        out.add(words.get(0) + print(new TreeMap<>(cluster.admin.getNamespaceDescriptor(words.get(0)).getConfiguration())));
        break;
      case "namespaces": {
        List<String> names = new ArrayList<>();
        for (NamespaceDescriptor namespace : cluster.admin.listNamespaceDescriptors()) {
          names.add(namespace.getName());
        }
        names.stream().sorted().forEach(out::add);
        break;
      }
      case "switch":
        change(words);
        break;
      default:
        throw new ScriptError("unknown command: " + verb);
    }
  }

  private static NamespaceDescriptor namespace(List<String> words) {
    NamespaceDescriptor.Builder builder = NamespaceDescriptor.create(words.get(0));
    for (String word : rest(words)) {
      String[] option = Reads.option(word);
      builder.addConfiguration(option[0], option[1]);
    }
    return builder.build();
  }

  /** switch balancer|split|merge [on|off]: prints what it is, or was before. */
  private void change(List<String> words) throws Exception {
    boolean on = words.contains("on");
    boolean ask = words.size() == 1;
    boolean was;
    switch (words.get(0)) {
      case "balancer":
        was = ask ? cluster.admin.isBalancerEnabled() : cluster.admin.balancerSwitch(on, true);
        break;
      case "split":
        was = ask ? cluster.admin.isSplitEnabled() : cluster.admin.splitSwitch(on, true);
        break;
      default:
        was = ask ? cluster.admin.isMergeEnabled() : cluster.admin.mergeSwitch(on, true);
    }
    out.add(was ? "on" : "off");
  }
}
