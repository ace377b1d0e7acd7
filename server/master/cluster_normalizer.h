// server/master/cluster_normalizer.h: runs the normalizer: plans for each table that is normalized, and starts the
// splits and merges.
//
// The plan itself is a pure function (server/master/balancer/normalizer_plan.h). A run does not wait for the splits and
// merges that it starts. At the next run the master refuses regions that are still being split or merged. Threads: any;
// one run at a time. Source: HMaster.normalizeRegions, RegionNormalizerWorker, RegionNormalizerChore (2.6).
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/clock.h"
#include "base/options.h"
#include "model/table_name.h"

namespace vaquita {

class Master;

using RegionSizes = std::unordered_map<std::string, int64_t>;  // MB, by encoded name

// Since the master's start.
struct NormalizerCounters {
  int64_t runs = 0;
  int64_t skips_switched_off = 0;
  int64_t skips_in_transition = 0;
  int64_t splits = 0;  // started splits
  int64_t merges = 0;
  int64_t refused = 0;  // plans that the master refused
};

class ClusterNormalizer {
 public:
  // All outlive it.
  ClusterNormalizer(Master* master, const Options* options, Clock* clock)
      : master_(master), options_(options), clock_(clock) {}

  // Makes one run over those of `tables` that are enabled and normalized. Returns false if it is switched off, or if
  // regions are in transition.
  bool Run(const std::vector<TableName>& tables);
  NormalizerCounters counters() const;

 private:
  void Normalize(const TableName& table, const RegionSizes& sizes);
  void Count(int64_t NormalizerCounters::*counter);

  Master* const master_;
  const Options* const options_;
  Clock* const clock_;
  std::mutex run_mutex_;
  mutable std::mutex counters_mutex_;
  NormalizerCounters counters_;  // under counters_mutex_
};

}  // namespace vaquita
