// server/region_changes.h: what becomes of regions, written to hbase:meta in one edit each, then to the catalog and to
// what the janitor is to look after.
//
// Source: RegionStateStore, MetaTableAccessor.splitRegion and mergeRegions (2.6).
#pragma once

#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "server/master.h"

namespace vaquita {

struct MasterParts;

// Regions of one table are from now on in the states, and where, that they say.
absl::Status CommitStates(MasterParts& master, const std::vector<AssignedRegion>& regions);
// The daughters, open at `server_name`, take the place of their parent.
absl::Status CommitSplit(MasterParts& master, const RegionInfo& parent, const std::vector<RegionInfo>& daughters,
                         std::string_view server_name);
absl::Status CommitMerge(MasterParts& master, const std::vector<RegionInfo>& parents, const RegionInfo& merged,
                         std::string_view server_name);

}  // namespace vaquita
