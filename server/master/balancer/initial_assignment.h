// server/master/balancer/initial_assignment.h: chooses servers for regions that have none: at the cluster's start, of
// new tables, of dead servers.
//
// Results have a server's index for each region, or kNone for all without servers. They depend on the arguments and the
// seed alone. Source: BaseLoadBalancer (2.6).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/server_name.h"
#include "server/master/balancer/cluster_picture.h"

namespace vaquita::balancer {

// Assigns regions to servers in turn, from a random server on, so that their numbers differ by one at most.
std::vector<ServerIndex> AssignRoundRobin(size_t regions, size_t servers, uint64_t seed);

// Assigns each region at random; to empty servers if there are any. `counts` has each server's number of regions.
std::vector<ServerIndex> AssignRandomly(size_t regions, const std::vector<int32_t>& counts, uint64_t seed);

struct RetainedAssignment {
  std::vector<ServerIndex> servers;
  size_t retained = 0;
  std::vector<std::string> missing_hosts;  // hosts that had regions and have no server now; each once, by name
};

// `was` has the former server of each region by meta, or nullopt. A region goes to a server on the same host, with any
// start code; if that host has several, to the one with the same port; otherwise to a random server.
RetainedAssignment AssignRetained(const std::vector<std::optional<ServerName>>& was,
                                  const std::vector<ServerName>& servers, uint64_t seed);

}  // namespace vaquita::balancer
