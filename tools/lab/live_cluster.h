// tools/lab/live_cluster.h: the options by which the laboratory's verbs find a running cluster, Vaquita's or HBase's.
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
  // InvalidArgument if neither is set; the connection's own errors.
  absl::StatusOr<std::shared_ptr<client::Connection>> Connect() const;
};

// --address and --quorum.
void AddLiveOptions(CLI::App* command, LiveCluster* cluster);

}  // namespace vaquita
