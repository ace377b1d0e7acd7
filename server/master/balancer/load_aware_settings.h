// server/master/balancer/load_aware_settings.h: the weights of the load-aware plan, with HBase's names and defaults.
//
// Names are those behind hbase.master.balancer.stochastic. unless a comment says another. Two settings of HBase have no
// effect: the off-peak cost of moves, and maxRunningTime, because steps bound the plan, so that a slow machine finds
// the same plan. Source: StochasticLoadBalancer and its cost functions (2.6).
#pragma once

#include <cstdint>

namespace vaquita::balancer {

struct LoadAwareSettings {
  bool by_table = false;  // hbase.master.loadbalance.bytable
  double slop = 0.2;      // hbase.regions.slop

  double region_count_cost = 500;   // regionCountCost
  double table_skew_cost = 35;      // tableSkewCost
  double move_cost = 7;             // moveCost
  double read_request_cost = 5;     // readRequestCost
  double write_request_cost = 5;    // writeRequestCost
  double memstore_size_cost = 5;    // memstoreSizeCost
  double store_file_size_cost = 5;  // storefileSizeCost
  // All servers reach all files alike, so these two costs are 0 on every server; their weights count, as in HBase if
  // all files are local.
  double locality_cost = 25;       // localityCost
  double rack_locality_cost = 15;  // rackLocalityCost

  double max_move_percent = 1.0;         // maxMovePercent: a share of the regions; 600 may move in any case
  double min_cost_need_balance = 0.025;  // minCostNeedBalance
  int64_t steps_per_region = 800;        // stepsPerRegion: candidates tried for each region and server, ...
  int64_t max_steps = 1'000'000;         // maxSteps: ... but not more than these
  bool run_max_steps = false;            // runMaxSteps: the larger of the two instead of the smaller

  // With HBase's weights, requests that go to one server alone never reach minCostNeedBalance. So a server that takes
  // this many times the average of all reads or writes, and at least so many a second, asks for a balance too.
  double hotspot_ratio = 1.5;       // vaquita.balancer.hotspot.ratio
  double hotspot_requests = 1'000;  // vaquita.balancer.hotspot.requests

  uint64_t seed = 1;  // equal seeds and pictures give equal plans
};

}  // namespace vaquita::balancer
