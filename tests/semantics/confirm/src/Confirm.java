import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Replays scripts against a real HBase and reports, or with --write takes over, what it answers. With --serve COMMANDS ANSWERS (two pipes)
 * it leaves them to somebody else (Serve).
 */
public final class Confirm {
  public static void main(String[] args) {
    int code = 2;
    try {
      code = run(args) ? 0 : 1;
    } catch (Throwable t) {
      t.printStackTrace();
    }
    // Not exit(): threads of the cluster that are no daemons would keep us, and nothing of it is kept.
    System.out.flush();
    Runtime.getRuntime().halt(code);
  }

  private static boolean run(String[] args) throws Exception {
    if (args[0].equals("--serve")) {
      try (Cluster cluster = new Cluster(Paths.get(System.getProperty("confirm.data")))) {
        Serve.run(cluster, args[1], args[2]);
      }
      return true;
    }
    boolean write = false;
    List<Path> scripts = new ArrayList<>();
    for (String arg : args) {
      if (arg.equals("--write")) {
        write = true;
      } else {
        scripts.addAll(find(Paths.get(arg)));
      }
    }
    int differing = 0;
    try (Cluster cluster = new Cluster(Paths.get(System.getProperty("confirm.data")))) {
      for (Path path : scripts) {
        long started = System.nanoTime();
        boolean same = replay(cluster, new Script(path), write);
        differing += same ? 0 : 1;
        System.out.printf("%s %s (%d ms)%n", same ? "same   " : "DIFFERS", path, (System.nanoTime() - started) / 1_000_000);
      }
    }
    System.out.printf("%d scripts, %d differ%n", scripts.size(), differing);
    return differing == 0;
  }

  private static List<Path> find(Path path) throws Exception {
    try (Stream<Path> files = Files.walk(path)) {
      // Scripts of meant differences hold Vaquita's answers.
      return files.filter(p -> p.toString().endsWith(".txt") && !p.toString().contains("/differs/") && !p.endsWith("CMakeLists.txt"))
          .map(Path::normalize).sorted().collect(Collectors.toList());
    }
  }

  private static boolean replay(Cluster cluster, Script script, boolean write) throws Exception {
    boolean same = true;
    try (Session session = new Session(cluster)) {
      for (Script.Block block : script.blocks) {
        List<String> got;
        try {
          got = session.run(Line.parse(block.commands));
        } catch (Exception e) {
          throw new IllegalStateException(script.path + ": " + e.getMessage() + " in " + block.commands, e);
        }
        if (!got.equals(block.expected)) {
          same = false;
          if (!write) {
            report(script, block, got);
          }
          block.expected = got;
        }
      }
    }
    if (write) {
      script.write();
    }
    return same;
  }

  private static void report(Script script, Script.Block block, List<String> got) {
    System.out.println("--- " + script.path);
    block.commands.forEach(line -> System.out.println("    " + line));
    for (int i = 0; i < Math.max(got.size(), block.expected.size()); i++) {
      String expected = i < block.expected.size() ? block.expected.get(i) : null;
      String actual = i < got.size() ? got.get(i) : null;
      if (expected != null && expected.equals(actual)) {
        System.out.println("  " + actual);
      } else {
        if (expected != null) {
          System.out.println("- " + expected);
        }
        if (actual != null) {
          System.out.println("+ " + actual);
        }
      }
    }
  }
}
