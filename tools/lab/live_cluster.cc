#include "tools/lab/live_cluster.h"

#include <cstdlib>

#include "CLI/CLI.hpp"
#include "base/status.h"
#include "tools/connection/open_for_tool.h"

namespace vaquita {

absl::StatusOr<std::string> LiveCluster::Address() const {
  if (!quorum.empty()) return "hbase://" + quorum;
  if (!address.empty()) return address;
  if (const char* const usual = std::getenv(kAddressVariable); usual != nullptr) return usual;
  return absl::InvalidArgumentError(
      "no cluster: give --address HOST:PORT or --quorum HOST[:2181], or set VAQUITA_ADDRESS");
}

absl::StatusOr<std::shared_ptr<client::Connection>> LiveCluster::Connect() const {
  VAQUITA_ASSIGN_OR_RETURN(const std::string known, Address());
  return OpenForTool(known);
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
