// server/master/procedure/procedure_store.h: stores procedures that must outlive the master that runs them: changes of
// tables and of namespaces, clones and restorations.
//
// The request, with its nonce, is in the master's store before the client gets an id. The outcome is stored for as long
// as ProcedureExecutor keeps it, without what was asked for, which may be large. A starting master answers for ended
// procedures, and runs the others, under their ids. A crash leaves each done entirely or not at all
// (table_procedures.h), so no step needs to be remembered, only whether one had begun: then the state of its table
// tells whether it was done. The state tells nothing of one that waited, because another may have led to it. Nobody can
// remove the snapshot of a clone or a restoration before that has ended. Threads: any. Source: RegionProcedureStore,
// ProcedureExecutor.load (2.6), which remember every step.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "model/cluster_status.h"
#include "model/snapshot_description.h"
#include "model/table_descriptor.h"
#include "model/table_name.h"
#include "server/data_root/snapshot_folder.h"
#include "server/master/meta/master_store.h"
#include "server/master/procedure/procedure_executor.h"

namespace vaquita {

struct MasterParts;
class ProcedureNonces;

struct KeptProcedure {
  enum class Kind {
    kCreateTable,
    kDeleteTable,
    kTruncateTable,
    kEnableTable,
    kDisableTable,
    kModifyTable,
    kCloneSnapshot,
    kRestoreSnapshot,
    kCreateNamespace,
    kModifyNamespace,
    kDeleteNamespace
  } kind = Kind::kCreateTable;
  TableDescriptor table;  // its name; for a new or changed table, all of it
  // For a change of some families or attributes: the descriptor that `table` was made from. The change is what differs,
  // so that changes that others make meanwhile stay.
  std::optional<TableDescriptor> before;
  std::vector<std::string> split_keys;  // for a new table
  bool preserve_splits = false;         // for a truncation
  std::string owner;                    // gets every right to a new table; empty: nobody does
  SnapshotDescription snapshot;         // for a clone or a restoration; of an older version's, only the name is known
  std::string tracker;                  // for a clone: see CloneSnapshot
  NamespaceDescriptor ns;               // its name; for a new or changed namespace, all of it
};

class ProcedureStore {
 public:
  // All outlive it. `ready` returns whether procedures may run; stored ones wait for that.
  ProcedureStore(MasterParts* master, ProcedureExecutor* executor, ProcedureNonces* nonces,
                 std::function<bool()> ready);

  // Stores and submits a procedure, and returns its id. `body` runs it in this master's life, if it differs from
  // `procedure`'s own.
  absl::StatusOr<int64_t> Submit(const KeptProcedure& procedure, ProcedureExecutor::Body body = nullptr);
  // Called once, when the tables are known and before any Submit. Tells `known` of each stored procedure.
  using Known = std::function<void(int64_t id, const KeptProcedure&)>;
  absl::Status Resume(const Known& known);

 private:
  absl::Status Execute(const KeptProcedure& procedure, ProcedureExecutor::Progress& progress);
  // Gives a new table's owner its rights, and forgets what is kept beside a deleted one. To do it twice changes
  // nothing.
  absl::Status UpdateBeside(const KeptProcedure& procedure);
  // Returns whether an earlier life had done it before it could note that.
  bool WasDone(const KeptProcedure& procedure) const;
  absl::Status ChangeTable(const KeptProcedure& procedure, bool had_begun, ProcedureExecutor::Progress& progress);
  absl::Status RunAgain(int64_t id, const KeptProcedure& procedure, bool had_begun,
                        ProcedureExecutor::Progress& progress);
  // Keeps the procedure's snapshot from being removed. Null if it has none.
  absl::StatusOr<std::shared_ptr<const SnapshotFolder::Hold>> KeepSnapshot(const KeptProcedure& procedure) const;
  // Notes that the procedure begins, unless its table is already as it would leave it: then its body refuses it.
  absl::Status NoteBegin(int64_t id, const KeptProcedure& procedure);
  // Notes ends that could not be noted. No other procedure begins before, or it would be judged by what that one does.
  absl::Status NoteEnds();
  // Runs `body` to its end and notes the outcome, unless this master ends. `kept` stays with it.
  ProcedureExecutor::Body Noting(int64_t id, MasterStore::Columns kept, ProcedureExecutor::Body body);
  absl::Status Restore(int64_t id, const MasterStore::Columns& columns, const Known& known);
  void Forget(int64_t id);
  void ForgetOld();

  MasterParts* const master_;
  ProcedureExecutor* const executor_;
  ProcedureNonces* const nonces_;
  const std::function<bool()> ready_;
  std::mutex mutex_;
  std::deque<std::pair<int64_t, int64_t>> ended_;      // id and time in ms; Submit forgets old ones
  std::map<int64_t, MasterStore::Columns> not_noted_;  // ends, by id
};

}  // namespace vaquita
