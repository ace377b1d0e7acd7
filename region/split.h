// region/split.h: splits one region into two, and merges neighbours into one, by hard links.
//
// There are three steps, because the caller (the master, which owns hbase:meta) must act in between. kill -9 at any
// time leaves either the parents or the daughters: 1. Begin flushes while writes go on, then closes the parents and
// links their files into the new regions' stores; 2. the caller switches hbase:meta in one atomic edit; 3. Finish drops
// the parents' stores. After a crash before 2 the new stores, after it the old ones, are leftovers that the next start
// drops, because meta does not name them. Rollback undoes Begin: the parents serve again. Source:
// SplitTableRegionProcedure, MergeTableRegionsProcedure (2.6).
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "region/region.h"

namespace vaquita {

// Returns a region as HBase's messages name it (RegionInfo.toString).
std::string RegionText(const RegionInfo& info);

class RegionTransition {
 public:
  virtual ~RegionTransition() = default;  // rolls back if it was begun and neither finished nor rolled back
  virtual const std::vector<std::shared_ptr<Region>>& parents() const = 0;
  virtual const std::vector<RegionInfo>& new_infos() const = 0;  // known before Begin, for logs and meta
  // Does step 1. Returns the new regions, which are open but not yet in meta.
  virtual absl::StatusOr<std::vector<std::shared_ptr<Region>>> Begin() = 0;
  virtual absl::Status Finish() = 0;
  virtual absl::Status Rollback() = 0;
  // Called after Begin if meta's content is unknown: parents and new regions stay in the database, closed, and its next
  // open drops one side.
  virtual void LeaveUndecided() = 0;
};

// Prepares a split of `parent` at `split_row` (empty: at SplitPoint()). Returns HBase's error if the split row is
// outside the region or equal to its start, if no split row is found, if references are left, or if splitting is
// disabled.
absl::StatusOr<std::unique_ptr<RegionTransition>> PrepareSplit(StoreDb* db, std::shared_ptr<Region> parent,
                                                               std::string_view split_row);

// Prepares a merge of `regions`, which are ascending and, unless `forcible`, adjacent. Regions with references are
// major-compacted first.
absl::StatusOr<std::unique_ptr<RegionTransition>> PrepareMerge(StoreDb* db,
                                                               std::vector<std::shared_ptr<Region>> regions,
                                                               bool forcible);

}  // namespace vaquita
