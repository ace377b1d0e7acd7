// engine/store_compaction.h: plans and runs one compaction of a store.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "base/options.h"
#include "engine/cells/column_tracker.h"
#include "engine/store.h"

namespace vaquita {

struct CompactionPlan {
  std::vector<std::string> files;  // empty: there is nothing to do
  int64_t bytes = 0;               // size of the files
  int output_level = 0;            // the deepest level of the files; 0 unless regions were merged
  CompactionScope scope = CompactionScope::kMinor;
  bool reads_oldest = false;
  bool major = false;
};

// Returns the compaction of `store` that HBase's policy selects now.
CompactionPlan PlanCompaction(const Store& store, CompactionKind kind, const Options& options, int64_t now_ms);

// Returns a plan that makes one run of `runs` [first, first + count). The runs stand oldest first.
CompactionPlan PlanRuns(const std::vector<SortedRun>& runs, size_t first, size_t count);

// Runs `plan` in the calling thread. Returns Cancelled as StoreDb::Compact does. REQUIRES: the store's compaction_mutex
// is held.
absl::Status RunCompaction(const CompactionPlan& plan, Store* store);

}  // namespace vaquita
