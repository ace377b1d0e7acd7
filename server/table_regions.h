// server/table_regions.h: the steps that procedures which make a table's regions have in common.
//
// A table comes into being by one edit of hbase:meta (MakeTable); its descriptor and its regions' stores are there
// before, and are leftovers without it.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "region/table_descriptor.h"
#include "server/master.h"
#include "server/procedure_executor.h"

namespace vaquita {

struct MasterParts;

// Regions handled in one call to the server: enough to be fast, few enough to show progress.
inline constexpr size_t kRegionsPerStep = 200;

std::vector<RegionInfo> InfosOf(const std::vector<AssignedRegion>& regions);
// All regions that meta has of the table, split parents among them.
absl::StatusOr<std::vector<AssignedRegion>> RegionsInMeta(MasterParts& master, const TableName& table);

// Creates the regions' stores, those that are missing, at their homes, and opens them; they are not served. After an
// error: DropNewRegions.
absl::Status CreateRegions(MasterParts& master, const std::vector<AssignedRegion>& regions,
                           const std::shared_ptr<const TableDescriptor>& table, ProcedureExecutor::Progress& progress);
// Closes and drops regions that nobody knows of yet. What cannot be dropped now, the next start drops.
void DropNewRegions(MasterParts& master, const std::vector<AssignedRegion>& regions, const TableDescriptor& table);

// Makes an enabled table of new regions, whose stores `fill` may make at their homes, with data in them, before they
// open. All or, after an error, nothing.
absl::Status MakeTable(MasterParts& master, const std::shared_ptr<const TableDescriptor>& table,
                       const std::vector<AssignedRegion>& regions, const std::function<absl::Status()>& fill,
                       ProcedureExecutor::Progress& progress);

}  // namespace vaquita
