#include "server/master/balancer/initial_assignment.h"

#include <string>
#include <unordered_map>

#include "absl/strings/ascii.h"
#include "server/master/balancer/dice.h"

namespace vaquita::balancer {

std::vector<ServerIndex> AssignRoundRobin(size_t regions, size_t servers, uint64_t seed) {
  std::vector<ServerIndex> assigned(regions, kNone);
  if (servers == 0) return assigned;
  const size_t first = Dice(seed).Below(servers);
  for (size_t i = 0; i < regions; ++i) assigned[i] = static_cast<ServerIndex>((first + i) % servers);
  return assigned;
}

std::vector<ServerIndex> AssignRetained(const std::vector<ServerName>& was, const std::vector<ServerName>& servers,
                                        uint64_t seed) {
  std::vector<ServerIndex> assigned(was.size(), kNone);
  if (servers.empty()) return assigned;
  std::unordered_map<std::string, std::vector<ServerIndex>> by_host;
  for (size_t i = 0; i < servers.size(); ++i) {
    by_host[absl::AsciiStrToLower(servers[i].host)].push_back(static_cast<ServerIndex>(i));
  }
  Dice dice(seed);
  for (size_t i = 0; i < was.size(); ++i) {
    const auto there = by_host.find(absl::AsciiStrToLower(was[i].host));
    if (there != by_host.end()) {
      for (const ServerIndex candidate : there->second) {
        if (there->second.size() == 1 || servers[candidate].port == was[i].port) assigned[i] = candidate;
      }
    }
    if (assigned[i] == kNone) assigned[i] = static_cast<ServerIndex>(dice.Below(servers.size()));
  }
  return assigned;
}

}  // namespace vaquita::balancer
