// server/master/balancer/balancer_conditions.h: when the balancer does not run.
//
// Source: HMaster.balance, skipRegionManagementAction (2.6).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "model/balance_request.h"
#include "server/master/balancer/cluster_picture.h"

namespace vaquita::balancer {

struct BalancerConditions {
  bool switched_on = true;
  bool initialized = true;
  bool shutting_down = false;
  std::vector<std::string> regions_in_transition;  // their names
  bool meta_in_transition = false;
  std::vector<std::string> dead_servers;  // whose regions are being recovered
};

// What keeps it from running.
enum class BalancerObstacle { kNone, kSwitchedOff, kNotInitialized, kShuttingDown, kRegionsInTransition, kDeadServers };
inline constexpr size_t kBalancerObstacles = 6;
std::string_view BalancerObstacleName(BalancerObstacle obstacle);  // "switched_off"
BalancerObstacle ObstacleOf(const BalancerConditions& conditions, const BalanceRequest& request);

// Why it does not run, as HBase logs it; empty: it runs. HBase answers such a request with balancer_ran false.
std::string WhyBalancerDoesNotRun(const BalancerConditions& conditions, const BalanceRequest& request);

// Why it runs and plans nothing whatever regions ask for; empty: it looks for a plan. One server, or one region or less
// a server on average.
std::string WhyNothingToBalance(const ClusterPicture& picture);

}  // namespace vaquita::balancer
