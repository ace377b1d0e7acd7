// server/master/assignment/assignment_journal.h: what the assignment of regions leaves behind for good: in hbase:meta,
// in master:store and in the names of the servers' folders.
//
// Ownership: see MakeAssignmentJournal. Threads: one call at a time.
#pragma once

#include <memory>
#include <set>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/master/assignment/state_machine/messages.h"

namespace vaquita {

class MasterStore;
struct MasterOptions;
struct RegionRecords;

class AssignmentJournal {
 public:
  virtual ~AssignmentJournal() = default;

  // At the master's start; what the last one left of regions that were removed goes.
  virtual absl::StatusOr<assignment::LoadedMeta> Load() = 0;
  // All of `outputs` that must be durable before the first command, in its order. After an error it is not known what
  // was written: the master must end.
  virtual absl::Status Write(const assignment::Outputs& outputs) = 0;
  virtual absl::Status SetDraining(const std::string& server, assignment::Draining draining) = 0;
  // Removes the folders of earlier lives on `server`'s address, whose processes are over, but those in `homes`.
  virtual void RemoveOldFolders(const std::string& server, const std::set<std::string>& homes) = 0;
};

// In the master's own regions, its catalog, and its data root. `store` outlives it, as what `records` has does.
std::unique_ptr<AssignmentJournal> MakeAssignmentJournal(const RegionRecords& records, MasterStore* store,
                                                         const MasterOptions& options);

}  // namespace vaquita
