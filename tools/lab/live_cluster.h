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
  // Returns the cluster's address (client/connection.h). If neither is set it is VAQUITA_ADDRESS, or else that of a
  // server on this machine, as for the other tools.
  std::string Address() const;
  absl::StatusOr<std::shared_ptr<client::Connection>> Connect() const;
};

// --address and --quorum.
void AddLiveOptions(CLI::App* command, LiveCluster* cluster);

}  // namespace vaquita
