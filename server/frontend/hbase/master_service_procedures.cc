// Procedures: their outcomes, lists of them and of their locks, and the older kind that is started by name.
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/match.h"
#include "base/status.h"
#include "base/unicode.h"
#include "hbase/Master.pb.h"
#include "model/snapshot_description.h"
#include "model/table_name.h"
#include "server/frontend/hbase/master_service_methods.h"
#include "server/frontend/hbase/method_access.h"

namespace vaquita::hbase {
namespace {

// A client that asks for a procedure which is about to end is better served by a late answer than by one that makes it
// ask again, 100 ms later by default.
constexpr int64_t kPatienceMs = 50;

constexpr std::string_view kFlushTable = "flush-table-proc";  // MasterFlushTableProcedureManager
constexpr std::string_view kSnapshot = "online-snapshot";     // SnapshotManager

void EncodeException(const Procedure& procedure, pb::ForeignExceptionMessage* out) {
  auto* exception = out->mutable_generic_exception();
  exception->set_class_name(procedure.exception_class);
  std::string scratch;  // the message may show a client's bytes
  exception->set_message(std::string(Utf8AsJavaReads(procedure.error, &scratch)));
}

absl::Status GetProcedureResult(const ServiceCall& call, const pb::GetProcedureResultRequest& request,
                                pb::GetProcedureResultResponse* response) {
  const auto procedure = call.master->AwaitProcedure(static_cast<int64_t>(request.proc_id()), kPatienceMs);
  if (!procedure.ok()) {
    response->set_state(pb::GetProcedureResultResponse::NOT_FOUND);
    return absl::OkStatus();
  }
  response->set_submitted_time(static_cast<uint64_t>(procedure->submitted_ms));
  response->set_last_update(static_cast<uint64_t>(procedure->updated_ms));
  const bool running = procedure->state == Procedure::State::kRunning;
  response->set_state(running ? pb::GetProcedureResultResponse::RUNNING : pb::GetProcedureResultResponse::FINISHED);
  if (procedure->state == Procedure::State::kFailed) EncodeException(*procedure, response->mutable_exception());
  return absl::OkStatus();
}

void EncodeProcedure(const Procedure& procedure, pb::Procedure* out) {
  const std::string name = procedure.description.substr(0, procedure.description.find(' '));
  out->set_class_name("org.apache.hadoop.hbase.master.procedure." + name);
  out->set_proc_id(static_cast<uint64_t>(procedure.id));
  out->set_submitted_time(static_cast<uint64_t>(procedure.submitted_ms));
  out->set_last_update(static_cast<uint64_t>(procedure.updated_ms));
  out->set_locked(procedure.locked);
  switch (procedure.state) {
    case Procedure::State::kRunning:
      out->set_state(pb::RUNNABLE);
      break;
    case Procedure::State::kDone:
      out->set_state(pb::SUCCESS);
      break;
    case Procedure::State::kFailed:
      out->set_state(pb::ROLLEDBACK);
      EncodeException(procedure, out->mutable_exception());
      break;
  }
}

// The method has one name in HBase 1.x, and another since.
template <typename Request, typename Response>
absl::Status GetProcedures(const ServiceCall& call, const Request&, Response* response) {
  for (const Procedure& procedure : call.master->ListProcedures()) {
    EncodeProcedure(procedure, response->add_procedure());
  }
  return absl::OkStatus();
}

absl::Status GetLocks(const ServiceCall& call, const pb::GetLocksRequest&, pb::GetLocksResponse* response) {
  const std::vector<Procedure> procedures = call.master->ListProcedures();
  std::map<int64_t, const Procedure*> by_id;
  for (const Procedure& procedure : procedures) by_id[procedure.id] = &procedure;
  for (const LockedResource& locked : LocksOf(procedures)) {
    pb::LockedResource* lock = response->add_lock();
    lock->set_resource_type(static_cast<pb::LockedResourceType>(pb::SERVER + static_cast<int>(locked.type)));
    lock->set_resource_name(locked.name);
    lock->set_lock_type(pb::EXCLUSIVE);
    lock->set_shared_lock_count(0);
    EncodeProcedure(*by_id[locked.owner], lock->mutable_exclusive_lock_owner_procedure());
    for (const int64_t id : locked.waiting) EncodeProcedure(*by_id[id], lock->add_waitingprocedures());
  }
  return absl::OkStatus();
}

// No procedure can be aborted: each ends by itself, soon.
absl::Status AbortProcedure(const ServiceCall&, const pb::AbortProcedureRequest&,
                            pb::AbortProcedureResponse* response) {
  response->set_is_procedure_aborted(false);
  return absl::OkStatus();
}

std::string NotRegistered(const pb::ProcedureDescription& procedure) {
  return "The procedure is not registered: " + procedure.signature();
}

// Clients before 2.6 flush a table so: the instance is its name. As in HBase, a table or family that is not there has
// nothing to flush.
absl::Status ExecFlush(const ServiceCall& call, const pb::ProcedureDescription& procedure) {
  VAQUITA_ASSIGN_OR_RETURN(const TableName table, TableName::Parse(procedure.instance()));
  std::vector<std::string> families;
  for (const auto& pair : procedure.configuration()) {
    if (pair.name() == "family") families.push_back(pair.value());
  }
  const absl::StatusOr<int64_t> id = call.master->FlushTableAsync(table, families);
  const absl::Status status = id.ok() ? WaitForEnd(call, *id) : id.status();
  const bool nothing = IsError(status, ErrorKind::kTableNotFound) || IsError(status, ErrorKind::kNoSuchColumnFamily);
  return nothing ? absl::OkStatus() : status;
}

// The snapshot that SnapshotManager.toSnapshotDescription makes of it.
absl::StatusOr<SnapshotDescription> SnapshotOf(const pb::ProcedureDescription& procedure) {
  const std::string shown = "signature: \"" + procedure.signature() + "\"";
  if (!procedure.has_instance()) return Error(ErrorKind::kIO, "Snapshot name is not defined: " + shown);
  const std::string* table = nullptr;
  for (const auto& pair : procedure.configuration()) {
    if (absl::EqualsIgnoreCase(pair.name(), "table")) table = &pair.value();
  }
  if (table == nullptr) return Error(ErrorKind::kIO, "Snapshot table is not defined: " + shown);
  SnapshotDescription snapshot;
  VAQUITA_ASSIGN_OR_RETURN(snapshot.table, TableName::Parse(*table));
  snapshot.name = procedure.instance();
  return snapshot;
}

absl::Status ExecProcedure(const ServiceCall& call, const pb::ExecProcedureRequest& request,
                           pb::ExecProcedureResponse* response) {
  const pb::ProcedureDescription& procedure = request.procedure();
  response->set_expected_timeout(kMaxWaitMs);
  if (procedure.signature() == kFlushTable) return ExecFlush(call, procedure);
  if (procedure.signature() == kSnapshot) {
    VAQUITA_ASSIGN_OR_RETURN(SnapshotDescription snapshot, SnapshotOf(procedure));
    snapshot.owner = OwnerFor(call);
    return call.master->SnapshotAsync(snapshot, /*polled=*/true).status();
  }
  return Error(ErrorKind::kDoNotRetryIO, NotRegistered(procedure));
}

// Neither of the two has a result, so HBase does nothing for a caller that wants one.
absl::Status ExecProcedureWithResult(const ServiceCall&, const pb::ExecProcedureRequest& request,
                                     pb::ExecProcedureResponse*) {
  const std::string& signature = request.procedure().signature();
  if (signature == kFlushTable || signature == kSnapshot) return absl::OkStatus();
  return Error(ErrorKind::kIO, NotRegistered(request.procedure()));
}

// A flush has ended when ExecProcedure answers.
absl::Status IsProcedureDone(const ServiceCall& call, const pb::IsProcedureDoneRequest& request,
                             pb::IsProcedureDoneResponse* response) {
  const pb::ProcedureDescription& procedure = request.procedure();
  if (procedure.signature() == kFlushTable) {
    response->set_done(true);
    return absl::OkStatus();
  }
  if (procedure.signature() != kSnapshot) return Error(ErrorKind::kIO, NotRegistered(procedure));
  VAQUITA_ASSIGN_OR_RETURN(const SnapshotDescription snapshot, SnapshotOf(procedure));
  VAQUITA_ASSIGN_OR_RETURN(const bool done, call.master->IsSnapshotDone(snapshot));
  response->set_done(done);
  return absl::OkStatus();
}

}  // namespace

void AddProcedureMethods(ServiceMethods* methods) {
  using enum ServiceMethods::Pace;
  methods->Add("getProcedureResult", kWaits, &GetProcedureResult);
  methods->Add("GetProcedures", kQuick, &GetProcedures<pb::GetProceduresRequest, pb::GetProceduresResponse>);
  methods->Add("ListProcedures", kQuick, &GetProcedures<pb::ListProceduresRequest, pb::ListProceduresResponse>);
  methods->Add("GetLocks", kQuick, &GetLocks);
  methods->Add("AbortProcedure", kQuick, &AbortProcedure);
  methods->Add("ExecProcedure", kWaits, &ExecProcedure);
  methods->Add("ExecProcedureWithRet", kQuick, &ExecProcedureWithResult);
  methods->Add("IsProcedureDone", kQuick, &IsProcedureDone);
}

}  // namespace vaquita::hbase
