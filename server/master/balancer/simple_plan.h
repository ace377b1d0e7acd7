// server/master/balancer/simple_plan.h: the plan by numbers of regions alone.
//
// With `least` = regions / servers and `most` = `least`, or one more if there is a remainder, servers with more than
// `most` give and those with less than `least` take: 17, 4 and 29 regions become 17, 16 and 17 with 12 moves. No plan
// that leaves every server with least to most regions has fewer moves. A server gives its newest regions first. They go
// to the takers in turn, those with the fewest regions first, so that neighbours are spread. By table, each table is
// levelled by itself; ties go by the servers' regions of all tables, and at the end the servers' totals are levelled as
// far as each table stays within its least and most.
// Source: SimpleLoadBalancer (2.6), which shuffles the takers, and whose last step (balanceOverall) moves more regions
// than needed when all tables are taken together: this one leaves it out there.
#pragma once

#include "server/master/balancer/balance_plan.h"
#include "server/master/balancer/cluster_picture.h"

namespace vaquita::balancer {

struct SimplePlanSettings {
  bool by_table = false;  // hbase.master.loadbalance.bytable
  double slop = 0.2;      // hbase.regions.slop
  double overall_slop =
      0.2;  // hbase.regions.overallSlop: for the servers' totals, by table; HBase's default is the slop
};

// REQUIRES: WhyNothingToBalance(picture) is empty.
BalancePlan MakeSimplePlan(const ClusterPicture& picture, const SimplePlanSettings& settings);

}  // namespace vaquita::balancer
