import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A script's file: a header of comments, then blocks of commands, a line of dashes, and the text they give. */
final class Script {
  static final String CONFIRMED = "# Confirmed on: HBase 2.6.0";

  static final class Block {
    final List<String> commands = new ArrayList<>();
    List<String> expected = new ArrayList<>();
  }

  final Path path;
  final List<String> header = new ArrayList<>();
  final List<Block> blocks = new ArrayList<>();

  Script(Path path) throws IOException {
    this.path = path;
    boolean inHeader = true;
    boolean inExpected = false;
    Block block = new Block();
    for (String line : Files.readAllLines(path, StandardCharsets.ISO_8859_1)) {
      if (inHeader && line.startsWith("#")) {
        header.add(line);
      } else if (inExpected && line.isEmpty()) {
        inExpected = false;
        blocks.add(block);
        block = new Block();
      } else if (inExpected) {
        block.expected.add(line);
      } else if (line.equals("----")) {
        inExpected = true;
      } else if (!line.isEmpty()) {
        block.commands.add(line);
      }
      inHeader &= line.startsWith("#");
    }
    if (inExpected || !block.commands.isEmpty()) {
      blocks.add(block);
    }
  }

  /** Writes the file with the blocks' expected text, saying who confirmed it. */
  void write() throws IOException {
    List<String> out = new ArrayList<>();
    for (String line : header) {
      if (!line.startsWith("# Confirmed on:")) {
        out.add(line);
      }
    }
    out.add(CONFIRMED);
    for (Block block : blocks) {
      out.add("");
      out.addAll(block.commands);
      out.add("----");
      out.addAll(block.expected);
    }
    byte[] text = (String.join("\n", out) + "\n").getBytes(StandardCharsets.ISO_8859_1);
    if (!java.util.Arrays.equals(text, Files.readAllBytes(path))) {
      Files.write(path, text);
    }
  }
}
