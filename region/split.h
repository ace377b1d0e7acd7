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
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "region/region.h"
#include "region/region_transition.h"

namespace vaquita {

// Returns a region as HBase's messages name it (RegionInfo.toString).
std::string RegionText(const RegionInfo& info);

// Returns the region's SplitPoint. A region whose data are all in memory is flushed for it.
absl::StatusOr<std::string> BestSplitRow(Region* region);

// Prepares a split of `parent` at `split_row` (empty: at SplitPoint()). Returns HBase's error if the split row is
// outside the region, equal to its start or too long for hbase:meta, if no split row is found, if references are left,
// or if splitting is disabled.
absl::StatusOr<std::unique_ptr<RegionTransition>> PrepareSplit(StoreDb* db, std::shared_ptr<Region> parent,
                                                               std::string_view split_row);

// Prepares a merge of `regions`, which are ascending and, unless `forcible`, adjacent. Regions with references are
// major-compacted first. Returns kMergeRegion if the regions do not have the same descriptor.
absl::StatusOr<std::unique_ptr<RegionTransition>> PrepareMerge(StoreDb* db,
                                                               std::vector<std::shared_ptr<Region>> regions,
                                                               bool forcible);

}  // namespace vaquita
