// server/master/procedure/region_procedures.h: splits, merges, opens, closes, moves and truncates regions of a cluster.
//
// In a split or a merge the region server links the files, and one edit of hbase:meta replaces the parents.
// Source: SplitTableRegionProcedure, MergeTableRegionsProcedure, MetaTableAccessor.splitRegion and mergeRegions,
// AssignmentManager.preTransitCheck, TransitRegionStateProcedure, TruncateRegionProcedure (2.6).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "model/region_info.h"

namespace vaquita {

struct MasterParts;

// Returns the open region called `region`; HBase's errors if there is no such region, or it is not open.
absl::StatusOr<RegionInfo> CheckRegionOnline(const MasterParts& master, std::string_view region);
// As above, with HBase's error for a region of a disabled table.
absl::StatusOr<RegionInfo> CheckSplit(const MasterParts& master, std::string_view region);
// Returns the regions called `regions`, ascending; HBase's errors if they cannot be merged.
absl::StatusOr<std::vector<RegionInfo>> CheckMerge(const MasterParts& master, const std::vector<std::string>& regions);

// Return the region if it may be opened (it is closed), or closed (it is open), or emptied; else HBase's errors.
absl::StatusOr<RegionInfo> CheckAssign(const MasterParts& master, std::string_view region);
absl::StatusOr<RegionInfo> CheckUnassign(const MasterParts& master, std::string_view region);
absl::StatusOr<RegionInfo> CheckTruncateRegion(const MasterParts& master, std::string_view region);

// `split_row` empty: the region's own split point.
absl::Status SplitRegion(MasterParts& master, const RegionInfo& parent, std::string_view split_row);
absl::Status MergeRegions(MasterParts& master, const std::vector<RegionInfo>& regions, bool forcible);
// A region that was unassigned stays closed, also after a restart, until it is assigned or its table is enabled anew.
absl::Status AssignRegion(MasterParts& master, const RegionInfo& region);
absl::Status UnassignRegion(MasterParts& master, const RegionInfo& region);
// As AssignmentManager::Move.
absl::Status MoveRegion(MasterParts& master, const RegionInfo& region, std::string_view server_name);
absl::Status TruncateRegion(MasterParts& master, const RegionInfo& region);

}  // namespace vaquita
