#include "server/master/balancer/initial_assignment.h"

#include <set>
#include <unordered_map>
#include <utility>

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

std::vector<ServerIndex> AssignRandomly(size_t regions, const std::vector<int32_t>& counts, uint64_t seed) {
  std::vector<ServerIndex> assigned(regions, kNone);
  if (counts.empty()) return assigned;
  std::vector<ServerIndex> idle;
  for (size_t server = 0; server < counts.size(); ++server) {
    if (counts[server] == 0) idle.push_back(static_cast<ServerIndex>(server));
  }
  Dice dice(seed);
  for (ServerIndex& server : assigned) {
    if (idle.empty()) {
      server = static_cast<ServerIndex>(dice.Below(counts.size()));
      continue;
    }
    ServerIndex& pick = idle[dice.Below(idle.size())];
    server = std::exchange(pick, idle.back());
    idle.pop_back();
  }
  return assigned;
}

RetainedAssignment AssignRetained(const std::vector<std::optional<ServerName>>& was,
                                  const std::vector<ServerName>& servers, uint64_t seed) {
  RetainedAssignment assignment{.servers = std::vector<ServerIndex>(was.size(), kNone)};
  if (servers.empty()) return assignment;
  std::unordered_map<std::string, std::vector<ServerIndex>> by_host;
  for (size_t i = 0; i < servers.size(); ++i) {
    by_host[absl::AsciiStrToLower(servers[i].host)].push_back(static_cast<ServerIndex>(i));
  }
  Dice dice(seed);
  std::set<std::string> missing;
  for (size_t i = 0; i < was.size(); ++i) {
    ServerIndex& server = assignment.servers[i];
    if (was[i]) {
      const std::string host = absl::AsciiStrToLower(was[i]->host);
      const auto there = by_host.find(host);
      if (there == by_host.end()) {
        missing.insert(host);
      } else if (there->second.size() == 1) {
        server = there->second.front();
      } else {
        for (const ServerIndex candidate : there->second) {
          if (servers[candidate].port == was[i]->port) server = candidate;
        }
      }
    }
    if (server == kNone) {
      server = static_cast<ServerIndex>(dice.Below(servers.size()));
    } else {
      ++assignment.retained;
    }
  }
  assignment.missing_hosts.assign(missing.begin(), missing.end());
  return assignment;
}

}  // namespace vaquita::balancer
