#include "server/master/procedure/snapshots.h"

#include <algorithm>

#include "base/log.h"
#include "base/status.h"
#include "model/store_file_tracker.h"
#include "server/master/procedure/descriptor_check.h"
#include "server/master/procedure/master_parts.h"
#include "server/master/procedure/snapshot_procedures.h"
#include "server/master/procedure/table_procedures.h"

namespace vaquita {

SnapshotDescription Snapshots::Completed(const SnapshotDescription& requested, bool polled) const {
  const MasterOptions& options = master_->options;
  SnapshotDescription snapshot = requested;
  if (snapshot.created_ms == 0) snapshot.created_ms = options.clock->NowMs();
  if (snapshot.ttl_s == 0 || snapshot.ttl_s > kMaxSnapshotTtlSeconds) snapshot.ttl_s = options.options->snapshot_ttl_s;
  const auto state = master_->catalog.State(snapshot.table);
  if (polled && state.ok() && *state == TableState::kDisabled) snapshot.type = SnapshotType::kDisabled;
  return snapshot;
}

bool Snapshots::IsRunning(int64_t procedure) const {
  const auto found = procedures_->Get(procedure);
  return found.ok() && found->state == Procedure::State::kRunning;
}

bool Snapshots::IsTaking(const TableName& table) const {
  for (const auto& [name, taking] : taking_) {
    if (taking.table == table && IsRunning(taking.procedure)) return true;
  }
  return false;
}

bool Snapshots::IsRestoring(const TableName& table) const {
  const auto it = restoring_.find(table);
  return it != restoring_.end() && IsRunning(it->second);
}

void Snapshots::ForgetOld() {
  std::erase_if(taking_, [&](const auto& entry) { return !procedures_->Keeps(entry.second.procedure); });
  std::erase_if(restoring_, [&](const auto& entry) { return !procedures_->Keeps(entry.second); });
}

absl::Status Snapshots::CheckTake(const SnapshotDescription& snapshot, bool polled) const {
  if (snapshot.table.qualifier.empty()) {
    return Error(ErrorKind::kIllegalArgument, "Descriptor doesn't apply to a table, so we can't build it.");
  }
  VAQUITA_RETURN_IF_ERROR(CheckSnapshotRequest(snapshot.name, snapshot.table));
  if (master_->snapshots->Contains(snapshot.name)) {
    return Error(ErrorKind::kSnapshotExists, "Snapshot '" + snapshot.name + "' already stored on the filesystem.");
  }
  const auto same = taking_.find(snapshot.name);
  if ((same != taking_.end() && IsRunning(same->second.procedure)) || (polled && IsTaking(snapshot.table))) {
    return Error(ErrorKind::kSnapshotCreation,
                 "Rejected taking " + snapshot.ToString() +
                     " because we are already running another snapshot on the same table or with the same name");
  }
  if (IsRestoring(snapshot.table)) {
    return Error(ErrorKind::kSnapshotCreation,
                 "Rejected taking " + snapshot.ToString() +
                     " because we are already have a restore in progress on the same snapshot.");
  }
  if (master_->catalog.Contains(snapshot.table)) return absl::OkStatus();
  return Error(ErrorKind::kSnapshotCreation,
               "Table '" + snapshot.table.ToString() + "' doesn't exist, can't take snapshot.");
}

absl::StatusOr<int64_t> Snapshots::Take(const SnapshotDescription& requested, bool polled) {
  const SnapshotDescription snapshot = Completed(requested, polled);
  std::lock_guard lock(mutex_);
  VAQUITA_RETURN_IF_ERROR(CheckTake(snapshot, polled));
  ForgetOld();
  VAQUITA_ASSIGN_OR_RETURN(
      const int64_t id,
      procedures_->Submit("SnapshotProcedure snapshot=" + snapshot.ToString(), snapshot.table.ToString(),
                          [this, snapshot](ProcedureExecutor::Progress& progress) {
                            return TakeSnapshot(*master_, snapshot, progress);
                          }));
  taking_[snapshot.name] = {snapshot.table, id};
  return id;
}

absl::StatusOr<bool> Snapshots::IsDone(const SnapshotDescription& snapshot) {
  std::lock_guard lock(mutex_);
  const auto taking = taking_.find(snapshot.name);
  if (taking != taking_.end()) {
    const auto procedure = procedures_->Get(taking->second.procedure);
    if (procedure.ok() && procedure->state == Procedure::State::kRunning) return false;
    taking_.erase(taking);
    if (procedure.ok() && procedure->state == Procedure::State::kFailed) {
      return Error(ErrorKind::kHBaseSnapshot,
                   "Snapshot " + snapshot.ToString() + " had an error.  " + procedure->error);
    }
  }
  if (master_->snapshots->Contains(snapshot.name)) return true;
  return Error(ErrorKind::kUnknownSnapshot, "Snapshot " + snapshot.ToString() +
                                                " is not currently running or one of the known completed snapshots.");
}

absl::Status Snapshots::CheckTableIsFree(const TableName& table) const {
  if (IsTaking(table)) {
    return Error(ErrorKind::kRestoreSnapshot, "Snapshot in progress on the restore table=" + table.ToString());
  }
  if (IsRestoring(table)) {
    return Error(ErrorKind::kRestoreSnapshot, "Restore already in progress on the table=" + table.ToString());
  }
  return absl::OkStatus();
}

absl::StatusOr<int64_t> Snapshots::Restore(const std::string& snapshot, const TableName& to, const std::string& tracker,
                                           const std::string& owner, const Judge& judge) {
  VAQUITA_RETURN_IF_ERROR(master_->namespaces->Get(to.ns).status());
  int64_t id = 0;
  VAQUITA_RETURN_IF_ERROR(master_->snapshots->Read(snapshot, [&](const SnapshotManifest& manifest, const auto&) {
    const bool restores = master_->catalog.Contains(to);
    if (judge) VAQUITA_RETURN_IF_ERROR(judge(manifest.description, restores));
    VAQUITA_RETURN_IF_ERROR(CheckDescriptor(*master_->options.options, manifest.table));
    VAQUITA_ASSIGN_OR_RETURN(id, restores ? StartRestoration(manifest) : StartClone(manifest, to, tracker, owner));
    return absl::OkStatus();
  }));
  return id;
}

absl::StatusOr<int64_t> Snapshots::StartClone(const SnapshotManifest& snapshot, const TableName& to,
                                              const std::string& tracker, const std::string& owner) {
  if (!tracker.empty()) VAQUITA_RETURN_IF_ERROR(StoreFileTrackerClass(tracker).status());
  std::lock_guard lock(mutex_);
  VAQUITA_RETURN_IF_ERROR(CheckTableIsFree(to));
  ForgetOld();
  VAQUITA_ASSIGN_OR_RETURN(restoring_[to], kept_->Submit({.kind = KeptProcedure::Kind::kCloneSnapshot,
                                                          .table = {.name = to},
                                                          .owner = owner,
                                                          .snapshot = snapshot.description,
                                                          .tracker = tracker}));
  return restoring_[to];
}

// HBase restores the table that the snapshot was taken of, even if the request names another one.
absl::StatusOr<int64_t> Snapshots::StartRestoration(const SnapshotManifest& snapshot) {
  const TableName& table = snapshot.table.name;
  VAQUITA_ASSIGN_OR_RETURN(const auto before, master_->catalog.Descriptor(table));
  VAQUITA_RETURN_IF_ERROR(CheckSameStoreFileTrackers(*before, snapshot.table));
  VAQUITA_ASSIGN_OR_RETURN(const TableState state, master_->catalog.State(table));
  if (state == TableState::kEnabled) {
    return Error(ErrorKind::kUnsupportedOperation,
                 "Table '" + table.ToString() + "' must be disabled in order to perform a restore operation.");
  }
  std::lock_guard lock(mutex_);
  VAQUITA_RETURN_IF_ERROR(CheckTableIsFree(table));
  ForgetOld();
  VAQUITA_ASSIGN_OR_RETURN(restoring_[table], kept_->Submit({.kind = KeptProcedure::Kind::kRestoreSnapshot,
                                                             .table = {.name = table},
                                                             .snapshot = snapshot.description}));
  return restoring_[table];
}

void Snapshots::Know(int64_t id, const KeptProcedure& procedure) {
  using enum KeptProcedure::Kind;
  if (procedure.kind != kCloneSnapshot && procedure.kind != kRestoreSnapshot) return;
  std::lock_guard lock(mutex_);
  int64_t& last = restoring_[procedure.table.name];
  last = std::max(last, id);
}

absl::StatusOr<bool> Snapshots::IsRestored(const TableName& table) {
  int64_t id = 0;
  {
    std::lock_guard lock(mutex_);
    ForgetOld();
    const auto it = restoring_.find(table);
    if (it == restoring_.end()) return true;
    id = it->second;
  }
  if (IsRunning(id)) return false;
  VAQUITA_RETURN_IF_ERROR(procedures_->Wait(id));
  return true;
}

int Snapshots::RemoveExpired() {
  const int64_t now_ms = master_->options.clock->NowMs();
  const auto removed = master_->snapshots->RemoveIf([&](const auto& snapshot) { return snapshot.Expired(now_ms); });
  for (const SnapshotDescription& snapshot : removed) {
    spdlog::info("removed snapshot {}: its time to live is over", snapshot.name);
  }
  return static_cast<int>(removed.size());
}

}  // namespace vaquita
