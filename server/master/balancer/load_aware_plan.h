// server/master/balancer/load_aware_plan.h: the plan that looks at what regions ask of their servers, too.
//
// From where regions are it tries changes, and keeps those that lower the weighted sum of the costs (cluster_costs.h).
// At the end, a region whose move no longer pays goes back. So the cost never rises, and the plan is the difference
// between the first placement and the last. It is made if counts ask for it (count_check.h), if the cost is above
// minCostNeedBalance, or if a server is a hotspot (load_aware_settings.h).
// Source: StochasticLoadBalancer (2.6).
#pragma once

#include "server/master/balancer/balance_plan.h"
#include "server/master/balancer/cluster_picture.h"
#include "server/master/balancer/load_aware_settings.h"

namespace vaquita::balancer {

BalancePlan MakeLoadAwarePlan(const ClusterPicture& picture, const LoadAwareSettings& settings);

}  // namespace vaquita::balancer
