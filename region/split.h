// region/split.h: splitting one region into two, and merging two neighbours into one, by hard links.
//
// The steps are cut where the caller (the master, who owns hbase:meta) must act, so that kill -9 anywhere leaves either
// the parents or the daughters: 1. Begin flushes while writes go on, then closes the parents and links their files into
// the new regions' stores; 2. the caller switches hbase:meta in one atomic edit; 3. Finish drops the parents' stores.
// After a crash before 2 the new stores, after it the old ones, are leftovers that the next start drops, because meta
// does not name them. Rollback undoes Begin: the parents serve again.
// Source: SplitTableRegionProcedure, MergeTableRegionsProcedure (2.6).
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "region/region.h"

namespace vaquita {

// A region as HBase's messages name it (RegionInfo.toString).
std::string RegionText(const RegionInfo& info);

class RegionTransition {
 public:
  virtual ~RegionTransition() = default;  // rolls back if it was begun and neither finished nor rolled back
  virtual const std::vector<std::shared_ptr<Region>>& parents() const = 0;
  virtual const std::vector<RegionInfo>& new_infos() const = 0;  // known before Begin, for logs and meta
  // Step 1. The new regions, open but known to nobody yet.
  virtual absl::StatusOr<std::vector<std::shared_ptr<Region>>> Begin() = 0;
  virtual absl::Status Finish() = 0;
  virtual absl::Status Rollback() = 0;
  // After Begin, if nobody knows what meta says: both stay in the database, closed, for its next open to drop one.
  virtual void LeaveUndecided() = 0;
};

// A split of `parent` at `split_row` (empty: at SplitPoint()). HBase's errors: a split row outside the region or equal
// to its start, no split row to be found, references left, splitting disabled.
absl::StatusOr<std::unique_ptr<RegionTransition>> PrepareSplit(StoreDb* db, std::shared_ptr<Region> parent,
                                                               std::string_view split_row);

// A merge of `regions`, ascending and adjacent unless `forcible`. Sides with references are major-compacted first.
absl::StatusOr<std::unique_ptr<RegionTransition>> PrepareMerge(StoreDb* db,
                                                               std::vector<std::shared_ptr<Region>> regions,
                                                               bool forcible);

}  // namespace vaquita
