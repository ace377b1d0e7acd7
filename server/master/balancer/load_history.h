// server/master/balancer/load_history.h: each region's last reports, and its load by them.
//
// Requests and the memstore's growth are rates between reports; a counter that fell was reset, because the region
// moved, and counts from 0. Store files are an average. Source: StochasticLoadBalancer.updateRegionLoad,
// CostFromRegionLoadAsRateFunction (2.6), which divides by the number of reports instead of the time between them.
// Threads: one at a time.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

#include "absl/container/flat_hash_map.h"
#include "server/master/balancer/cluster_picture.h"

namespace vaquita::balancer {

struct RegionReport {
  int64_t time_ms = 0;
  int64_t read_requests = 0;
  int64_t write_requests = 0;
  int64_t store_bytes = 0;
  int64_t memstore_bytes = 0;
};

class LoadHistory {
 public:
  // hbase.master.balancer.stochastic.numRegionLoadsToRemember, HBase's default.
  static constexpr size_t kReportsKept = 15;

  // Adds a report, unless it is not later than the region's last.
  void Add(std::string_view region, const RegionReport& report);
  // Forgets regions without a report since `time_ms`.
  void ForgetBefore(int64_t time_ms);
  // Returns the region's load; zero if it never reported.
  RegionLoad Of(std::string_view region) const;

 private:
  absl::flat_hash_map<std::string, std::deque<RegionReport>> reports_;
};

}  // namespace vaquita::balancer
