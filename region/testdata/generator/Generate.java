import java.io.File;
import java.io.PrintStream;

/** Writes the case files of ../ from HBase's own classes: Generate DIRECTORY. */
public final class Generate {
  private interface Writer {
    void write(PrintStream out) throws Exception;
  }

  public static void main(String[] args) throws Exception {
    write(args[0], "filter_cases.txt", FilterCases::write);
    write(args[0], "comparator_cases.txt", ComparatorCases::write);
    write(args[0], "filter_language_cases.txt", LanguageCases::write);
    write(args[0], "split_key_cases.txt", SplitKeyCases::write);
    write(args[0], "name_cases.txt", NameCases::write);
  }

  private static void write(String directory, String name, Writer writer) throws Exception {
    try (PrintStream out = new PrintStream(new File(directory, name), "UTF-8")) {
      out.println("# Generated from HBase 2.6.0's own classes by generator/" + writer.getClass().getSimpleName().replaceAll("\\$.*", "")
          + ".java; see README.md.");
      writer.write(out);
    }
  }
}
