// server/master/assignment/assignment_journal.h: writes the durable outputs of the assignment: to hbase:meta, to
// master:store and to the names of the servers' folders.
//
// Ownership: see MakeAssignmentJournal. Threads: one call at a time, but RemoveOldFolders may run beside the others.
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

  // Called at the master's start. Removes leftovers of regions that the last master removed.
  virtual absl::StatusOr<assignment::LoadedMeta> Load() = 0;
  // Writes, in order, all of `outputs` that must be durable before the first command. After an error it is not known
  // what was written, and the master must end.
  virtual absl::Status Write(const assignment::Outputs& outputs) = 0;
  virtual absl::Status SetDraining(const std::string& server, assignment::Draining draining) = 0;
  // Removes the folders of earlier lives on `server`'s address, except those in `homes`. The processes of these lives
  // have ended.
  virtual void RemoveOldFolders(const std::string& server, const std::set<std::string>& homes) = 0;
};

// Makes a journal in the master's own regions, its catalog, and its data root. `store` and the members of `records`
// outlive it.
std::unique_ptr<AssignmentJournal> MakeAssignmentJournal(const RegionRecords& records, MasterStore* store,
                                                         const MasterOptions& options);

}  // namespace vaquita
