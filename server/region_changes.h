// server/region_changes.h: what becomes of regions, written to hbase:meta in one edit each, then to the catalog and to
// what the janitor is to look after.
//
// Source: RegionStateStore, MetaTableAccessor.splitRegion and mergeRegions (2.6).
#pragma once

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "server/master.h"

namespace vaquita {

struct MasterParts;
class MetaEdit;

// Regions of one table are from now on in the states, and where, that they say.
absl::Status CommitStates(MasterParts& master, const std::vector<AssignedRegion>& regions);

// A split or a merge: `new_regions`, open at `server_name`, take the place of `parents`.
struct RegionReplacement {
  bool split = false;
  std::vector<RegionInfo> parents;
  std::vector<RegionInfo> new_regions;
  std::string server_name;
};

// What hbase:meta is told of it.
void PutReplacement(const MasterParts& master, const RegionReplacement& replacement, MetaEdit* edit);
// Once it is in hbase:meta.
void ReplaceInCatalog(MasterParts& master, const RegionReplacement& replacement);
// Both, in an edit of its own.
absl::Status CommitReplacement(MasterParts& master, const RegionReplacement& replacement);

}  // namespace vaquita
