// tools/client_config_command.h: `vaquita client-config`: an hbase-site.xml by which HBase's clients find a running
// server.
#pragma once

#include <string>

namespace vaquita {

// Prints an hbase-site.xml for the server that wrote `ready_file`. Returns the exit code: 0, or 1 after one line on
// standard error.
int PrintClientConfig(const std::string& ready_file);

}  // namespace vaquita
