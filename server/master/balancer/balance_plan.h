// server/master/balancer/balance_plan.h: what a balancer wants to move, and why.
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
  std::string verdict;            // one sentence: why there is a plan, or why there is none
  // The load-aware plan's costs, weighted, as a share of the highest: 0 is the best, 1 the worst. Of all tables
  // together when it was made table by table.
  double imbalance_before = 0;
  double imbalance_after = 0;
};

// The plan for people: its verdict, a line a move, and each server's number of regions before and after.
std::string PlanText(const ClusterPicture& picture, const BalancePlan& plan);

// The servers' numbers of regions once the plan is carried out.
std::vector<int32_t> RegionCountsAfter(const ClusterPicture& picture, const BalancePlan& plan);

}  // namespace vaquita::balancer
