package org.vaquita.junit;

import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/**
 * Vaquita in the shape of HBase's TestingHBaseCluster: create, start, getConf, stop. What asks for a number of servers is not here; a
 * cluster is one process.
 */
public final class VaquitaCluster implements AutoCloseable {
  private final Map<String, String> properties;
  private Vaquita vaquita;

  private VaquitaCluster(Map<String, String> properties) {
    this.properties = properties;
  }

  public static VaquitaCluster create() {
    return new VaquitaCluster(new LinkedHashMap<>());
  }

  /** With properties as hbase-site.xml has them. */
  public static VaquitaCluster create(Map<String, String> properties) {
    return new VaquitaCluster(new LinkedHashMap<>(properties));
  }

  public synchronized void start() {
    if (isHBaseClusterRunning()) throw new IllegalStateException("the cluster is running");
    vaquita = Vaquita.start(properties);
  }

  public synchronized void stop() {
    if (vaquita != null) vaquita.stop();
    vaquita = null;
  }

  /** Returns a configuration for clients. IllegalStateException before the start, for the ports are free ones. */
  public Configuration getConf() {
    return vaquita().getConf();
  }

  /** Returns the server and what a test can do with it. IllegalStateException before the start. */
  public synchronized Vaquita vaquita() {
    if (vaquita == null) throw new IllegalStateException("the cluster is not running: call start()");
    return vaquita;
  }

  public synchronized boolean isHBaseClusterRunning() {
    return vaquita != null && vaquita.isRunning();
  }

  public boolean isClusterRunning() {
    return isHBaseClusterRunning();
  }

  @Override
  public void close() {
    stop();
  }
}
