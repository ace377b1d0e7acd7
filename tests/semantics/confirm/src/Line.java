import java.util.ArrayList;
import java.util.List;

/** A command with the lines indented below it. */
final class Line {
  final List<String> words;
  final List<Line> children = new ArrayList<>();
  private final int indentation;

  private Line(int indentation, List<String> words) {
    this.indentation = indentation;
    this.words = words;
  }

  /** The commands among `lines`; blank lines and comments are left out. */
  static List<Line> parse(List<String> lines) {
    Line root = new Line(-1, List.of());
    List<Line> open = new ArrayList<>(List.of(root));
    for (String text : lines) {
      String trimmed = text.trim();
      if (trimmed.isEmpty() || trimmed.startsWith("#")) {
        continue;
      }
      Line line = new Line(text.indexOf(trimmed), Words.split(trimmed));
      while (open.get(open.size() - 1).indentation >= line.indentation) {
        open.remove(open.size() - 1);
      }
      open.get(open.size() - 1).children.add(line);
      open.add(line);
    }
    return root.children;
  }
}
