// server/frontend/hbase/master_service_methods.h: MasterService's methods, in groups, each with a file of its own.
#pragma once

#include <cstdint>
#include <functional>

#include "server/frontend/hbase/client_call.h"
#include "server/frontend/hbase/rpc/rpc_frame.h"
#include "server/frontend/hbase/service_methods.h"

namespace vaquita::hbase {

// The time that clients are told to wait for a snapshot, or for a procedure that was started by name.
inline constexpr int64_t kMaxWaitMs = 300'000;  // SnapshotDescriptionUtils.DEFAULT_MAX_WAIT_TIME

// Waits for the procedure's end as long as the client does.
inline absl::Status WaitForEnd(const ServiceCall& call, int64_t id) {
  return call.master->Wait(id, call.rpc.context.watch);
}

// Starts a procedure for a request that carries a nonce. Clients before 2.0 take the answer for its end
// (ProcedurePrepareLatch.createLatch(2, 0) in HMaster).
template <typename Request, typename Response>
absl::Status StartOnce(const ServiceCall& call, const Request& request, Response* response,
                       const std::function<absl::StatusOr<int64_t>()>& submit) {
  VAQUITA_ASSIGN_OR_RETURN(const int64_t id, call.master->SubmitOnce({request.nonce_group(), request.nonce()}, submit));
  response->set_proc_id(static_cast<uint64_t>(id));
  return ClientIsAtLeast(call.rpc.client_version, 2, 0) ? absl::OkStatus() : WaitForEnd(call, id);
}

// The groups.
void AddTableMethods(ServiceMethods* methods);
void AddFamilyMethods(ServiceMethods* methods);
void AddNamespaceMethods(ServiceMethods* methods);
void AddRegionMethods(ServiceMethods* methods);
void AddClusterMethods(ServiceMethods* methods);
void AddSwitchMethods(ServiceMethods* methods);
void AddProcedureMethods(ServiceMethods* methods);
void AddSnapshotMethods(ServiceMethods* methods);
void AddReplicationMethods(ServiceMethods* methods);
void AddQuotaMethods(ServiceMethods* methods);
void AddRightsMethods(ServiceMethods* methods);

}  // namespace vaquita::hbase
