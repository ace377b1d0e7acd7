#include "server/master/procedure/procedure_store.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <map>
#include <numeric>
#include <string_view>
#include <thread>

#include "absl/strings/numbers.h"
#include "base/big_endian.h"
#include "base/log.h"
#include "base/status.h"
#include "model/family_changes.h"
#include "model/request_check.h"
#include "proto/hbase/stored_values.h"
#include "server/data_root/snapshot_manifest.h"
#include "server/master/procedure/master_parts.h"
#include "server/master/procedure/procedure_nonces.h"
#include "server/master/procedure/snapshot_procedures.h"
#include "server/master/procedure/table_procedures.h"

namespace vaquita {
namespace {

using Kind = KeptProcedure::Kind;
using Columns = MasterStore::Columns;

// In the order of Kind, as HBase calls them.
constexpr std::string_view kNames[] = {
    "CreateTableProcedure",     "DeleteTableProcedure",     "TruncateTableProcedure",  "EnableTableProcedure",
    "DisableTableProcedure",    "ModifyTableProcedure",     "CloneSnapshotProcedure",  "RestoreSnapshotProcedure",
    "CreateNamespaceProcedure", "ModifyNamespaceProcedure", "DeleteNamespaceProcedure"};
static_assert(std::size(kNames) == static_cast<size_t>(Kind::kDeleteNamespace) + 1, "a name each");

std::string NameOf(Kind kind) { return std::string(kNames[static_cast<size_t>(kind)]); }
bool IsOfNamespace(Kind kind) { return kind >= Kind::kCreateNamespace; }

std::string DescriptionOf(const KeptProcedure& procedure) {
  const Kind kind = procedure.kind;
  if (IsOfNamespace(kind)) return NameOf(kind) + " namespace=" + procedure.ns.name;
  std::string text = NameOf(kind) + " table=" + procedure.table.name.ToString();
  if (kind == Kind::kTruncateTable)
    text += procedure.preserve_splits ? " preserveSplits=true" : " preserveSplits=false";
  if (!procedure.snapshot.name.empty()) text += " snapshot=" + procedure.snapshot.name;
  return text;
}

std::string LockOf(const KeptProcedure& procedure) {
  return IsOfNamespace(procedure.kind) ? procedure.ns.name + ":" : procedure.table.name.ToString();
}

// --- What is in the store.

std::string EncodeKeys(const std::vector<std::string>& keys) {
  std::string bytes;
  for (const std::string& key : keys) {
    AppendBigEndian(static_cast<uint32_t>(key.size()), &bytes);
    bytes += key;
  }
  return bytes;
}

absl::Status Garbled(const std::string& column) {
  return Error(ErrorKind::kDeserialization, "its column '" + column + "' cannot be read");
}

absl::StatusOr<std::vector<std::string>> DecodeKeys(std::string_view bytes) {
  std::vector<std::string> keys;
  while (!bytes.empty()) {
    if (bytes.size() < sizeof(uint32_t)) return Garbled("split_keys");
    const size_t size = GetBigEndian<uint32_t>(bytes.data());
    bytes.remove_prefix(sizeof(uint32_t));
    if (bytes.size() < size) return Garbled("split_keys");
    keys.emplace_back(bytes.substr(0, size));
    bytes.remove_prefix(size);
  }
  return keys;
}

std::string Number(uint64_t number) { return std::to_string(number); }

std::string TextIn(const Columns& columns, const std::string& name) {
  const auto it = columns.find(name);
  return it == columns.end() ? "" : it->second;
}

absl::StatusOr<uint64_t> NumberIn(const Columns& columns, const std::string& name) {  // 0: no such column
  const std::string text = TextIn(columns, name);
  uint64_t number = 0;
  if (!text.empty() && !absl::SimpleAtoi(text, &number)) return Garbled(name);
  return number;
}

Columns Encode(const KeptProcedure& procedure, const Nonce& nonce) {
  Columns columns = {{"kind", NameOf(procedure.kind)}};
  if (nonce.value != 0) {
    columns["nonce_group"] = Number(nonce.group);
    columns["nonce"] = Number(nonce.value);
  }
  if (IsOfNamespace(procedure.kind)) {
    columns["namespace"] = EncodeNamespace(procedure.ns);
  } else {
    columns["table"] = EncodeTableDescriptor(procedure.table);
    columns["split_keys"] = EncodeKeys(procedure.split_keys);
    columns["preserve_splits"] = Number(procedure.preserve_splits);
    if (!procedure.owner.empty()) columns["owner"] = procedure.owner;
    if (!procedure.snapshot.name.empty()) columns["snapshot"] = procedure.snapshot.name;
    if (!procedure.snapshot.table.qualifier.empty()) {
      columns["snapshot_info"] = EncodeSnapshotDescription(procedure.snapshot);
    }
    if (!procedure.tracker.empty()) columns["tracker"] = procedure.tracker;
    if (procedure.before) columns["before"] = EncodeTableDescriptor(*procedure.before);
  }
  return columns;
}

// Returns the columns by which the next master answers for it once it has ended: names.
Columns EncodeEnded(const KeptProcedure& procedure, const Nonce& nonce) {
  KeptProcedure ended{
      .kind = procedure.kind, .table = {.name = procedure.table.name}, .preserve_splits = procedure.preserve_splits};
  ended.snapshot.name = procedure.snapshot.name;
  ended.ns.name = procedure.ns.name;
  return Encode(ended, nonce);
}

int64_t BytesOf(const Columns& columns) {
  return std::accumulate(columns.begin(), columns.end(), int64_t{0}, [](int64_t sum, const auto& column) {
    return sum + static_cast<int64_t>(column.second.size());
  });
}

absl::StatusOr<KeptProcedure> Decode(const Columns& columns) {
  KeptProcedure procedure;
  const std::string kind = TextIn(columns, "kind");
  const auto* const name = std::find(std::begin(kNames), std::end(kNames), kind);
  if (name == std::end(kNames)) {
    return Error(ErrorKind::kDeserialization, "a procedure of the unknown kind '" + kind + "'");
  }
  procedure.kind = static_cast<Kind>(name - std::begin(kNames));
  if (IsOfNamespace(procedure.kind)) {
    VAQUITA_ASSIGN_OR_RETURN(procedure.ns, DecodeNamespace(TextIn(columns, "namespace")));
  } else {
    VAQUITA_ASSIGN_OR_RETURN(procedure.table, DecodeTableDescriptor(TextIn(columns, "table")));
    VAQUITA_ASSIGN_OR_RETURN(procedure.split_keys, DecodeKeys(TextIn(columns, "split_keys")));
    VAQUITA_ASSIGN_OR_RETURN(const uint64_t preserve, NumberIn(columns, "preserve_splits"));
    procedure.preserve_splits = preserve != 0;
    procedure.owner = TextIn(columns, "owner");
    procedure.snapshot.name = TextIn(columns, "snapshot");
    if (columns.contains("snapshot_info")) {
      VAQUITA_ASSIGN_OR_RETURN(procedure.snapshot, DecodeSnapshotDescription(TextIn(columns, "snapshot_info")));
    }
    procedure.tracker = TextIn(columns, "tracker");
    if (columns.contains("before")) {
      VAQUITA_ASSIGN_OR_RETURN(procedure.before, DecodeTableDescriptor(TextIn(columns, "before")));
    }
  }
  return procedure;
}

// --- Changes of a part of a table.

template <typename T>
void Change(const T& before, const T& after, T* now) {
  if (before != after) *now = after;
}
template <typename Key, typename T>
void Change(const std::map<Key, T>& before, const std::map<Key, T>& after, std::map<Key, T>* now) {
  for (const auto& [key, value] : after) {
    const auto old = before.find(key);
    if (old == before.end() || old->second != value) (*now)[key] = value;
  }
  for (const auto& [key, value] : before) {
    if (!after.contains(key)) now->erase(key);
  }
}

// Makes the change that led from `before` to `after`, except of families.
void Change(const TableDescriptor& before, const TableDescriptor& after, TableDescriptor* now) {
  Change(before.max_file_bytes, after.max_file_bytes, &now->max_file_bytes);
  Change(before.memstore_flush_bytes, after.memstore_flush_bytes, &now->memstore_flush_bytes);
  Change(before.durability, after.durability, &now->durability);
  Change(before.read_only, after.read_only, &now->read_only);
  Change(before.compaction_enabled, after.compaction_enabled, &now->compaction_enabled);
  Change(before.split_enabled, after.split_enabled, &now->split_enabled);
  Change(before.merge_enabled, after.merge_enabled, &now->merge_enabled);
  Change(before.split_policy, after.split_policy, &now->split_policy);
  Change(before.attributes, after.attributes, &now->attributes);
  Change(before.configuration, after.configuration, &now->configuration);
}

// Makes the changes of families that led there, each as HBase does it now, or returns its refusal.
absl::Status ChangeFamilies(const TableDescriptor& before, const TableDescriptor& after, TableDescriptor* now) {
  for (const auto& [name, family] : after.families) {
    const FamilyDescriptor* const had = before.FindFamily(name);
    if (had == nullptr) {
      VAQUITA_RETURN_IF_ERROR(AddFamily(family, now));
    } else if (*had != family) {
      VAQUITA_RETURN_IF_ERROR(ModifyFamily(family, now));
    }
  }
  for (const auto& [name, family] : before.families) {
    if (!after.families.contains(name)) VAQUITA_RETURN_IF_ERROR(DeleteFamily(name, now));
  }
  return absl::OkStatus();
}

// --- The end of a procedure.

Columns EncodeEnd(int64_t now_ms, const absl::Status& status) {
  Columns columns = {{"ended", Number(static_cast<uint64_t>(now_ms))}};
  if (status.ok()) return columns;
  columns["exception"] = ExceptionClass(status);
  columns["error"] = std::string(status.message());
  return columns;
}

absl::Status EndIn(const Columns& columns) {
  const std::string exception = TextIn(columns, "exception");
  if (exception.empty()) return absl::OkStatus();
  ErrorKind kind = ErrorKind::kIO;
  KindOfExceptionClass(exception, &kind);
  return Error(kind, TextIn(columns, "error"));
}

}  // namespace

ProcedureStore::ProcedureStore(MasterParts* master, ProcedureExecutor* executor, ProcedureNonces* nonces,
                               std::function<bool()> ready)
    : master_(master), executor_(executor), nonces_(nonces), ready_(std::move(ready)) {}

absl::StatusOr<int64_t> ProcedureStore::Submit(const KeptProcedure& procedure, ProcedureExecutor::Body body) {
  VAQUITA_RETURN_IF_ERROR(CheckRowLength(LockOf(procedure)));  // the name is to be a row, or a part of one
  ForgetOld();
  if (body == nullptr) {
    body = [this, procedure](ProcedureExecutor::Progress& progress) { return Execute(procedure, progress); };
  }
  VAQUITA_ASSIGN_OR_RETURN(const auto hold, KeepSnapshot(procedure));
  const Nonce nonce = ProcedureNonces::Submitting();
  const Columns columns = Encode(procedure, nonce);
  const int64_t bytes = BytesOf(columns);
  VAQUITA_RETURN_IF_ERROR(executor_->HasRoom(bytes));
  VAQUITA_ASSIGN_OR_RETURN(const int64_t id, executor_->NewId());
  VAQUITA_RETURN_IF_ERROR(master_->store->PutProcedure(id, columns));
  const auto begin = [this, id, procedure, hold, body = std::move(body)](ProcedureExecutor::Progress& progress) {
    VAQUITA_RETURN_IF_ERROR(NoteBegin(id, procedure));
    return body(progress);
  };
  const absl::Status started = executor_->Start(id, DescriptionOf(procedure), LockOf(procedure),
                                                Noting(id, EncodeEnded(procedure, nonce), begin), bytes);
  if (started.ok()) return id;
  Forget(id);
  return started;
}

ProcedureExecutor::Body ProcedureStore::Noting(int64_t id, Columns kept, ProcedureExecutor::Body body) {
  return [this, id, kept = std::move(kept), body = std::move(body)](ProcedureExecutor::Progress& progress) {
    absl::Status status = body(progress);
    // An error may come of the master's end. Then the next master runs the procedure, and nobody is told of an end.
    if (IsError(status, ErrorKind::kMasterNotRunning)) return status;
    if (master_->stopping && !status.ok()) return Error(ErrorKind::kMasterNotRunning, "Master is stopping");
    const int64_t now_ms = master_->options.clock->NowMs();
    {
      std::lock_guard lock(mutex_);
      ended_.emplace_back(id, now_ms);
      Columns& end = not_noted_[id] = EncodeEnd(now_ms, status);
      end.insert(kept.begin(), kept.end());
    }
    // Should that fail, the next master looks, as after a crash.
    if (const auto noted = NoteEnds(); !noted.ok()) {
      spdlog::warn("cannot record the end of procedure {}: {}", id, noted.ToString());
    }
    return status;
  };
}

absl::StatusOr<std::shared_ptr<const SnapshotFolder::Hold>> ProcedureStore::KeepSnapshot(
    const KeptProcedure& procedure) const {
  if (procedure.snapshot.name.empty()) return nullptr;
  return master_->snapshots->Keep(procedure.snapshot);
}

absl::Status ProcedureStore::NoteBegin(int64_t id, const KeptProcedure& procedure) {
  VAQUITA_RETURN_IF_ERROR(NoteEnds());
  return WasDone(procedure) ? absl::OkStatus() : master_->store->PutProcedure(id, {{"begun", "1"}});
}

absl::Status ProcedureStore::NoteEnds() {
  std::unique_lock lock(mutex_);
  const auto ends = not_noted_;
  lock.unlock();
  for (const auto& [id, columns] : ends) {
    VAQUITA_RETURN_IF_ERROR(master_->store->ReplaceProcedure(id, columns));
    lock.lock();
    not_noted_.erase(id);
    lock.unlock();
  }
  return absl::OkStatus();
}

// --- At the start.

absl::Status ProcedureStore::Resume(const Known& known) {
  VAQUITA_ASSIGN_OR_RETURN(const auto procedures, master_->store->Procedures());
  // Requests that came at once may have been queued in another order than that of their ids, so one that had begun is
  // the first of its table, whatever its id.
  for (const bool had_begun : {true, false}) {
    for (const auto& [id, columns] : procedures) {
      if (columns.contains("begun") != had_begun) continue;
      // One that cannot be read is no reason to keep the others, and the tables, from their clients.
      if (const absl::Status status = Restore(id, columns, known); !status.ok()) {
        spdlog::error("procedure {} of an earlier master is passed over: {}", id, status.ToString());
      }
    }
  }
  return absl::OkStatus();
}

absl::Status ProcedureStore::Restore(int64_t id, const Columns& columns, const Known& known) {
  VAQUITA_ASSIGN_OR_RETURN(const uint64_t ended, NumberIn(columns, "ended"));
  const auto ended_ms = static_cast<int64_t>(ended);
  if (ended_ms != 0 && master_->options.clock->NowMs() - ended_ms > ProcedureExecutor::kKeepResultMs) {
    Forget(id);
    return absl::OkStatus();
  }
  VAQUITA_ASSIGN_OR_RETURN(const KeptProcedure procedure, Decode(columns));
  Nonce nonce;
  VAQUITA_ASSIGN_OR_RETURN(nonce.group, NumberIn(columns, "nonce_group"));
  VAQUITA_ASSIGN_OR_RETURN(nonce.value, NumberIn(columns, "nonce"));
  if (nonce.value != 0) nonces_->Know(nonce, id);
  known(id, procedure);
  if (ended_ms != 0) {
    executor_->AddEnded(id, DescriptionOf(procedure), LockOf(procedure), EndIn(columns), ended_ms);
    std::lock_guard lock(mutex_);
    ended_.emplace_back(id, ended_ms);
    return absl::OkStatus();
  }
  spdlog::info("procedure {} did not end in its master's life: {}", id, DescriptionOf(procedure));
  auto hold = KeepSnapshot(procedure);  // without its snapshot the procedure runs, and says so
  const auto again = [this, id, procedure, hold = std::move(hold),
                      had_begun = columns.contains("begun")](ProcedureExecutor::Progress& progress) {
    return RunAgain(id, procedure, had_begun, progress);
  };
  return executor_->Start(id, DescriptionOf(procedure), LockOf(procedure),
                          Noting(id, EncodeEnded(procedure, nonce), again), BytesOf(columns));
}

absl::Status ProcedureStore::RunAgain(int64_t id, const KeptProcedure& procedure, bool had_begun,
                                      ProcedureExecutor::Progress& progress) {
  constexpr std::chrono::milliseconds kCheckInterval{20};
  while (!ready_()) {
    if (master_->stopping) return Error(ErrorKind::kMasterNotRunning, "Master is stopping");
    std::this_thread::sleep_for(kCheckInterval);
  }
  if (procedure.kind == Kind::kEnableTable || procedure.kind == Kind::kDisableTable) {
    VAQUITA_RETURN_IF_ERROR(CompleteTableState(*master_, procedure.table.name, progress));
  }
  if (had_begun && WasDone(procedure)) return UpdateBeside(procedure);
  VAQUITA_RETURN_IF_ERROR(NoteBegin(id, procedure));
  return procedure.before ? ChangeTable(procedure, had_begun, progress) : Execute(procedure, progress);
}

absl::Status ProcedureStore::ChangeTable(const KeptProcedure& procedure, bool had_begun,
                                         ProcedureExecutor::Progress& progress) {
  return AlterTable(
      *master_, procedure.table.name,
      [&](TableDescriptor* now) {
        Change(*procedure.before, procedure.table, now);
        if (!had_begun) return ChangeFamilies(*procedure.before, procedure.table, now);
        Change(procedure.before->families, procedure.table.families, &now->families);  // part of it may be done
        return absl::OkStatus();
      },
      progress);
}

absl::Status ProcedureStore::UpdateBeside(const KeptProcedure& procedure) {
  const TableName& table = procedure.table.name;
  switch (procedure.kind) {
    case Kind::kCreateTable:
    case Kind::kCloneSnapshot:
      return GrantToOwner(*master_, table, procedure.owner);
    case Kind::kDeleteTable:
      return ForgetBeside(*master_, table);
    case Kind::kDeleteNamespace:
      return ForgetBeside(*master_, procedure.ns.name);
    default:
      return absl::OkStatus();
  }
}

bool ProcedureStore::WasDone(const KeptProcedure& procedure) const {
  const TableName& table = procedure.table.name;
  const auto is_in = [&](TableState state) {
    const auto now = master_->catalog.State(table);
    return now.ok() && *now == state;
  };
  switch (procedure.kind) {
    case Kind::kCreateTable:
    case Kind::kCloneSnapshot:
      return master_->catalog.Contains(table);
    case Kind::kDeleteTable:
      return !master_->catalog.Contains(table);
    case Kind::kTruncateTable:  // it begins with a disabled table
    case Kind::kEnableTable:
      return is_in(TableState::kEnabled);
    case Kind::kDisableTable:
      return is_in(TableState::kDisabled);
    case Kind::kCreateNamespace:
      return master_->namespaces->Get(procedure.ns.name).ok();
    case Kind::kDeleteNamespace:
      return !master_->namespaces->Get(procedure.ns.name).ok();
    case Kind::kModifyTable:
    case Kind::kRestoreSnapshot:
    case Kind::kModifyNamespace:
      return false;  // nothing changes if it is done twice
  }
  return false;
}

absl::Status ProcedureStore::Execute(const KeptProcedure& procedure, ProcedureExecutor::Progress& progress) {
  const TableName& table = procedure.table.name;
  switch (procedure.kind) {
    case Kind::kCreateTable:
      VAQUITA_RETURN_IF_ERROR(CreateTable(*master_, procedure.table, procedure.split_keys, progress));
      return UpdateBeside(procedure);
    case Kind::kDeleteTable:
      return DeleteTable(*master_, table, progress);
    case Kind::kTruncateTable:
      return TruncateTable(*master_, table, procedure.preserve_splits, progress);
    case Kind::kEnableTable:
      return EnableTable(*master_, table, progress);
    case Kind::kDisableTable:
      return DisableTable(*master_, table, progress);
    case Kind::kModifyTable:
      return ModifyTable(*master_, procedure.table, progress);
    case Kind::kCloneSnapshot:
      VAQUITA_RETURN_IF_ERROR(CloneSnapshot(*master_, procedure.snapshot, table, procedure.tracker, progress));
      return UpdateBeside(procedure);
    case Kind::kRestoreSnapshot:
      return RestoreSnapshot(*master_, procedure.snapshot, table, progress);
    case Kind::kCreateNamespace:
      return master_->namespaces->Create(procedure.ns);
    case Kind::kModifyNamespace:
      return master_->namespaces->Modify(procedure.ns);
    case Kind::kDeleteNamespace:
      return DeleteNamespace(*master_, procedure.ns.name);
  }
  return absl::OkStatus();
}

// --- Forgetting.

void ProcedureStore::Forget(int64_t id) {
  if (const auto status = master_->store->DeleteProcedure(id); !status.ok()) {
    spdlog::warn("procedure {}: {}", id, status.ToString());  // the next start does it
  }
}

void ProcedureStore::ForgetOld() {
  const int64_t now_ms = master_->options.clock->NowMs();
  std::vector<int64_t> old;
  {
    std::lock_guard lock(mutex_);
    while (!ended_.empty() && (now_ms - ended_.front().second > ProcedureExecutor::kKeepResultMs ||
                               ended_.size() > ProcedureExecutor::kKeepResults)) {
      old.push_back(ended_.front().first);
      ended_.pop_front();
    }
  }
  for (const int64_t id : old) Forget(id);
}

}  // namespace vaquita
