#include "server/master/balancer/balancer_conditions.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace vaquita::balancer {
namespace {

constexpr size_t kMostRegionsNamed = 5;

std::string InTransition(const BalancerConditions& conditions) {
  const std::vector<std::string>& regions = conditions.regions_in_transition;
  const auto end = regions.begin() + static_cast<std::ptrdiff_t>(std::min(regions.size(), kMostRegionsNamed));
  return absl::StrCat(
      "Not running balancer (ignoreRIT=false, metaRIT=", conditions.meta_in_transition ? "true" : "false", ") because ",
      regions.size(), " region(s) in transition: [", absl::StrJoin(regions.begin(), end, ", "), "]",
      regions.size() > kMostRegionsNamed ? "(truncated list)" : "");
}

}  // namespace

std::string_view BalancerObstacleName(BalancerObstacle obstacle) {
  switch (obstacle) {
    case BalancerObstacle::kNone:
      return "none";
    case BalancerObstacle::kSwitchedOff:
      return "switched_off";
    case BalancerObstacle::kNotInitialized:
      return "not_initialized";
    case BalancerObstacle::kShuttingDown:
      return "shutting_down";
    case BalancerObstacle::kRegionsInTransition:
      return "regions_in_transition";
    case BalancerObstacle::kDeadServers:
      return "dead_servers";
  }
  return "";
}

BalancerObstacle ObstacleOf(const BalancerConditions& conditions, const BalanceRequest& request) {
  if (!conditions.switched_on && !request.dry_run) return BalancerObstacle::kSwitchedOff;
  if (!conditions.initialized) return BalancerObstacle::kNotInitialized;
  if (conditions.shutting_down) return BalancerObstacle::kShuttingDown;
  // While meta moves, no move of another region could be written down.
  if (!conditions.regions_in_transition.empty() &&
      (!request.ignore_regions_in_transition || conditions.meta_in_transition)) {
    return BalancerObstacle::kRegionsInTransition;
  }
  return conditions.dead_servers.empty() ? BalancerObstacle::kNone : BalancerObstacle::kDeadServers;
}

std::string WhyBalancerDoesNotRun(const BalancerConditions& conditions, const BalanceRequest& request) {
  switch (ObstacleOf(conditions, request)) {
    case BalancerObstacle::kNone:
      return "";
    case BalancerObstacle::kSwitchedOff:
      return "Not running balancer because it is switched off";
    case BalancerObstacle::kNotInitialized:
      return "Master has not been initialized, don't run balancer.";
    case BalancerObstacle::kShuttingDown:
      return "Cluster is shutting down, don't run balancer.";
    case BalancerObstacle::kRegionsInTransition:
      return InTransition(conditions);
    case BalancerObstacle::kDeadServers:
      return absl::StrCat("Not running balancer because processing dead regionserver(s): [",
                          absl::StrJoin(conditions.dead_servers, ", "), "]");
  }
  return "";
}

std::string WhyNothingToBalance(const ClusterPicture& picture) {
  if (picture.servers.size() < 2) {
    return absl::StrCat("Not running balancer because only ", picture.servers.size(), " active regionserver(s)");
  }
  if (picture.regions.size() <= picture.servers.size()) {
    return absl::StrCat("Nothing to balance: ", picture.regions.size(), " regions on ", picture.servers.size(),
                        " servers, one or less each on average");
  }
  return "";
}

}  // namespace vaquita::balancer
