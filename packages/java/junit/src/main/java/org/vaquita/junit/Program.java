package org.vaquita.junit;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Finds the server's program: {@code VAQUITA_BINARY}, else the one in the jar {@code vaquita-<platform>}, which is unpacked once into
 * {@code ~/.cache/vaquita/<SHA-256 of the program>/}. A file gets there by a rename, so any number of processes may do it at once.
 */
final class Program {
  private static final List<String> PLATFORMS = Arrays.asList("linux-amd64", "linux-arm64");

  private Program() {}

  /** Returns the program's file. IllegalStateException names what was looked for if there is none. */
  static Path find() throws IOException {
    return find(System.getenv(), System.getProperty("os.name"), System.getProperty("os.arch"));
  }

  static Path find(Map<String, String> environment, String osName, String osArch) throws IOException {
    String override = environment.get("VAQUITA_BINARY");
    if (override != null && !override.isEmpty()) {
      Path program = Paths.get(override);
      if (Files.isRegularFile(program) && Files.isExecutable(program)) return program.toAbsolutePath();
      throw new IllegalStateException("VAQUITA_BINARY is " + override + ", which is not an executable file");
    }
    String platform = platform(osName, osArch);
    URL resource = resource(platform, "vaquita");
    if (resource == null) throw new IllegalStateException(missing(platform, osName, osArch));
    return unpacked(resource, hash(platform), environment);
  }

  private static URL resource(String platform, String name) {
    return Program.class.getResource("/org/vaquita/program/" + platform + "/" + name);
  }

  /** Returns Go's names of the system and the processor, which the artifacts have: "linux-amd64". */
  private static String platform(String osName, String osArch) {
    String os = osName.toLowerCase(Locale.ROOT).replace("mac os x", "darwin").replaceAll(" .*", "");
    String arch = osArch.toLowerCase(Locale.ROOT);
    if (arch.equals("x86_64")) arch = "amd64";
    if (arch.equals("aarch64")) arch = "arm64";
    return os + "-" + arch;
  }

  private static String missing(String platform, String osName, String osArch) {
    List<String> there = new ArrayList<>();
    for (String other : PLATFORMS) {
      if (resource(other, "vaquita") != null) there.add(other);
    }
    return "No program of Vaquita for " + platform + " (os.name " + osName + ", os.arch " + osArch + "). Looked for: the environment"
        + " variable VAQUITA_BINARY, which is not set; org/vaquita/program/" + platform + "/vaquita in the class path, which the"
        + " artifact org.vaquita:vaquita-" + platform + " would have. In the class path: " + (there.isEmpty() ? "none" : there)
        + "; programs are made for " + PLATFORMS + ". On other systems run the container image and see docs/testing.md, Testcontainers.";
  }

  private static String hash(String platform) throws IOException {
    try (BufferedReader reader = new BufferedReader(
             new InputStreamReader(resource(platform, "vaquita.sha256").openStream(), StandardCharsets.US_ASCII))) {
      return reader.readLine().trim();
    }
  }

  private static Path unpacked(URL resource, String hash, Map<String, String> environment) throws IOException {
    IOException first = null;
    for (Path cache : caches(environment)) {
      Path program = cache.resolve(hash).resolve("vaquita");
      try {
        if (!Files.isExecutable(program)) unpack(resource, program);
        if (!Files.isExecutable(program)) throw new IOException(program + ": no program can be run there");
        return program;
      } catch (IOException e) {  // a home that is read-only, or from which nothing runs, say: the next folder is tried
        if (first == null) first = e;
        else first.addSuppressed(e);
      }
    }
    throw first;
  }

  private static List<Path> caches(Map<String, String> environment) throws IOException {
    List<Path> caches = new ArrayList<>();
    String cache = environment.get("XDG_CACHE_HOME");
    if (cache != null && cache.startsWith("/")) caches.add(Paths.get(cache, "vaquita"));
    caches.add(Paths.get(System.getProperty("user.home"), ".cache", "vaquita"));
    caches.add(Temporary.folder());  // only this process uses it, so nobody else can have put a program there
    return caches;
  }

  private static void unpack(URL resource, Path program) throws IOException {
    Files.createDirectories(program.getParent());
    Path unfinished = Files.createTempFile(program.getParent(), "vaquita", ".part");
    try (InputStream in = resource.openStream()) {
      Files.copy(in, unfinished, StandardCopyOption.REPLACE_EXISTING);
      Files.setPosixFilePermissions(unfinished, PosixFilePermissions.fromString("rwxr-xr-x"));
      Files.move(unfinished, program, StandardCopyOption.ATOMIC_MOVE);
    } catch (AtomicMoveNotSupportedException e) {
      throw new IOException("cannot rename " + unfinished + " to " + program, e);
    } finally {
      Files.deleteIfExists(unfinished);
    }
  }
}
