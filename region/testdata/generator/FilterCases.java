import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.util.Bytes;

/** Random filters over random tables, and what HBase's own filters answer, cell by cell. */
final class FilterCases {
  private static final byte[][] FAMILIES = {Bytes.toBytes("a"), Bytes.toBytes("b")};

  private static final int TABLES = 24;
  private static final int CASES_PER_TABLE = 50;

  /** What the values of a table are, which says what comparators suit them. */
  private enum Kind { TEXT, LONG, DECIMAL }

  private final Random random;
  private final List<List<Cell>> rows = new ArrayList<>();
  private Kind kind;
  private int inSkip = 0;

  FilterCases(long seed) {
    random = new Random(seed);
  }

  static void write(java.io.PrintStream out) throws Exception {
    for (int table = 0; table < TABLES; table++) {
      FilterCases c = new FilterCases(1000 + table);
      c.makeTable(Kind.values()[table % 3]);
      out.println("table");
      for (List<Cell> row : c.rows) {
        for (Cell cell : row) out.println("  " + cellText(cell) + " " + Text.token(CellUtil.cloneValue(cell)));
      }
      for (int i = 0; i < CASES_PER_TABLE; ) {
        boolean reversed = c.random.nextInt(4) == 0;
        String filter = c.filter(c.random.nextInt(4) == 0 ? 0 : 1 + c.random.nextInt(2));
        String outcome = c.run(filter, reversed);
        if (outcome == null) continue;
        out.println((reversed ? "reversed " : "forward ") + filter);
        out.println("  " + outcome);
        i++;
      }
    }
  }

  private static String cellText(Cell c) {
    return Text.token(CellUtil.cloneRow(c)) + " " + Text.token(CellUtil.cloneFamily(c)) + " " + Text.token(CellUtil.cloneQualifier(c)) + " "
        + c.getTimestamp();
  }

  // ---- Tables ----

  private byte[] word(int most, String letters) {
    byte[] word = new byte[1 + random.nextInt(most)];
    for (int i = 0; i < word.length; i++) word[i] = (byte) letters.charAt(random.nextInt(letters.length()));
    return word;
  }

  private byte[] row() {
    return word(4, "abc\u0000\u00ff");
  }

  private byte[] qualifier() {
    return word(3, "abc");
  }

  private byte[] value() {
    switch (kind) {
      case LONG: return Bytes.toBytes((long) random.nextInt(20) - 10);
      case DECIMAL: return Bytes.toBytes(decimal());
      default: return Bytes.add(word(1, "xyzXY"), word(1, "xyz"), Bytes.add(word(1, "xyz"), word(4, "xyz ")));
    }
  }

  private BigDecimal decimal() {
    BigDecimal d = BigDecimal.valueOf(random.nextInt(2000) - 1000, random.nextInt(4) - 1);
    return random.nextInt(8) == 0 ? d.multiply(BigDecimal.valueOf(Long.MAX_VALUE)) : d;
  }

  private void makeTable(Kind kind) {
    this.kind = kind;
    TreeMap<byte[], List<Cell>> byRow = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    int count = 6 + random.nextInt(10);
    while (byRow.size() < count) {
      byte[] row = row();
      if (byRow.containsKey(row)) continue;
      java.util.TreeSet<Cell> cells = new java.util.TreeSet<>(CellComparator.getInstance());
      int n = 1 + random.nextInt(10);
      for (int i = 0; i < n; i++) {
        cells.add(new KeyValue(row, FAMILIES[random.nextInt(2)], qualifier(), 1 + random.nextInt(5), value()));
      }
      byRow.put(row, new ArrayList<>(cells));
    }
    rows.addAll(byRow.values());
  }

  // ---- Filters ----

  private String filter(int depth) {
    if (depth > 0) {
      switch (random.nextInt(6)) {
        case 0:
          inSkip++;
          String skip = "(Skip " + filter(depth - 1) + ")";
          inSkip--;
          return skip;
        case 1: return "(While " + filter(depth - 1) + ")";
        default:
          StringBuilder list = new StringBuilder(random.nextBoolean() ? "(AND" : "(OR");
          for (int n = random.nextInt(12) == 0 ? 0 : 2 + random.nextInt(2); n > 0; n--) list.append(' ').append(filter(depth - 1));
          return list.append(')').toString();
      }
    }
    switch (random.nextInt(22)) {
      case 0: return "(Row " + comparison(row(), false) + ")";
      case 1: return "(Family " + comparison(family(), false) + ")";
      case 2: return "(Qualifier " + comparison(qualifier(), false) + ")";
      case 3: return "(Value " + comparison(value(), true) + ")";
      case 4:
      case 5: return "(SingleColumnValue " + column() + " " + comparison(value(), true) + " " + bool() + " " + bool() + " " + bool() + ")";
      case 6: return "(DependentColumn " + column() + " " + bool() + " " + (random.nextBoolean() ? "NO_OP" : comparison(value(), true)) + ")";
      case 7: return "(ColumnValue " + column() + " " + comparison(value(), true) + ")";
      case 8: return "(ColumnPrefix " + Text.token(word(2, "abc")) + ")";
      case 9: return "(MultipleColumnPrefix" + several(3) + ")";
      case 10: return "(ColumnRange " + bound() + " " + bool() + " " + bound() + " " + bool() + ")";
      case 11: return "(ColumnCountGet " + random.nextInt(5) + ")";
      case 12: return random.nextBoolean() ? "(ColumnPagination " + random.nextInt(4) + " " + random.nextInt(3) + ")"
          : "(ColumnPaginationFrom " + random.nextInt(4) + " " + Text.token(qualifier()) + ")";
      case 13: return "(Page " + random.nextInt(6) + ")";
      case 14: return "(Prefix " + Text.token(word(2, "abc")) + ")";
      case 15: return random.nextBoolean() ? "(FirstKeyOnly)" : "(FirstKeyMatching" + several(3) + ")";
      case 16: return "(KeyOnly " + bool() + ")";
      case 17: return "(InclusiveStop " + Text.token(row()) + ")";
      case 18:
      case 19: return fuzzyRow();
      // Inside SKIP it is never asked about a row, and HBase fails on the answer it then has not.
      case 20: return inSkip > 0 ? fuzzyRow() : multiRowRange();
      default: return timestamps();
    }
  }

  private String bool() {
    return Boolean.toString(random.nextBoolean());
  }

  private byte[] family() {
    return FAMILIES[random.nextInt(2)];
  }

  private String column() {
    List<Cell> row = rows.get(random.nextInt(rows.size()));
    Cell cell = row.get(random.nextInt(row.size()));
    byte[] qualifier = random.nextInt(4) == 0 ? qualifier() : CellUtil.cloneQualifier(cell);
    return Text.token(CellUtil.cloneFamily(cell)) + " " + Text.token(qualifier);
  }

  private String bound() {
    return random.nextInt(4) == 0 ? "null" : Text.token(qualifier());
  }

  private String several(int most) {
    java.util.TreeSet<byte[]> words = new java.util.TreeSet<>(Bytes.BYTES_COMPARATOR);
    for (int n = 1 + random.nextInt(most); n > 0; n--) words.add(qualifier());
    StringBuilder s = new StringBuilder();
    for (byte[] w : words) s.append(' ').append(Text.token(w));
    return s.toString();
  }

  private String fuzzyRow() {
    StringBuilder s = new StringBuilder("(FuzzyRow");
    for (int n = 1 + random.nextInt(3); n > 0; n--) {
      byte[] key = row();
      byte[] mask = new byte[key.length];
      for (int i = 0; i < mask.length; i++) mask[i] = (byte) random.nextInt(2);
      s.append(' ').append(Text.token(key)).append(' ').append(Text.token(mask));
    }
    return s.append(')').toString();
  }

  private String multiRowRange() {
    StringBuilder s = new StringBuilder("(MultiRowRange");
    for (int n = 1 + random.nextInt(5); n > 0; n--) {
      byte[] start = random.nextInt(12) == 0 ? new byte[0] : row();
      byte[] stop = random.nextInt(12) == 0 ? new byte[0] : row();
      if (start.length > 0 && stop.length > 0 && Bytes.compareTo(start, stop) > 0) {
        byte[] swap = start;
        start = stop;
        stop = swap;
      }
      s.append(' ').append(Text.token(start)).append(' ').append(bool()).append(' ').append(Text.token(stop)).append(' ').append(bool());
    }
    return s.append(')').toString();
  }

  private String timestamps() {
    StringBuilder s = new StringBuilder("(Timestamps ").append(bool());
    for (int n = random.nextInt(4); n > 0; n--) s.append(' ').append(random.nextInt(7));
    return s.append(')').toString();
  }

  private String comparison(byte[] operand, boolean value) {
    String[] ops = {"LESS", "LESS_OR_EQUAL", "EQUAL", "NOT_EQUAL", "GREATER_OR_EQUAL", "GREATER"};
    return ops[random.nextInt(ops.length)] + " " + comparator(operand, value);
  }

  private String comparator(byte[] operand, boolean value) {
    if (value && kind == Kind.LONG && random.nextBoolean()) return "(long " + Text.token(operand) + ")";
    if (value && kind == Kind.DECIMAL && random.nextBoolean()) return "(bigdecimal " + Text.token(operand) + ")";
    switch (random.nextInt(7)) {
      case 0: return "(binaryprefix " + Text.token(Arrays.copyOf(operand, 1 + random.nextInt(operand.length))) + ")";
      case 1: return kind == Kind.TEXT ? "(regex " + Text.token(regex()) + " " + (random.nextBoolean() ? 32 : 34) + " UTF\\x2D8)" : "(null)";
      case 2: return kind == Kind.TEXT ? "(substring " + Text.token(word(2, "xyzab")) + ")" : "(null)";
      case 3: return "(bit " + new String[] {"AND", "OR", "XOR"}[random.nextInt(3)] + " " + Text.token(operand) + ")";
      case 4: return value && kind == Kind.TEXT ? "(component " + Text.token(word(2, "xyz")) + " " + random.nextInt(3) + ")" : "(null)";
      default: return "(binary " + Text.token(operand) + ")";
    }
  }

  private String regex() {
    String[] patterns = {"^x", "y$", "xx|zz", "[xy]{2}", "^.y", "(.)\\1", "a", "^[^b]", "x+z*"};
    return patterns[random.nextInt(patterns.length)];
  }

  // ---- HBase's calling protocol ----

  /** What happens, or null if HBase's own filter fails. */
  private String run(String text, boolean reversed) {
    try {
      // As a server gets it: what the constructors do to their arguments, they do once more.
      Filter filter = ProtobufUtil.toFilter(ProtobufUtil.toFilter(FilterText.read(text)));
      filter.setReversed(reversed);
      return new Scan(filter, reversed).run();
    } catch (RuntimeException | java.io.IOException e) {
      return null;
    }
  }

  /** One pass over the table, each family a scanner of its own that obeys the filter's answers. */
  private final class Scan {
    private final Filter filter;
    private final boolean reversed;
    private final StringBuilder log = new StringBuilder();
    private final byte[][] resumeRow = new byte[FAMILIES.length][];

    Scan(Filter filter, boolean reversed) {
      this.filter = filter;
      this.reversed = reversed;
    }

    String run() throws java.io.IOException {
      log.append(filter.hasFilterRow() ? 'F' : '-');
      for (byte[] family : FAMILIES) log.append(filter.isFamilyEssential(family) ? 'E' : '-');
      for (int i = 0; i < rows.size(); i++) {
        int index = reversed ? rows.size() - 1 - i : i;
        List<Cell> row = visible(rows.get(index));
        if (row.isEmpty()) continue;
        if (filter.filterAllRemaining()) return log.append(" end").toString();
        log.append(' ').append(index);
        filter.reset();
        if (filter.filterAllRemaining() || filter.filterRowKey(row.get(0))) {
          log.append('x');
          continue;
        }
        scanRow(row);
      }
      return log.toString();
    }

    private List<Cell> visible(List<Cell> row) {
      List<Cell> visible = new ArrayList<>();
      for (Cell c : row) {
        byte[] resume = resumeRow[c.getFamilyArray()[c.getFamilyOffset()] - 'a'];
        if (resume == null || !isBefore(CellUtil.cloneRow(c), resume)) visible.add(c);
      }
      return visible;
    }

    private boolean isBefore(byte[] a, byte[] b) {
      int order = Bytes.compareTo(a, b);
      return reversed ? order > 0 : order < 0;
    }

    private void scanRow(List<Cell> row) throws java.io.IOException {
      List<Cell> included = new ArrayList<>();
      log.append('[');
      for (int family = 0; family < FAMILIES.length; family++) scanFamily(family, row, included);
      log.append(']');
      boolean out = false;
      if (filter.hasFilterRow()) {
        filter.filterRowCells(included);
        out = !included.isEmpty() && filter.filterRow();
      } else {
        out = !included.isEmpty() && filter.filterRow();
      }
      log.append(out ? "!" : "{" + kept(row, included) + "}");
    }

    private String kept(List<Cell> row, List<Cell> included) {
      StringBuilder s = new StringBuilder();
      for (Cell c : included) {
        int index = 0;
        while (CellComparator.getInstance().compare(row.get(index), c) != 0) index++;
        s.append(s.length() == 0 ? "" : ",").append(index);
        if (!CellUtil.matchingValue(row.get(index), c)) s.append('=').append(Text.token(CellUtil.cloneValue(c)));
      }
      return s.toString();
    }

    private void scanFamily(int family, List<Cell> row, List<Cell> included) throws java.io.IOException {
      List<Cell> cells = new ArrayList<>();
      for (Cell c : row) {
        if (CellUtil.matchingFamily(c, FAMILIES[family])) cells.add(c);
      }
      for (int i = 0; i < cells.size(); ) {
        Cell c = cells.get(i);
        Filter.ReturnCode code = filter.filterCell(c);
        log.append(letter(code));
        if (code.name().startsWith("INCLUDE")) included.add(filter.transformCell(c));
        i = next(family, cells, i, code);
      }
    }

    private char letter(Filter.ReturnCode code) {
      switch (code) {
        case INCLUDE: return 'I';
        case INCLUDE_AND_NEXT_COL: return 'C';
        case INCLUDE_AND_SEEK_NEXT_ROW: return 'R';
        case SKIP: return 's';
        case NEXT_COL: return 'c';
        case NEXT_ROW: return 'r';
        default: return 'h';
      }
    }

    private int next(int family, List<Cell> cells, int i, Filter.ReturnCode code) throws java.io.IOException {
      Cell c = cells.get(i);
      switch (code) {
        case INCLUDE:
        case SKIP: return i + 1;
        case NEXT_COL:
        case INCLUDE_AND_NEXT_COL:
          while (i < cells.size() && CellUtil.matchingQualifier(cells.get(i), c)) i++;
          return i;
        case NEXT_ROW:
        case INCLUDE_AND_SEEK_NEXT_ROW: return cells.size();
        default: return seek(family, cells, i);
      }
    }

    private int seek(int family, List<Cell> cells, int i) throws java.io.IOException {
      Cell hint = filter.getNextCellHint(cells.get(i));
      if (hint == null) {
        log.append("<>");
        return i + 1;
      }
      byte[] row = CellUtil.cloneRow(hint);
      log.append('<').append(Text.token(row)).append('/').append(Text.token(CellUtil.cloneFamily(hint))).append('/')
          .append(Text.token(CellUtil.cloneQualifier(hint)));
      if (hint.getTimestamp() != Long.MAX_VALUE) log.append('/').append(hint.getTimestamp());
      log.append('>');
      if (!CellUtil.matchingRows(hint, cells.get(i))) {
        if (!isBefore(CellUtil.cloneRow(cells.get(i)), row)) return i + 1;  // not ahead
        resumeRow[family] = row;
        return cells.size();
      }
      i++;
      while (i < cells.size() && CellComparator.getInstance().compare(cells.get(i), hint) < 0) i++;
      return i;
    }
  }
}
