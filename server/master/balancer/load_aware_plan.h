// server/master/balancer/load_aware_plan.h: the plan that also weighs the load of regions.
//
// From the present placement it tries changes, and keeps those that lower the weighted sum of the costs
// (cluster_costs.h). At the end, moves that no longer pay are taken back. So the cost never rises, and the plan is the
// difference between the first placement and the last. It is made if counts ask for it (count_check.h), if the cost is
// above minCostNeedBalance, or if a server is a hotspot (load_aware_settings.h).
// Source: StochasticLoadBalancer (2.6).
#pragma once

#include "server/master/balancer/balance_plan.h"
#include "server/master/balancer/cluster_picture.h"
#include "server/master/balancer/load_aware_settings.h"

namespace vaquita::balancer {

// REQUIRES: WhyNothingToBalance(picture) is empty.
BalancePlan MakeLoadAwarePlan(const ClusterPicture& picture, const LoadAwareSettings& settings);

}  // namespace vaquita::balancer
