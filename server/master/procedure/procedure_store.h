// server/master/procedure/procedure_store.h: procedures that outlive the master that runs them: changes of tables and
// of namespaces.
//
// What was asked for is in the master's store before the client gets an id, with the request's nonce, and how it ended
// is there for as long as ProcedureExecutor keeps it. A master that starts answers for those that had ended, and does
// the others again, under their ids. A crash leaves each done wholly or not at all (table_procedures.h), so which of
// the two it is shows; no step need be remembered. Threads: any. Source: RegionProcedureStore, ProcedureExecutor.load
// (2.6), which remember every step.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "model/cluster_status.h"
#include "model/table_descriptor.h"
#include "model/table_name.h"
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
    kCreateNamespace,
    kModifyNamespace,
    kDeleteNamespace
  } kind = Kind::kCreateTable;
  TableDescriptor table;                // its name; of a new or changed one, all of it
  std::vector<std::string> split_keys;  // of a new one
  bool preserve_splits = false;         // of a truncation
  NamespaceDescriptor ns;               // its name; of a new or changed one, all of it
};

class ProcedureStore {
 public:
  // All outlive it. `ready`: whether procedures may run; those of before wait for that.
  ProcedureStore(MasterParts* master, ProcedureExecutor* executor, ProcedureNonces* nonces,
                 std::function<bool()> ready);

  // Notes it, and submits it: the id. `body`: what does it in this master's life, if that is not what `procedure` says.
  absl::StatusOr<int64_t> Submit(const KeptProcedure& procedure, ProcedureExecutor::Body body = nullptr);
  // Once, when the tables are known and before any Submit.
  absl::Status Resume();

 private:
  absl::Status Do(const KeptProcedure& procedure, ProcedureExecutor::Progress& progress);
  // Whether an earlier life had done it before it could note that.
  bool WasDone(const KeptProcedure& procedure) const;
  absl::Status DoAgain(const KeptProcedure& procedure, ProcedureExecutor::Progress& progress);
  // Runs `body` to its end and notes that, unless it is this master that ends.
  ProcedureExecutor::Body Noting(int64_t id, ProcedureExecutor::Body body);
  absl::Status Restore(int64_t id, const MasterStore::Columns& columns);
  void Forget(int64_t id);
  void ForgetOld();

  MasterParts* const master_;
  ProcedureExecutor* const executor_;
  ProcedureNonces* const nonces_;
  const std::function<bool()> ready_;
  std::mutex mutex_;
  std::deque<std::pair<int64_t, int64_t>> ended_;  // id and when, ms; what Submit comes to forget
};

}  // namespace vaquita
