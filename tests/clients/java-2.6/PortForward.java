package vaquita.clients;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicInteger;

/** A port of this process whose connections go to another. */
final class PortForward implements AutoCloseable {
  private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final AtomicInteger connections = new AtomicInteger();

  PortForward(String target) throws IOException {
    int colon = target.lastIndexOf(':');
    String host = target.substring(0, colon);
    int port = Integer.parseInt(target.substring(colon + 1));
    start(() -> {
      while (true) {
        Socket client = listener.accept();
        Socket server = new Socket(host, port);
        connections.incrementAndGet();
        start(() -> copy(client, server));
        start(() -> copy(server, client));
      }
    });
  }

  String address() {
    return "127.0.0.1:" + listener.getLocalPort();
  }

  int connections() {
    return connections.get();
  }

  private static void copy(Socket from, Socket to) throws IOException {
    try (from; to; InputStream in = from.getInputStream(); OutputStream out = to.getOutputStream()) {
      in.transferTo(out);
    }
  }

  private interface Body {
    void run() throws IOException;
  }

  private static void start(Body body) {
    Thread thread = new Thread(() -> {
      try {
        body.run();
      } catch (IOException ended) {
        // One of both sides has closed.
      }
    });
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }
}
