// server/master/procedure/snapshot_procedures.h: the steps of taking, cloning and restoring a snapshot.
//
// Each runs in a procedure that holds the table exclusively, so that no region of it splits meanwhile; clients can read
// and write. Crash safety: one rename makes a snapshot exist; a clone is created as any table; one edit of hbase:meta
// decides a restoration, in which new regions, linked to the snapshot's files, take the place of the old ones. The
// snapshot's descriptor waits in master:store until then (MasterStore::PutRestoration). Source: SnapshotProcedure,
// CloneSnapshotProcedure, RestoreSnapshotProcedure (2.6).
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
// Makes table `to` from the snapshot. `tracker` is the value of its kStoreFileTracker; empty: the snapshot's. Another
// snapshot that has its name by now is not taken for it: kSnapshotDoesNotExist.
absl::Status CloneSnapshot(MasterParts& master, const SnapshotDescription& snapshot, const TableName& to,
                           const std::string& tracker, ProcedureExecutor::Progress& progress);
// Gives `table`, which is the snapshot's and disabled, back its data and descriptor. Its regions have the ranges of the
// snapshot's, and new names. Another snapshot that has its name by now is not taken for it: kSnapshotDoesNotExist.
absl::Status RestoreSnapshot(MasterParts& master, const SnapshotDescription& snapshot, const TableName& table,
                             ProcedureExecutor::Progress& progress);

}  // namespace vaquita
