// server/master/balancer/balance_plan.h: a balancer's moves, with their reasons.
#pragma once

#include <string>
#include <vector>

#include "server/master/balancer/cluster_picture.h"

namespace vaquita::balancer {

struct RegionMove {
  RegionIndex region = 0;
  ServerIndex from = 0;
  ServerIndex to = 0;
  std::string reason;  // with figures: "source has 29 regions (most: 17), target 4 (least: 16)"
};

struct BalancePlan {
  std::vector<RegionMove> moves;  // in the order in which to make them; a region at most once
  std::string verdict;            // one sentence: the reason for the plan, or for an empty one
  // The load-aware plan's weighted costs as a share of the highest: 0 is the best, 1 the worst. A plan by table has the
  // figures of all tables together.
  double imbalance_before = 0;
  double imbalance_after = 0;
  // For the record of the run, in HBase's words. A plan by table has those of the first table with moves, or without.
  std::string costs_before;           // the weighted cost of each function
  std::string costs_after;            // likewise
  int64_t steps = 0;                  // changes that were tried
  std::string rejection;              // why there is no plan; empty: `verdict` says it
  std::vector<std::string> weighing;  // the costs and weights that decided so
};

// Returns the plan for people: its verdict, a line for each move, and each server's number of regions before and after.
std::string PlanText(const ClusterPicture& picture, const BalancePlan& plan);

// Returns the servers' numbers of regions after the plan.
std::vector<int32_t> RegionCountsAfter(const ClusterPicture& picture, const BalancePlan& plan);

}  // namespace vaquita::balancer
