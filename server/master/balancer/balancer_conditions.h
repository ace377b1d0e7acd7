// server/master/balancer/balancer_conditions.h: decides when the balancer does not run.
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
  std::vector<std::string> dead_servers;  // their regions are being recovered
};

// Reasons that keep it from running.
enum class BalancerObstacle { kNone, kSwitchedOff, kNotInitialized, kShuttingDown, kRegionsInTransition, kDeadServers };
inline constexpr size_t kBalancerObstacles = 6;
std::string_view BalancerObstacleName(BalancerObstacle obstacle);  // "switched_off"
BalancerObstacle ObstacleOf(const BalancerConditions& conditions, const BalanceRequest& request);

// Returns why it does not run, as HBase logs it; empty if it runs. HBase answers such a request with balancer_ran
// false.
std::string WhyBalancerDoesNotRun(const BalancerConditions& conditions, const BalanceRequest& request);

// Returns why it plans no moves under any load: one server, or at most one region per server on average. Empty if it
// looks for a plan.
std::string WhyNothingToBalance(const ClusterPicture& picture);

}  // namespace vaquita::balancer
