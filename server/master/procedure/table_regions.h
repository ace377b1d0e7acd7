// server/master/procedure/table_regions.h: the steps that procedures which make a table's regions have in common.
//
// New regions come into being by one edit of hbase:meta; their stores, and a new table's descriptor, are there before,
// and are leftovers without it. Until then it does not matter where they are: when a server dies that was to have some,
// all are made anew where servers live.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "model/table_descriptor.h"
#include "server/master/meta/assigned_region.h"
#include "server/master/procedure/procedure_executor.h"

namespace vaquita {

struct MasterParts;

// Regions handled in one call to the server: enough to be fast, few enough to show progress.
inline constexpr size_t kRegionsPerStep = 200;

// All regions that meta has of the table, split parents among them.
absl::StatusOr<std::vector<AssignedRegion>> RegionsInMeta(MasterParts& master, const TableName& table);

// Creates the regions' stores, those that are missing, at their homes, and opens them; they are not served.
absl::Status CreateRegions(MasterParts& master, const std::vector<AssignedRegion>& regions,
                           const std::shared_ptr<const TableDescriptor>& table, ProcedureExecutor::Progress& progress);
// The regions to be made; all have this id.
using InfosOfId = std::function<std::vector<RegionInfo>(int64_t id)>;
using RegionsStep = std::function<absl::Status(const std::vector<AssignedRegion>&)>;

struct NewRegions {
  InfosOfId infos;
  RegionState state = RegionState::kOpen;  // as `commit` is to write
  RegionsStep make;                        // their stores, at their homes; called again if one of these dies
  RegionsStep commit;                      // the edit that decides
};

// Gives new regions of `table` homes, makes and commits them, and answers what they are: all or, after an error,
// nothing. HBase's procedures, too, go on until all regions are assigned.
absl::StatusOr<std::vector<AssignedRegion>> MakeRegions(MasterParts& master, const TableDescriptor& table,
                                                        const NewRegions& wanted);

// Makes an enabled table of new regions, whose stores `fill` may make at their homes, with data in them, before they
// open. All or, after an error, nothing.
absl::Status MakeTable(MasterParts& master, const std::shared_ptr<const TableDescriptor>& table, const InfosOfId& infos,
                       const RegionsStep& fill, ProcedureExecutor::Progress& progress);

}  // namespace vaquita
