// server/master/procedure/table_regions.h: the common steps of procedures that make a table's regions.
//
// One edit of hbase:meta makes new regions exist; their stores, and a new table's descriptor, are made before, and are
// leftovers without the edit. If a server dies before it, all regions are made again on online servers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "model/table_descriptor.h"
#include "server/master/meta/assigned_region.h"
#include "server/master/meta/meta_table.h"
#include "server/master/procedure/procedure_executor.h"

namespace vaquita {

struct MasterParts;

// Regions handled in one call to the server: enough to be fast, few enough to show progress.
inline constexpr size_t kRegionsPerStep = 200;

// Takes the result of the write that decides a procedure, and returns it unless the disk failed. Then it is not known
// whether the write is there: the master must end, and the next one looks. kMasterNotRunning: nothing may be undone.
absl::Status Decided(MasterParts& master, const absl::Status& written);

// Repeats `attempt` until it is answered, and returns its answer. A server that does not answer is given up when its
// lease is over, and `attempt` is to see that. kMasterNotRunning if the master stops before.
absl::Status UntilAnswered(MasterParts& master, absl::FunctionRef<absl::Status()> attempt);
// Does that for an `attempt` on open regions, which is repeated also while one of them is not where the catalog has it:
// kNotServingRegion, kRegionMoved.
absl::Status UntilServed(MasterParts& master, absl::FunctionRef<absl::Status()> attempt);

// All that a table has before its regions are removed.
struct TableRegions {
  // Those of the assignment, whatever hbase:meta has lost of them, and those of hbase:meta alone: split parents.
  std::vector<AssignedRegion> regions;
  std::vector<std::string> unreadable;  // keys of hbase:meta's rows that do not say of which region they are
};
absl::StatusOr<TableRegions> AllRegions(MasterParts& master, const TableName& table);

// Writes the edit that decides, Decided, with the removal of these regions' rows, and forgets the regions in the same
// step: if their server died in between, their rows would come back.
absl::Status RemoveFromMeta(MasterParts& master, const TableRegions& old, MetaEdit edit);

// Creates the regions' missing stores at their homes, and opens the regions; they are not served.
absl::Status CreateRegions(MasterParts& master, const std::vector<AssignedRegion>& regions,
                           const std::shared_ptr<const TableDescriptor>& table, ProcedureExecutor::Progress& progress);
// Returns the regions to make; all have this id.
using InfosOfId = std::function<std::vector<RegionInfo>(int64_t id)>;
using RegionsStep = std::function<absl::Status(const std::vector<AssignedRegion>&)>;

struct NewRegions {
  InfosOfId infos;
  RegionState state = RegionState::kOpen;  // the state for `commit` to write
  RegionsStep make;                        // makes their stores at their homes; called again if a home dies
  RegionsStep commit;                      // the edit that decides, Decided
  std::function<void()> undo = {};         // removes what `make` and the caller made besides; null: nothing
};

// Gives new regions of `table` homes, makes and commits them, and returns them: all or, after an error, none. After
// kMasterNotRunning it is for the next master to see which. As HBase's procedures do, it goes on until all regions are
// assigned.
absl::StatusOr<std::vector<AssignedRegion>> MakeRegions(MasterParts& master, const TableDescriptor& table,
                                                        const NewRegions& wanted);

// Makes an enabled table of new regions. `fill` may make their stores, with data, at their homes before they open.
// After an error nothing is made.
absl::Status MakeTable(MasterParts& master, const std::shared_ptr<const TableDescriptor>& table, const InfosOfId& infos,
                       const RegionsStep& fill, ProcedureExecutor::Progress& progress);

}  // namespace vaquita
