// client/cluster.h: what the tables, scanners, mutators and the administration of one connection share, and keep alive.
//
// Threads: as its members: any.
#pragma once

#include "client/connection.h"
#include "client/region_locator.h"
#include "client/server_link.h"

namespace vaquita::client {

struct Cluster {
  explicit Cluster(const ConnectionOptions& o) : options(o), link(o), locator(&link) {}

  const ConnectionOptions options;
  ServerLink link;
  RegionLocator locator;
};

}  // namespace vaquita::client
