// model/balancer_record.h: a master's records of the balancer's runs.
//
// Source: BalancerDecision, BalancerRejection (2.6).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace vaquita {

// A plan with moves. A cost is a function's weighted one; the sums are shares of the worst.
struct BalancerDecision {
  std::string costs_before;  // "RegionCountSkewCostFunction : 12.5; ..."
  std::string costs_after;
  double cost_before = 0;
  double cost_after = 0;
  int64_t steps = 0;               // changes that were tried
  std::vector<std::string> moves;  // "table: t , region: NAME , source: SERVER , destination: SERVER"

  friend bool operator==(const BalancerDecision&, const BalancerDecision&) = default;
};

// A run without a plan.
struct BalancerRejection {
  std::string reason;
  std::vector<std::string> costs;  // "RegionCountSkewCostFunction cost:0.1 multiplier:500"

  friend bool operator==(const BalancerRejection&, const BalancerRejection&) = default;
};

}  // namespace vaquita
