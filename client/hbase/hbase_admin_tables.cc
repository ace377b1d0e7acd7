#include "client/hbase/hbase_admin.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "hbase/Master.pb.h"
#include "model/split_algorithm.h"
#include "proto/hbase/schema_codec.h"
#include "proto/hbase/snapshot_codec.h"
#include "proto/hbase/status_codec.h"

namespace vaquita::client {

using std::chrono::milliseconds;

// --- Tables.

absl::StatusOr<int64_t> HBaseAdmin::CreateTableAsync(const TableDescriptor& table,
                                                     const std::vector<std::string>& split_keys) {
  // HBase's master leaves this to its clients: it would wait for such a table's regions for ever.
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<std::string> sorted_keys, CheckSplitKeys(split_keys));
  pb::CreateTableRequest request;
  EncodeTable(table, request.mutable_table_schema());
  for (const std::string& key : sorted_keys) request.add_split_keys(key);
  return Start<pb::CreateTableResponse>("CreateTable", &request);
}

// --- Procedures.

absl::StatusOr<Procedure> HBaseAdmin::GetProcedure(int64_t id) {
  pb::GetProcedureResultRequest request;
  request.set_proc_id(static_cast<uint64_t>(id));
  pb::GetProcedureResultResponse response;
  VAQUITA_RETURN_IF_ERROR(AskMaster("getProcedureResult", request, &response));
  if (response.state() == pb::GetProcedureResultResponse::NOT_FOUND) {
    return absl::NotFoundError(absl::StrCat("unknown procedure ", id));
  }
  Procedure procedure;
  procedure.id = id;
  procedure.submitted_ms = static_cast<int64_t>(response.submitted_time());
  procedure.updated_ms = static_cast<int64_t>(response.last_update());
  if (response.state() != pb::GetProcedureResultResponse::FINISHED) return procedure;
  procedure.state = Procedure::State::kDone;
  if (!response.has_exception()) return procedure;
  const absl::Status error = DecodeStatus(response.exception());
  procedure.state = Procedure::State::kFailed;
  procedure.exception_class = ExceptionClass(error);
  procedure.error = std::string(error.message());
  return procedure;
}

// A procedure that is unknown, or forgotten, counts as done, as in HBase's clients.
absl::Status HBaseAdmin::WaitForProcedure(int64_t id) {
  pb::GetProcedureResultRequest request;
  request.set_proc_id(static_cast<uint64_t>(id));
  return WaitUntil(
      [&]() -> absl::StatusOr<bool> {
        pb::GetProcedureResultResponse response;
        VAQUITA_RETURN_IF_ERROR(AskMaster("getProcedureResult", request, &response));
        if (response.has_exception()) return DecodeStatus(response.exception());
        return response.state() != pb::GetProcedureResultResponse::RUNNING;
      },
      absl::StrCat("procedure ", id));
}

absl::Status HBaseAdmin::WaitUntil(absl::FunctionRef<absl::StatusOr<bool>()> done, std::string_view unfinished) const {
  constexpr milliseconds kLongestPause{100};
  const TimePoint deadline = std::chrono::steady_clock::now() + milliseconds(options().operation_timeout_ms);
  for (milliseconds pause{1};; pause = std::min(2 * pause, kLongestPause)) {
    VAQUITA_ASSIGN_OR_RETURN(const bool is_done, done());
    if (is_done) return absl::OkStatus();
    if (std::chrono::steady_clock::now() >= deadline) {
      return absl::DeadlineExceededError(absl::StrCat(std::string(unfinished), " is still running"));
    }
    std::this_thread::sleep_for(pause);
  }
}

absl::StatusOr<std::vector<Procedure>> HBaseAdmin::ListProcedures() {
  pb::GetProceduresResponse response;
  VAQUITA_RETURN_IF_ERROR(AskMaster("GetProcedures", pb::GetProceduresRequest(), &response));
  std::vector<Procedure> procedures;
  for (const pb::Procedure& message : response.procedure()) {
    Procedure& procedure = procedures.emplace_back();
    procedure.id = static_cast<int64_t>(message.proc_id());
    procedure.description = message.class_name().substr(message.class_name().rfind('.') + 1);
    procedure.submitted_ms = static_cast<int64_t>(message.submitted_time());
    procedure.updated_ms = static_cast<int64_t>(message.last_update());
    procedure.locked = message.locked();
    if (message.has_exception()) {
      const absl::Status error = DecodeStatus(message.exception());
      procedure.state = Procedure::State::kFailed;
      procedure.exception_class = ExceptionClass(error);
      procedure.error = std::string(error.message());
    } else if (message.state() == pb::SUCCESS) {
      procedure.state = Procedure::State::kDone;
    }
  }
  return procedures;
}

absl::StatusOr<std::vector<LockedResource>> HBaseAdmin::ListLocks() {
  pb::GetLocksResponse response;
  VAQUITA_RETURN_IF_ERROR(AskMaster("GetLocks", pb::GetLocksRequest(), &response));
  std::vector<LockedResource> locks;
  for (const pb::LockedResource& message : response.lock()) {
    LockedResource& lock = locks.emplace_back();
    lock.type = static_cast<LockedResource::Type>(message.resource_type() - pb::SERVER);
    lock.name = message.resource_name();
    lock.exclusive = message.lock_type() == pb::EXCLUSIVE;
    lock.owner = static_cast<int64_t>(message.exclusive_lock_owner_procedure().proc_id());
    lock.shared_count = message.shared_lock_count();
    for (const pb::Procedure& waiting : message.waitingprocedures()) {
      lock.waiting.push_back(static_cast<int64_t>(waiting.proc_id()));
    }
  }
  return locks;
}

absl::Status HBaseAdmin::DeleteTable(const TableName& table) {
  pb::DeleteTableRequest request;
  EncodeTableName(table, request.mutable_table_name());
  return StartAndWait<pb::DeleteTableResponse>("DeleteTable", &request);
}

absl::Status HBaseAdmin::TruncateTable(const TableName& table, bool preserve_splits) {
  pb::TruncateTableRequest request;
  EncodeTableName(table, request.mutable_tablename());
  request.set_preservesplits(preserve_splits);
  return StartAndWait<pb::TruncateTableResponse>("truncateTable", &request);
}

absl::Status HBaseAdmin::EnableTable(const TableName& table) {
  pb::EnableTableRequest request;
  EncodeTableName(table, request.mutable_table_name());
  return StartAndWait<pb::EnableTableResponse>("EnableTable", &request);
}

absl::Status HBaseAdmin::DisableTable(const TableName& table) {
  pb::DisableTableRequest request;
  EncodeTableName(table, request.mutable_table_name());
  return StartAndWait<pb::DisableTableResponse>("DisableTable", &request);
}

absl::Status HBaseAdmin::ModifyTable(const TableDescriptor& table) {
  pb::ModifyTableRequest request;
  EncodeTableName(table.name, request.mutable_table_name());
  EncodeTable(table, request.mutable_table_schema());
  return StartAndWait<pb::ModifyTableResponse>("ModifyTable", &request);
}

absl::StatusOr<TableDescriptor> HBaseAdmin::GetDescriptor(const TableName& table) {
  pb::GetTableDescriptorsRequest request;
  EncodeTableName(table, request.add_table_names());
  pb::GetTableDescriptorsResponse response;
  VAQUITA_RETURN_IF_ERROR(AskMaster("GetTableDescriptors", request, &response));
  if (response.table_schema_size() == 0) return Error(ErrorKind::kTableNotFound, table.ToString());
  return DecodeTable(response.table_schema(0));
}

absl::StatusOr<std::vector<TableName>> HBaseAdmin::ListTableNames(std::string_view regex, bool system) {
  pb::GetTableNamesRequest request;
  if (!regex.empty()) request.set_regex(regex.data(), regex.size());
  request.set_include_sys_tables(system);
  pb::GetTableNamesResponse response;
  VAQUITA_RETURN_IF_ERROR(AskMaster("GetTableNames", request, &response));
  std::vector<TableName> tables;
  for (const pb::TableName& name : response.table_names()) {
    VAQUITA_ASSIGN_OR_RETURN(tables.emplace_back(), DecodeTableName(name));
  }
  std::sort(tables.begin(), tables.end());
  return tables;
}

// --- Namespaces.

absl::Status HBaseAdmin::CreateNamespace(const NamespaceDescriptor& ns) {
  pb::CreateNamespaceRequest request;
  EncodeNamespace(ns, request.mutable_namespacedescriptor());
  return StartAndWait<pb::CreateNamespaceResponse>("CreateNamespace", &request);
}

absl::Status HBaseAdmin::ModifyNamespace(const NamespaceDescriptor& ns) {
  pb::ModifyNamespaceRequest request;
  EncodeNamespace(ns, request.mutable_namespacedescriptor());
  return StartAndWait<pb::ModifyNamespaceResponse>("ModifyNamespace", &request);
}

absl::Status HBaseAdmin::DeleteNamespace(std::string_view name) {
  pb::DeleteNamespaceRequest request;
  request.set_namespacename(name.data(), name.size());
  return StartAndWait<pb::DeleteNamespaceResponse>("DeleteNamespace", &request);
}

absl::StatusOr<std::vector<NamespaceDescriptor>> HBaseAdmin::ListNamespaces() {
  pb::ListNamespaceDescriptorsResponse response;
  VAQUITA_RETURN_IF_ERROR(AskMaster("ListNamespaceDescriptors", pb::ListNamespaceDescriptorsRequest(), &response));
  std::vector<NamespaceDescriptor> namespaces;
  for (const pb::NamespaceDescriptor& ns : response.namespacedescriptor()) namespaces.push_back(DecodeNamespace(ns));
  return namespaces;
}

absl::StatusOr<NamespaceDescriptor> HBaseAdmin::GetNamespace(std::string_view name) {
  pb::GetNamespaceDescriptorRequest request;
  request.set_namespacename(name.data(), name.size());
  pb::GetNamespaceDescriptorResponse response;
  VAQUITA_RETURN_IF_ERROR(AskMaster("GetNamespaceDescriptor", request, &response));
  return DecodeNamespace(response.namespacedescriptor());
}

// --- Snapshots.

absl::Status HBaseAdmin::DeleteSnapshot(std::string_view name) {
  pb::DeleteSnapshotRequest request;
  request.mutable_snapshot()->set_name(name.data(), name.size());
  pb::DeleteSnapshotResponse response;
  return TellMaster("DeleteSnapshot", request, &response);
}

absl::Status HBaseAdmin::TakeSnapshot(const SnapshotDescription& snapshot) {
  pb::SnapshotRequest request;
  EncodeSnapshot(snapshot, request.mutable_snapshot());
  request.set_nonce_group(nonce_group_);
  request.set_nonce(NextNonce());
  pb::SnapshotResponse response;
  VAQUITA_RETURN_IF_ERROR(AskMaster("Snapshot", request, &response));
  return response.has_proc_id() ? WaitForProcedure(response.proc_id()) : WaitForSnapshot(request.snapshot());
}

// Servers before 2.6 have no procedure for it.
absl::Status HBaseAdmin::WaitForSnapshot(const pb::SnapshotDescription& snapshot) {
  pb::IsSnapshotDoneRequest request;
  *request.mutable_snapshot() = snapshot;
  return WaitUntil(
      [&]() -> absl::StatusOr<bool> {
        pb::IsSnapshotDoneResponse response;
        VAQUITA_RETURN_IF_ERROR(AskMaster("IsSnapshotDone", request, &response));
        return response.done();
      },
      "the snapshot " + snapshot.name());
}

// The order is HBase's, that of its folders, so it is undefined.
absl::StatusOr<std::vector<SnapshotDescription>> HBaseAdmin::ReadSnapshots() {
  pb::GetCompletedSnapshotsResponse response;
  VAQUITA_RETURN_IF_ERROR(AskMaster("GetCompletedSnapshots", pb::GetCompletedSnapshotsRequest(), &response));
  std::vector<SnapshotDescription> snapshots;
  for (const pb::SnapshotDescription& message : response.snapshots()) {
    VAQUITA_ASSIGN_OR_RETURN(snapshots.emplace_back(), DecodeSnapshot(message));
  }
  std::sort(snapshots.begin(), snapshots.end(),
            [](const SnapshotDescription& a, const SnapshotDescription& b) { return a.name < b.name; });
  return snapshots;
}

absl::StatusOr<int64_t> HBaseAdmin::StartRestoration(std::string_view snapshot, const TableName& to,
                                                     std::string_view tracker) {
  pb::RestoreSnapshotRequest request;
  request.mutable_snapshot()->set_name(snapshot.data(), snapshot.size());
  request.mutable_snapshot()->set_table(to.ToString());
  if (!tracker.empty()) request.set_customsft(tracker.data(), tracker.size());
  return Start<pb::RestoreSnapshotResponse>("RestoreSnapshot", &request);
}

}  // namespace vaquita::client
