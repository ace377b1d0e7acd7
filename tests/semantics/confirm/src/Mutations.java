import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.io.TimeRange;

/** Mutations, and the other actions of a batch, from a line's words after the table. */
final class Mutations {
  private Mutations() {}

  /** The action that `verb` with `words` (the row first) and the lines below it describe. */
  static Row action(String verb, List<String> words, List<Line> children) throws Exception {
    switch (verb) {
      case "get":
        return Reads.get(words.get(0), words.subList(1, words.size()));
      case "mutate-row":
        return rowMutations(words.get(0), children);
      case "check-and-mutate":
        return checkAndMutate(words, children);
      default:
        return mutation(verb, words);
    }
  }

  private static Row childAction(Line line) throws Exception {
    return action(line.words.get(0), line.words.subList(1, line.words.size()), line.children);
  }

  static List<Row> actions(List<Line> lines) throws Exception {
    List<Row> actions = new ArrayList<>();
    for (Line line : lines) {
      actions.add(childAction(line));
    }
    return actions;
  }

  private static RowMutations rowMutations(String row, List<Line> lines) throws Exception {
    RowMutations mutations = new RowMutations(Words.bytes(row));
    for (Line line : lines) {
      mutations.add((Mutation) childAction(line));
    }
    return mutations;
  }

  /** ROW COLUMN OP VALUE | ROW COLUMN absent | ROW filter=..., each with timerange=. */
  private static CheckAndMutate checkAndMutate(List<String> words, List<Line> children) throws Exception {
    CheckAndMutate.Builder builder = CheckAndMutate.newBuilder(Words.bytes(words.get(0)));
    int options = 1;
    if (!words.get(1).startsWith("filter=")) {
      byte[][] column = Filters.column(words.get(1));
      if (words.get(2).equals("absent")) {
        builder.ifNotExists(column[0], column[1]);
        options = 3;
      } else {
        builder.ifMatches(column[0], column[1], Filters.op(words.get(2)), Words.value(words.get(3)));
        options = 4;
      }
    }
    for (String word : words.subList(options, words.size())) {
      String[] option = Reads.option(word);
      if (option[0].equals("filter")) {
        builder.ifMatches(Filters.parse(option[1]));
      } else {
        builder.timeRange(TimeRange.between(Reads.range(option[1])[0], Reads.range(option[1])[1]));
      }
    }
    if (children.size() != 1) {
      return builder.build(rowMutations(words.get(0), children));
    }
    Row action = childAction(children.get(0));
    if (action instanceof Put) {
      return builder.build((Put) action);
    } else if (action instanceof Delete) {
      return builder.build((Delete) action);
    } else if (action instanceof Increment) {
      return builder.build((Increment) action);
    } else if (action instanceof Append) {
      return builder.build((Append) action);
    }
    return builder.build((RowMutations) action);
  }

  /** A line's words after the row: options, then columns with what belongs to each. */
  private static final class Parts {
    private final List<String> words;
    private int at = 0;

    Parts(List<String> words) {
      this.words = words;
    }

    boolean more() {
      return at < words.size();
    }

    String next() {
      return words.get(at++);
    }

    long timestamp() {
      return more() && words.get(at).startsWith("@") ? Words.timestamp(next().substring(1)) : Long.MAX_VALUE;
    }

    void options(Mutation mutation) throws Exception {
      while (more() && (words.get(at).startsWith("ttl=") || words.get(at).startsWith("durability=")
          || words.get(at).startsWith("timerange=") || words.get(at).equals("no-result"))) {
        String[] option = Reads.option(next());
        switch (option[0]) {
          case "ttl":
            mutation.setTTL(Words.span(option[1]));
            break;
          case "durability":
            mutation.setDurability(Durability.valueOf(option[1]));
            break;
          case "timerange": {
            long[] range = Reads.range(option[1]);
            if (mutation instanceof Increment) {
              ((Increment) mutation).setTimeRange(range[0], range[1]);
            } else {
              ((Append) mutation).setTimeRange(range[0], range[1]);
            }
            break;
          }
          default:
            if (mutation instanceof Increment) {
              ((Increment) mutation).setReturnResults(false);
            } else {
              ((Append) mutation).setReturnResults(false);
            }
        }
      }
    }
  }

  private static Mutation mutation(String verb, List<String> words) throws Exception {
    byte[] row = Words.bytes(words.get(0));
    Parts parts = new Parts(words.subList(1, words.size()));
    switch (verb) {
      case "put":
        return put(new Put(row), parts);
      case "increment":
        return increment(new Increment(row), parts);
      case "append":
        return append(new Append(row), parts);
      case "delete-row": {
        long timestamp = parts.timestamp();
        return timestamp == Long.MAX_VALUE ? new Delete(row) : new Delete(row, timestamp);
      }
      default:
        return delete(verb, new Delete(row), parts);
    }
  }

  private static Put put(Put put, Parts parts) throws Exception {
    parts.options(put);
    while (parts.more()) {
      byte[][] column = Filters.column(parts.next());
      long timestamp = parts.timestamp();
      byte[] value = Words.value(parts.next());
      if (timestamp == Long.MAX_VALUE) {
        put.addColumn(column[0], column[1], value);
      } else {
        put.addColumn(column[0], column[1], timestamp, value);
      }
    }
    return put;
  }

  private static Increment increment(Increment increment, Parts parts) throws Exception {
    parts.options(increment);
    while (parts.more()) {
      byte[][] column = Filters.column(parts.next());
      increment.addColumn(column[0], column[1], Long.parseLong(parts.next()));
    }
    return increment;
  }

  private static Append append(Append append, Parts parts) throws Exception {
    parts.options(append);
    while (parts.more()) {
      byte[][] column = Filters.column(parts.next());
      append.addColumn(column[0], column[1], Words.value(parts.next()));
    }
    return append;
  }

  private static Delete delete(String verb, Delete delete, Parts parts) throws Exception {
    parts.options(delete);
    while (parts.more()) {
      String word = parts.next();
      long timestamp = parts.timestamp();
      boolean latest = timestamp == Long.MAX_VALUE;
      switch (verb) {
        case "delete": {
          byte[][] column = Filters.column(word);
          delete = latest ? delete.addColumn(column[0], column[1]) : delete.addColumn(column[0], column[1], timestamp);
          break;
        }
        case "delete-column": {
          byte[][] column = Filters.column(word);
          delete = latest ? delete.addColumns(column[0], column[1]) : delete.addColumns(column[0], column[1], timestamp);
          break;
        }
        case "delete-family":
          delete = latest ? delete.addFamily(Words.bytes(word)) : delete.addFamily(Words.bytes(word), timestamp);
          break;
        case "delete-family-version":
          delete = delete.addFamilyVersion(Words.bytes(word), timestamp);
          break;
        default:
          throw new ScriptError("unknown command: " + verb);
      }
    }
    return delete;
  }
}
