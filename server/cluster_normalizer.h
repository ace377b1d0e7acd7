// server/cluster_normalizer.h: runs the normalizer: plans for each table that is normalized, and starts the splits and
// merges.
//
// The plan itself is a pure function (server/balancer/normalizer_plan.h). A run does not wait for what it starts; a
// region that is still being split or merged at the next run is refused by the master. Threads: any; one run at a time.
// Source: HMaster.normalizeRegions, RegionNormalizerWorker, RegionNormalizerChore (2.6).
#pragma once

#include <mutex>
#include <vector>

#include "engine/clock.h"
#include "engine/options.h"
#include "region/table_name.h"

namespace vaquita {

class Master;

class ClusterNormalizer {
 public:
  // All outlive it.
  ClusterNormalizer(Master* master, const Options* options, Clock* clock)
      : master_(master), options_(options), clock_(clock) {}

  // One run over those of `tables` that are enabled and normalized. False: it is switched off, or regions are in
  // transition.
  bool Run(const std::vector<TableName>& tables);

 private:
  void Normalize(const TableName& table);

  Master* const master_;
  const Options* const options_;
  Clock* const clock_;
  std::mutex run_mutex_;
};

}  // namespace vaquita
