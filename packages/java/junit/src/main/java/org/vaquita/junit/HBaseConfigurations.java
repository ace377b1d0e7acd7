package org.vaquita.junit;

import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;

/** Configurations of the HBase client that the class path has. Apart, for tests without one use the rest of this package. */
final class HBaseConfigurations {
  private HBaseConfigurations() {}

  static Configuration create(Map<String, String> properties) {
    Configuration configuration = HBaseConfiguration.create();
    properties.forEach(configuration::set);
    return configuration;
  }
}
