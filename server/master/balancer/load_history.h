// server/master/balancer/load_history.h: each region's last reports, and what they say it asks of its server.
//
// Requests and the memstore's growth are rates between reports; a counter that fell was reset (the region moved), and
// counts from 0. Store files are an average. Source: StochasticLoadBalancer.updateRegionLoad,
// CostFromRegionLoadAsRateFunction (2.6), which divides by the number of reports instead of the time between them.
// Threads: none of its own, and not to be shared.
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

  // A report that is not later than the region's last is left out.
  void Add(std::string_view region, const RegionReport& report);
  // Forgets regions of which nothing came since `time_ms`.
  void ForgetBefore(int64_t time_ms);
  // Of a region that never reported: nothing.
  RegionLoad Of(std::string_view region) const;

 private:
  absl::flat_hash_map<std::string, std::deque<RegionReport>> reports_;
};

}  // namespace vaquita::balancer
