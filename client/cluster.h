// client/cluster.h: the objects that the tables, scanners, mutators and the administration of one connection share and
// keep alive.
//
// Threads: any.
#pragma once

#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "client/connection.h"
#include "client/region_locator.h"
#include "client/server_link.h"

namespace vaquita::client {

struct Cluster {
  Cluster(ConnectionOptions o, std::unique_ptr<ServerLink> l)
      : options(std::move(o)), link(std::move(l)), locator(link.get()) {}

  const ConnectionOptions options;
  const std::unique_ptr<ServerLink> link;
  RegionLocator locator;
};

// Makes a connection by `link`. Fails if no server answers within the RPC timeout.
absl::StatusOr<std::shared_ptr<Connection>> Connect(const ConnectionOptions& options, std::unique_ptr<ServerLink> link);

}  // namespace vaquita::client
