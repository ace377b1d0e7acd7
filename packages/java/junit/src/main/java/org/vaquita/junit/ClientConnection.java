package org.vaquita.junit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/** The one connection that tests share, opened when it is first wanted: to open one takes a hundred times as long as a reset. */
final class ClientConnection {
  private final Vaquita vaquita;
  private Connection connection;

  ClientConnection(Vaquita vaquita) {
    this.vaquita = vaquita;
  }

  synchronized Connection get() {
    try {
      if (connection == null || connection.isClosed()) connection = ConnectionFactory.createConnection(vaquita.getConf());
      return connection;
    } catch (IOException e) {
      throw new UncheckedIOException("no connection to " + vaquita + "\n" + vaquita.lastLogLines(), e);
    }
  }

  /**
   * The regions that the client knows are gone. It would learn that from the first answers, after a pause. HBase 2 has a method for it
   * in the interface since 2.3, earlier ones in the class behind it.
   */
  synchronized void forgetLocations() {
    if (connection == null) return;
    for (String name : new String[] {"clearRegionLocationCache", "clearRegionCache"}) {
      try {
        Method method = connection.getClass().getMethod(name);
        method.setAccessible(true);
        method.invoke(connection);
        return;
      } catch (ReflectiveOperationException | RuntimeException e) {
        // Another version, then; without any of them the client asks again by itself.
      }
    }
  }

  synchronized void close() {
    if (connection == null) return;
    try {
      connection.close();
    } catch (IOException e) {
      // Nothing of it is used any more.
    }
    connection = null;
  }
}
