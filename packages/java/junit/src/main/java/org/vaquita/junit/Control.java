package org.vaquita.junit;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** The server's control over HTTP (docs/test-control.md). */
final class Control {
  private static final int CONNECT_MS = 10_000;
  private static final int ANSWER_MS = 600_000;

  private final String url;

  Control(String url) {
    this.url = url;
  }

  /** Returns the answer. VaquitaException has the server's own message if it refuses. */
  Map<String, Object> call(String method, String operation, Map<String, ?> request) {
    try {
      HttpURLConnection connection = (HttpURLConnection) new URL(url + "/" + operation).openConnection(java.net.Proxy.NO_PROXY);
      connection.setRequestMethod(method);
      connection.setConnectTimeout(CONNECT_MS);
      connection.setReadTimeout(ANSWER_MS);
      if (request != null) {
        byte[] body = Json.write(request).getBytes(StandardCharsets.UTF_8);
        connection.setDoOutput(true);
        connection.setRequestProperty("Content-Type", "application/json");
        connection.setFixedLengthStreamingMode(body.length);  // else the JDK sends it again if the answer is lost
        try (OutputStream out = connection.getOutputStream()) {
          out.write(body);
        }
      }
      int status = connection.getResponseCode();
      String body = read(status < 400 ? connection.getInputStream() : connection.getErrorStream());
      if (status < 400) return Json.parseObject(body);
      throw new VaquitaException(operation + ": " + error(body, status));
    } catch (IOException e) {
      throw new VaquitaException(operation + ": " + url + ": " + e, e);
    }
  }

  private static String error(String body, int status) {
    try {
      Object error = Json.parseObject(body).get("error");
      if (error != null) return error.toString();
    } catch (IllegalArgumentException e) {
      // The body itself says more in this case.
    }
    return "HTTP status " + status + (body.isEmpty() ? "" : ": " + body);
  }

  private static String read(InputStream in) throws IOException {
    if (in == null) return "";
    try (InputStream body = in) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      byte[] buffer = new byte[8192];
      for (int n = body.read(buffer); n >= 0; n = body.read(buffer)) out.write(buffer, 0, n);
      return new String(out.toByteArray(), StandardCharsets.UTF_8);
    }
  }
}
