// server/master/procedure/snapshot_procedures.h: what taking a snapshot, cloning and restoring one do, step by step.
//
// Each runs in a procedure that has the table for itself, so that no region of it splits meanwhile; clients read and
// write. Crash safety: a snapshot is there from one rename on; a clone is made as any table is; a restoration is
// decided by one edit of hbase:meta, in which new regions, linked to the snapshot's files, take the place of the old
// ones. The snapshot's descriptor waits in master:store until then (MasterStore::PutRestoration). Source:
// SnapshotProcedure, CloneSnapshotProcedure, RestoreSnapshotProcedure (2.6).
#pragma once

#include <string>

#include "absl/status/status.h"
#include "model/snapshot_description.h"
#include "model/table_name.h"
#include "server/master/procedure/procedure_executor.h"

namespace vaquita {

struct MasterParts;

absl::Status TakeSnapshot(MasterParts& master, const SnapshotDescription& snapshot,
                          ProcedureExecutor::Progress& progress);
// Makes table `to` of the snapshot. `tracker`: the value of its kStoreFileTracker; empty: the snapshot's.
absl::Status CloneSnapshot(MasterParts& master, const std::string& snapshot, const TableName& to,
                           const std::string& tracker, ProcedureExecutor::Progress& progress);
// Gives the snapshot's table, which is disabled, the data and the descriptor that it had. Its regions have the ranges
// of the snapshot's, and new names.
absl::Status RestoreSnapshot(MasterParts& master, const std::string& snapshot, ProcedureExecutor::Progress& progress);

}  // namespace vaquita
