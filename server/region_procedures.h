// server/region_procedures.h: what a split and a merge do to the cluster: the region server links files, hbase:meta
// switches in one edit.
//
// Source: SplitTableRegionProcedure, MergeTableRegionsProcedure, MetaTableAccessor.splitRegion and mergeRegions (2.6).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "region/region_info.h"

namespace vaquita {

struct MasterParts;

// The open region called `region`; HBase's errors if there is none or it is not open.
absl::StatusOr<RegionInfo> CheckRegionOnline(const MasterParts& master, std::string_view region);
// The same, with HBase's error for a region of a disabled table.
absl::StatusOr<RegionInfo> CheckSplit(const MasterParts& master, std::string_view region);
// The regions called `regions`, ascending; HBase's errors for what cannot be merged.
absl::StatusOr<std::vector<RegionInfo>> CheckMerge(const MasterParts& master, const std::vector<std::string>& regions);

// `split_row` empty: the region's own split point.
absl::Status SplitRegion(MasterParts& master, const RegionInfo& parent, std::string_view split_row);
absl::Status MergeRegions(MasterParts& master, const std::vector<RegionInfo>& regions, bool forcible);

}  // namespace vaquita
