// Procedures: their outcomes, lists of them and of their locks, and the older kind that is started by name.
#include <string>
#include <string_view>
#include <vector>

#include "hbase/Master.pb.h"
#include "model/table_name.h"
#include "server/frontend/hbase/master_service_methods.h"

namespace vaquita::hbase {
namespace {

// A client that asks for a procedure which is about to end is better served by a late answer than by one that makes it
// ask again, 100 ms later by default.
constexpr int64_t kPatienceMs = 50;

constexpr std::string_view kFlushTable = "flush-table-proc";  // MasterFlushTableProcedureManager
constexpr int64_t kFlushTimeoutMs = 300'000;                  // SnapshotDescriptionUtils.DEFAULT_MAX_WAIT_TIME

void EncodeException(const Procedure& procedure, pb::ForeignExceptionMessage* out) {
  auto* exception = out->mutable_generic_exception();
  exception->set_class_name(procedure.exception_class);
  exception->set_message(procedure.error);
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

absl::Status GetProcedures(const ServiceCall& call, const pb::GetProceduresRequest&,
                           pb::GetProceduresResponse* response) {
  for (const Procedure& procedure : call.master->ListProcedures())
    EncodeProcedure(procedure, response->add_procedure());
  return absl::OkStatus();
}

absl::Status ListProcedures(const ServiceCall& call, const pb::ListProceduresRequest&,
                            pb::ListProceduresResponse* response) {
  for (const Procedure& procedure : call.master->ListProcedures())
    EncodeProcedure(procedure, response->add_procedure());
  return absl::OkStatus();
}

absl::Status GetLocks(const ServiceCall& call, const pb::GetLocksRequest&, pb::GetLocksResponse* response) {
  const std::vector<Procedure> procedures = call.master->ListProcedures();
  for (const Procedure& owner : procedures) {
    if (!owner.locked) continue;
    pb::LockedResource* lock = response->add_lock();
    const bool is_namespace = owner.lock.back() == ':';
    lock->set_resource_type(is_namespace ? pb::NAMESPACE : pb::TABLE);
    lock->set_resource_name(is_namespace ? owner.lock.substr(0, owner.lock.size() - 1) : owner.lock);
    lock->set_lock_type(pb::EXCLUSIVE);
    lock->set_shared_lock_count(0);
    EncodeProcedure(owner, lock->mutable_exclusive_lock_owner_procedure());
    for (const Procedure& waiting : procedures) {
      const bool waits = waiting.state == Procedure::State::kRunning && !waiting.locked && waiting.lock == owner.lock;
      if (waits) EncodeProcedure(waiting, lock->add_waitingprocedures());
    }
  }
  return absl::OkStatus();
}

// No procedure can be aborted: each ends by itself, soon.
absl::Status AbortProcedure(const ServiceCall&, const pb::AbortProcedureRequest&,
                            pb::AbortProcedureResponse* response) {
  response->set_is_procedure_aborted(false);
  return absl::OkStatus();
}

absl::Status NotRegistered(const pb::ProcedureDescription& procedure) {
  return Error(ErrorKind::kDoNotRetryIO, "The procedure is not registered: " + procedure.signature());
}

// How clients before 2.6 flush a table: the instance is its name.
absl::Status ExecProcedure(const ServiceCall& call, const pb::ExecProcedureRequest& request,
                           pb::ExecProcedureResponse* response) {
  const pb::ProcedureDescription& procedure = request.procedure();
  if (procedure.signature() != kFlushTable) return NotRegistered(procedure);
  VAQUITA_ASSIGN_OR_RETURN(const TableName table, TableName::Parse(procedure.instance()));
  std::vector<std::string> families;
  for (const auto& pair : procedure.configuration()) {
    if (pair.name() == "family") families.push_back(pair.value());
  }
  VAQUITA_ASSIGN_OR_RETURN(const int64_t id, call.master->FlushTableAsync(table, families));
  VAQUITA_RETURN_IF_ERROR(call.master->Wait(id));
  response->set_expected_timeout(kFlushTimeoutMs);
  return absl::OkStatus();
}

// A flush has ended when ExecProcedure answers.
absl::Status IsProcedureDone(const ServiceCall&, const pb::IsProcedureDoneRequest& request,
                             pb::IsProcedureDoneResponse* response) {
  if (request.procedure().signature() != kFlushTable) return NotRegistered(request.procedure());
  response->set_done(true);
  return absl::OkStatus();
}

}  // namespace

void AddProcedureMethods(ServiceMethods* methods) {
  using enum ServiceMethods::Pace;
  methods->Add("getProcedureResult", kWaits, &GetProcedureResult);
  methods->Add("GetProcedures", kQuick, &GetProcedures);
  methods->Add("ListProcedures", kQuick, &ListProcedures);
  methods->Add("GetLocks", kQuick, &GetLocks);
  methods->Add("AbortProcedure", kQuick, &AbortProcedure);
  methods->Add("ExecProcedure", kWaits, &ExecProcedure);
  methods->Add("ExecProcedureWithRet", kWaits, &ExecProcedure);
  methods->Add("IsProcedureDone", kQuick, &IsProcedureDone);
}

}  // namespace vaquita::hbase
