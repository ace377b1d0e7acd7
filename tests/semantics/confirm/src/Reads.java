import java.util.List;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Scan;

/** Gets and scans from a line's words. */
final class Reads {
  private Reads() {}

  static Get get(String row, List<String> options) throws Exception {
    Get get = new Get(Words.bytes(row));
    for (String word : options) {
      String[] option = option(word);
      String value = option[1];
      switch (option[0]) {
        case "column":
          if (value.contains(":")) {
            byte[][] column = Filters.column(value);
            get.addColumn(column[0], column[1]);
          } else {
            get.addFamily(Words.bytes(value));
          }
          break;
        case "versions":
          if (value.equals("all")) {
            get.readAllVersions();
          } else {
            get.readVersions(Integer.parseInt(value));
          }
          break;
        case "timerange":
          get.setTimeRange(range(value)[0], range(value)[1]);
          break;
        case "filter":
          get.setFilter(Filters.parse(value));
          break;
        case "store-limit":
          get.setMaxResultsPerColumnFamily(Integer.parseInt(value));
          break;
        case "store-offset":
          get.setRowOffsetPerColumnFamily(Integer.parseInt(value));
          break;
        case "existence-only":
          get.setCheckExistenceOnly(true);
          break;
        default:
          if (!option[0].startsWith("timerange.")) {
            throw new ScriptError("unknown option of get: " + word);
          }
          get.setColumnFamilyTimeRange(Words.bytes(option[0].substring("timerange.".length())), range(value)[0], range(value)[1]);
      }
    }
    return get;
  }

  static Scan scan(List<String> options) throws Exception {
    Scan scan = new Scan();
    byte[] start = {};
    byte[] stop = {};
    for (String word : options) {
      String[] option = option(word);
      String value = option[1];
      switch (option[0]) {
        case "start":
          start = Words.bytes(value);
          break;
        case "stop":
          stop = Words.bytes(value);
          break;
        case "start-exclusive":
        case "stop-inclusive":
          break;
        case "prefix":
          scan.setStartStopRowForPrefixScan(Words.bytes(value));
          start = scan.getStartRow();
          stop = scan.getStopRow();
          break;
        case "reversed":
          scan.setReversed(true);
          break;
        case "raw":
          scan.setRaw(true);
          break;
        case "limit":
          scan.setLimit(Integer.parseInt(value));
          break;
        case "batch":
          scan.setBatch(Integer.parseInt(value));
          break;
        case "caching":
          scan.setCaching(Integer.parseInt(value));
          break;
        case "max-result-size":
          scan.setMaxResultSize(Long.parseLong(value));
          break;
        case "load-all-families":
          scan.setLoadColumnFamiliesOnDemand(false);
          break;
        case "allow-partial":
          scan.setAllowPartialResults(true);
          break;
        case "column":
          if (value.contains(":")) {
            byte[][] column = Filters.column(value);
            scan.addColumn(column[0], column[1]);
          } else {
            scan.addFamily(Words.bytes(value));
          }
          break;
        case "versions":
          if (value.equals("all")) {
            scan.readAllVersions();
          } else {
            scan.readVersions(Integer.parseInt(value));
          }
          break;
        case "timerange":
          scan.setTimeRange(range(value)[0], range(value)[1]);
          break;
        case "filter":
          scan.setFilter(Filters.parse(value));
          break;
        case "store-limit":
          scan.setMaxResultsPerColumnFamily(Integer.parseInt(value));
          break;
        case "store-offset":
          scan.setRowOffsetPerColumnFamily(Integer.parseInt(value));
          break;
        default:
          if (!option[0].startsWith("timerange.")) {
            throw new ScriptError("unknown option of scan: " + word);
          }
          scan.setColumnFamilyTimeRange(Words.bytes(option[0].substring("timerange.".length())), range(value)[0], range(value)[1]);
      }
    }
    scan.withStartRow(start, !options.contains("start-exclusive"));
    scan.withStopRow(stop, options.contains("stop-inclusive"));
    return scan;
  }

  static String[] option(String word) {
    int equals = word.indexOf('=');
    return equals < 0 ? new String[] {word, ""} : new String[] {word.substring(0, equals), word.substring(equals + 1)};
  }

  /** 5..10, or 5.. without an end. */
  static long[] range(String word) {
    int dots = word.indexOf("..");
    String end = word.substring(dots + 2);
    return new long[] {Words.timestamp(word.substring(0, dots)), end.isEmpty() ? Long.MAX_VALUE : Words.timestamp(end)};
  }
}
