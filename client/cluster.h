// client/cluster.h: what the tables, scanners, mutators and the administration of one connection share, and keep alive.
//
// Threads: as its members: any.
#pragma once

#include <memory>
#include <utility>

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

}  // namespace vaquita::client
