// server/master/balancer/move_reasons.h: explains in a short sentence why the load-aware plan moves a region.
#pragma once

#include <string>

#include "server/master/balancer/balance_plan.h"
#include "server/master/balancer/cluster_costs.h"

namespace vaquita::balancer {

struct MoveReason {
  double gain = 0;  // the fall of the cost by this move alone; below 0 for a move in exchange
  std::string text;
};

// Returns the reason by the cost that the move alone would lower most. `before` has the present costs.
MoveReason ReasonOf(const ClusterPicture& picture, const ClusterCosts& before, const RegionMove& move);

}  // namespace vaquita::balancer
