// server/master/procedure/snapshots.h: clients' requests about snapshots: checks whether they may be taken, cloned or
// restored now, and remembers the outcomes.
//
// Threads: any. Source: SnapshotManager, SnapshotCleanerChore (2.6).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "model/snapshot_description.h"
#include "model/table_name.h"
#include "server/data_root/snapshot_manifest.h"
#include "server/master/procedure/procedure_executor.h"
#include "server/master/procedure/procedure_store.h"

namespace vaquita {

struct MasterParts;

class Snapshots {
 public:
  // All outlive it.
  Snapshots(MasterParts* master, ProcedureExecutor* procedures, ProcedureStore* kept)
      : master_(master), procedures_(procedures), kept_(kept) {}

  // Notes a procedure of an earlier life of this master, for IsRestored.
  void Know(int64_t id, const KeptProcedure& procedure);

  // These work as Master's.
  absl::StatusOr<int64_t> Take(const SnapshotDescription& requested, bool polled);
  absl::StatusOr<bool> IsDone(const SnapshotDescription& snapshot);
  // Judges a caller's request for the snapshot that was found. `restores`: the table is there, so it is restored.
  using Judge = std::function<absl::Status(const SnapshotDescription& snapshot, bool restores)>;
  // `owner` gets every right to a new table; empty: nobody does. A null `judge` allows it.
  absl::StatusOr<int64_t> Restore(const std::string& snapshot, const TableName& to, const std::string& tracker,
                                  const std::string& owner, const Judge& judge);
  absl::StatusOr<bool> IsRestored(const TableName& table);
  // Removes the snapshots whose TTL is over, and returns their number.
  int RemoveExpired();

 private:
  struct Taking {
    TableName table;
    int64_t procedure = 0;
  };
  // Returns the request with its missing fields filled in.
  SnapshotDescription Completed(const SnapshotDescription& requested, bool polled) const;
  bool IsRunning(int64_t procedure) const;
  absl::StatusOr<int64_t> StartClone(const SnapshotManifest& snapshot, const TableName& to, const std::string& tracker,
                                     const std::string& owner);
  absl::StatusOr<int64_t> StartRestoration(const SnapshotManifest& snapshot);
  // Under mutex_:
  absl::Status CheckTake(const SnapshotDescription& snapshot, bool polled) const;
  absl::Status CheckTableIsFree(const TableName& table) const;  // for cloning to it, or restoring it
  bool IsTaking(const TableName& table) const;
  bool IsRestoring(const TableName& table) const;
  void ForgetOld();  // forgets procedures that the executor has forgotten

  MasterParts* const master_;
  ProcedureExecutor* const procedures_;
  ProcedureStore* const kept_;
  std::mutex mutex_;
  std::map<std::string, Taking> taking_;    // by the snapshot's name; the last one, also when it has ended
  std::map<TableName, int64_t> restoring_;  // the last procedure that cloned to the table or restored it
};

}  // namespace vaquita
