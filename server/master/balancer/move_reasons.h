// server/master/balancer/move_reasons.h: why the load-aware plan moves a region, in a short sentence.
#pragma once

#include <string>

#include "server/master/balancer/balance_plan.h"
#include "server/master/balancer/cluster_costs.h"

namespace vaquita::balancer {

struct MoveReason {
  double gain = 0;  // what the cost would fall by if this move alone were made; below 0 for one made in exchange
  std::string text;
};

// By the cost that the move, alone, would lower most. `before`: the costs of where regions are now.
MoveReason ReasonOf(const ClusterPicture& picture, const ClusterCosts& before, const RegionMove& move);

}  // namespace vaquita::balancer
