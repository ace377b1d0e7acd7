// server/master/balancer/initial_assignment.h: chooses servers for regions that have none: at the cluster's start, of
// new tables, of dead servers.
//
// Results have a server's index for each region, or kNone for all without servers. They depend on the arguments and the
// seed alone. Source: BaseLoadBalancer (2.6).
#pragma once

#include <cstdint>
#include <vector>

#include "model/server_name.h"
#include "server/master/balancer/cluster_picture.h"

namespace vaquita::balancer {

// Assigns regions to servers in turn, from a random server on, so that their numbers differ by one at most.
std::vector<ServerIndex> AssignRoundRobin(size_t regions, size_t servers, uint64_t seed);

// `was` has the former server of each region by meta. A region goes to a server on the same host, with any start code;
// if that host has several, to the one with the same port; otherwise to a random server.
std::vector<ServerIndex> AssignRetained(const std::vector<ServerName>& was, const std::vector<ServerName>& servers,
                                        uint64_t seed);

}  // namespace vaquita::balancer
