package org.vaquita.junit;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A folder of this JVM, readable by its user only and removed when the JVM ends. */
final class Temporary {
  private static Path folder;

  private Temporary() {}

  static synchronized Path folder() throws IOException {
    if (folder == null) {
      Path made = Files.createTempDirectory("vaquita-junit");
      Runtime.getRuntime().addShutdownHook(new Thread(() -> remove(made.toFile())));
      folder = made;
    }
    return folder;
  }

  static Path file(String prefix, String suffix) {
    try {
      return Files.createTempFile(folder(), prefix, suffix);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static void remove(File fileOrFolder) {
    File[] children = fileOrFolder.listFiles();
    if (children != null) {
      for (File child : children) remove(child);
    }
    fileOrFolder.delete();
  }
}
