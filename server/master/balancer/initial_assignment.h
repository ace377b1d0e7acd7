// server/master/balancer/initial_assignment.h: where regions go that are nowhere: at the cluster's start, of new
// tables, of servers that died.
//
// Answers name servers by their index in what was given, region by region; kNone for all if there is no server. The
// same seed gives the same answer. Source: BaseLoadBalancer (2.6).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/server_name.h"
#include "server/master/balancer/cluster_picture.h"

namespace vaquita::balancer {

// One after the other, from a random server on: each server gets as many as another, give or take one.
std::vector<ServerIndex> AssignRoundRobin(size_t regions, size_t servers, uint64_t seed);

// Each at random; on servers without a region if there are some. `counts`: how many regions each server has.
std::vector<ServerIndex> AssignRandomly(size_t regions, const std::vector<int32_t>& counts, uint64_t seed);

struct RetainedAssignment {
  std::vector<ServerIndex> servers;
  size_t retained = 0;
  std::vector<std::string> missing_hosts;  // that had regions and have no server now; each once, by name
};

// `was`: where each region was, as meta has it; nothing for one that was nowhere. It goes to the server of the same
// host, whatever its start code; of several on that host to the one of the same port; else to one at random.
RetainedAssignment AssignRetained(const std::vector<std::optional<ServerName>>& was,
                                  const std::vector<ServerName>& servers, uint64_t seed);

}  // namespace vaquita::balancer
