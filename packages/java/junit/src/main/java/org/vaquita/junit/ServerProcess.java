package org.vaquita.junit;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A server's process. It ends with this JVM, however that ends: it reads the end of its standard input. Its log is a file that goes
 * with the JVM.
 */
final class ServerProcess {
  private static final long START_SECONDS = 60;
  private static final long STOP_SECONDS = 10;
  private static final int LAST_LINES = 50;

  private final Process process;
  private final Path log;
  private final Map<String, Object> ready;

  private ServerProcess(Process process, Path log, Map<String, Object> ready) {
    this.process = process;
    this.log = log;
    this.ready = ready;
  }

  /** Starts a server and waits until it serves. IllegalStateException has the last lines of its log if it does not. */
  static ServerProcess start(Map<String, String> properties, Path data) {
    try {
      List<String> command = new ArrayList<>();
      command.add(Program.find().toString());
      command.add("standalone");
      if (data == null) {
        command.add("--ephemeral");
      } else {
        command.add("--data");
        command.add(data.toString());
      }
      for (String option : new String[] {"--free-ports", "--test-control", "--exit-with-stdin", "--ready-line"}) command.add(option);
      properties.forEach((name, value) -> {
        command.add("-D");
        command.add(name + "=" + value);
      });
      Path log = Temporary.file("vaquita", ".log");
      ProcessBuilder builder = new ProcessBuilder(command).redirectError(log.toFile());
      builder.environment().remove("VAQUITA_BINARY");  // for this package, not for the server
      Process process = builder.start();
      return new ServerProcess(process, log, readyLine(process, log, command));
    } catch (IOException e) {
      throw new IllegalStateException("Vaquita did not start: " + e.getMessage(), e);
    }
  }

  private static Map<String, Object> readyLine(Process process, Path log, List<String> command) throws IOException {
    CompletableFuture<String> line = new CompletableFuture<>();
    Thread reader = new Thread(() -> {
      try {
        line.complete(new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)).readLine());
      } catch (IOException e) {
        line.completeExceptionally(e);
      }
    }, "vaquita-start");
    reader.setDaemon(true);
    reader.start();
    String problem;
    try {
      String text = line.get(START_SECONDS, TimeUnit.SECONDS);
      if (text != null) return Json.parseObject(text);
      problem = "it ended with exit code " + process.waitFor();
    } catch (TimeoutException e) {
      problem = "it was not ready after " + START_SECONDS + " s";
    } catch (ExecutionException e) {
      problem = "its output cannot be read: " + e.getCause().getMessage();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      problem = "the wait for it was interrupted";
    } catch (IllegalArgumentException e) {
      problem = e.getMessage();
    }
    process.destroyForcibly();
    throw new IllegalStateException("Vaquita did not start: " + problem + ".\nCommand: " + String.join(" ", command) + "\n" + lastLines(log));
  }

  /** Returns what the server said of itself when it was ready. */
  Map<String, Object> ready() {
    return ready;
  }

  boolean isAlive() {
    return process.isAlive();
  }

  Path log() {
    return log;
  }

  String lastLines() {
    return lastLines(log);
  }

  private static String lastLines(Path log) {
    try {
      List<String> lines = new ArrayList<>(java.util.Arrays.asList(
          new String(Files.readAllBytes(log), StandardCharsets.UTF_8).split("\n")));
      int from = Math.max(0, lines.size() - LAST_LINES);
      return "Last lines of its log, " + log + ":\n" + String.join("\n", lines.subList(from, lines.size()));
    } catch (IOException e) {
      return "Its log cannot be read: " + e.getMessage();
    }
  }

  /** Ends the server; it takes some milliseconds. Nothing happens if it has ended. */
  void stop() {
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      // It has ended already.
    }
    try {
      if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) process.destroyForcibly().waitFor();
    } catch (InterruptedException e) {  // its input has ended, so it ends by itself, and removes its data
      Thread.currentThread().interrupt();
    }
  }
}
