// tools/lab/live_cluster.h: the options of the laboratory's verbs for a running cluster of Vaquita or HBase.
#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "client/connection.h"

namespace CLI {
class App;
}

namespace vaquita {

struct LiveCluster {
  std::string address;  // client/connection.h's forms; empty: none
  std::string quorum;   // hosts of a ZooKeeper, as hbase.zookeeper.quorum has them; empty: none

  bool IsSet() const { return !address.empty() || !quorum.empty(); }
  // Returns the cluster's address (client/connection.h), or InvalidArgument if neither is set, nor VAQUITA_ADDRESS.
  absl::StatusOr<std::string> Address() const;
  // Returns InvalidArgument if neither is set, or the connection's own error.
  absl::StatusOr<std::shared_ptr<client::Connection>> Connect() const;
};

// --address and --quorum.
void AddLiveOptions(CLI::App* command, LiveCluster* cluster);

}  // namespace vaquita
