package org.apache.phoenix.jdbc;

import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Properties;
import java.util.logging.Logger;

/**
 * Takes the place of Phoenix's thick driver, for programs that name it: <code>jdbc:phoenix:HOST[,HOST...][:PORT[:/ZNODE]]</code>
 * connects by Phoenix's thin driver to the query server of the first host. Its port is {@value #PORT}, or that of the
 * property, of the connection or the system, {@value #PORT_PROPERTY}. What a thick URL says of ZooKeeper has no effect.
 */
public final class PhoenixDriver implements Driver {
  public static final String PORT_PROPERTY = "phoenix.queryserver.http.port";
  static final int PORT = 8765;
  private static final String PREFIX = "jdbc:phoenix:";
  private static final String THIN = "jdbc:phoenix:thin:";
  private static final int MAJOR_VERSION = 5;
  private static final int MINOR_VERSION = 2;

  static {
    try {
      DriverManager.registerDriver(new PhoenixDriver());
    } catch (SQLException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Returns the thin driver's URL for a thick one. */
  static String thinUrl(String url, Properties properties) throws SQLException {
    String rest = url.substring(PREFIX.length());
    int options = rest.indexOf(';');
    String quorum = options < 0 ? rest : rest.substring(0, options);
    String host = quorum.split("[:,]", 2)[0];
    if (host.isEmpty()) {
      host = "localhost";
    }
    String port = properties == null ? null : properties.getProperty(PORT_PROPERTY);
    if (port == null) {
      port = System.getProperty(PORT_PROPERTY, String.valueOf(PORT));
    }
    if (!port.matches("[0-9]{1,5}")) {
      throw new SQLException(PORT_PROPERTY + " = \"" + port + "\": must be a port");
    }
    return THIN + "url=http://" + host + ":" + port + ";serialization=PROTOBUF";
  }

  @Override
  public boolean acceptsURL(String url) {
    return url != null && url.startsWith(PREFIX) && !url.startsWith(THIN);
  }

  @Override
  public Connection connect(String url, Properties properties) throws SQLException {
    if (!acceptsURL(url)) {
      return null;
    }
    return new org.apache.phoenix.queryserver.client.Driver().connect(thinUrl(url, properties), properties);
  }

  @Override
  public DriverPropertyInfo[] getPropertyInfo(String url, Properties properties) {
    return new DriverPropertyInfo[0];
  }

  @Override
  public int getMajorVersion() {
    return MAJOR_VERSION;
  }

  @Override
  public int getMinorVersion() {
    return MINOR_VERSION;
  }

  @Override
  public boolean jdbcCompliant() {
    return false;
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    throw new SQLFeatureNotSupportedException();
  }
}
