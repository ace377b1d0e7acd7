// engine/store_compaction.h: one compaction of a store: which files, into what, and running it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "base/options.h"
#include "engine/cells/column_tracker.h"
#include "engine/store_impl.h"

namespace vaquita {

struct CompactionPlan {
  std::vector<std::string> files;  // empty: there is nothing to do
  int64_t bytes = 0;               // of the files
  int output_level = 0;            // where the deepest of them is; level 0 unless regions were merged
  CompactionScope scope = CompactionScope::kMinor;
  bool reads_oldest = false;
  bool major = false;
};

// What HBase's policy would compact of `store` now.
CompactionPlan PlanCompaction(const StoreImpl& store, CompactionKind kind, const Options& options, int64_t now_ms);

// The plan that makes one run of `runs` [first, first + count), runs that stand oldest first.
CompactionPlan PlanRuns(const std::vector<SortedRun>& runs, size_t first, size_t count);

// Runs `plan` in the calling thread. Cancelled: as StoreDb::Compact. REQUIRES: the store's compaction_mutex is held.
absl::Status RunCompaction(const CompactionPlan& plan, StoreImpl* store);

}  // namespace vaquita
