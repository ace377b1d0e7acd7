#include "tools/lab/live_cluster.h"

#include <cstdlib>

#include "CLI/CLI.hpp"
#include "tools/connection/open_for_tool.h"

namespace vaquita {

std::string LiveCluster::Address() const {
  if (!quorum.empty()) return "hbase://" + quorum;
  if (!address.empty()) return address;
  const char* const usual = std::getenv(kAddressVariable);
  return usual != nullptr ? usual : client::ConnectionOptions().address;
}

absl::StatusOr<std::shared_ptr<client::Connection>> LiveCluster::Connect() const { return OpenForTool(Address()); }

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
