#include "tools/lab/live_cluster.h"

#include "CLI/CLI.hpp"

namespace vaquita {

absl::StatusOr<std::shared_ptr<client::Connection>> LiveCluster::Connect() const {
  if (!IsSet()) return absl::InvalidArgumentError("no cluster: give --address HOST:PORT or --quorum HOST[:2181]");
  client::ConnectionOptions options;
  options.address = quorum.empty() ? address : "hbase://" + quorum;
  return client::Connection::Open(options);
}

void AddLiveOptions(CLI::App* command, LiveCluster* cluster) {
  auto* address = command->add_option("--address", cluster->address,
                                      "A running server: host:port of its gRPC, hbase-rpc://SERVER:16020 or "
                                      "hbase://QUORUM:2181");
  command
      ->add_option("--quorum", cluster->quorum,
                   "A running cluster, Vaquita's or HBase's, by its ZooKeeper: host[:2181]")
      ->excludes(address);
}

}  // namespace vaquita
