package vaquita.clients;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.HttpURLConnection;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A server of the program's own that it controls, over HTTP. It ends with this process. */
final class ControlledServer implements AutoCloseable {
  private final Process process;
  private final String ready;

  ControlledServer(String program, String... more) throws IOException {
    List<String> command = new ArrayList<>(List.of(program, "standalone", "--ephemeral", "--free-ports", "--test-control",
        "--exit-with-stdin", "--ready-line"));
    command.addAll(List.of(more));
    process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    ready = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)).readLine();
    if (ready == null) throw new IOException("the server did not start");
  }

  /** A text of the ready line. */
  String text(String key) {
    return texts(key, ready).get(0);
  }

  /** Asks for an operation; the answer, or the error with its status. */
  String ask(String method, String operation, String body) throws IOException {
    HttpURLConnection connection = (HttpURLConnection) new URL(text("test_control") + "/" + operation).openConnection();
    connection.setRequestMethod(method);
    if (!body.isEmpty()) {
      connection.setDoOutput(true);
      connection.getOutputStream().write(body.getBytes(StandardCharsets.UTF_8));
    }
    int status = connection.getResponseCode();
    try (InputStream in = status == 200 ? connection.getInputStream() : connection.getErrorStream()) {
      String answer = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return status == 200 ? answer : status + " " + answer;
    }
  }

  String post(String operation, String body) throws IOException {
    String answer = ask("POST", operation, body.replace('\'', '"'));
    if (!answer.startsWith("{")) throw new IOException(operation + ": " + answer);
    return answer;
  }

  /** What the server answered to the calls of a method on table t since it was last reset. */
  List<String> results(String method) throws IOException {
    return texts("result", ask("GET", "calls?table=t&method=" + method, ""));
  }

  /** All texts of a key, in order. */
  static List<String> texts(String key, String json) {
    Matcher matcher = Pattern.compile("\"" + key + "\":\"((?:[^\"\\\\]|\\\\.)*)\"").matcher(json);
    List<String> texts = new ArrayList<>();
    while (matcher.find()) texts.add(matcher.group(1));
    return texts;
  }

  @Override
  public void close() throws IOException {
    process.getOutputStream().close();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
