// server/frontend/grpc/grpc_admin_answer.h: the answer of each method of the gRPC AdminService: through the gate, once
// the server is running, and if the caller may.
//
// Threads: as GrpcAdminService.
#pragma once

#include "absl/strings/str_cat.h"
#include "proto/vaquita/status_codec.h"
#include "server/frontend/grpc/grpc_admin_access.h"
#include "server/frontend/grpc/grpc_admin_service.h"
#include "server/frontend/grpc/grpc_gate.h"

namespace vaquita {

template <typename Body>
grpc::Status GrpcAdminService::Answer(const AdminCall& call, Body body) const {
  return master_elsewhere_ != nullptr ? SendToMaster(call) : AnswerHere(call, body);
}

template <typename Body>
grpc::Status GrpcAdminService::AnswerWaiting(const AdminCall& call, Body body) const {
  const grpc::Status answer =
      waiting_++ < most_waiting_
          ? Answer(call, body)
          : ToGrpcStatus(absl::UnavailableError(absl::StrCat(
                most_waiting_, " calls wait for procedures and compactions already, and no more may; ask again")));
  --waiting_;
  return answer;
}

template <typename Body>
grpc::Status GrpcAdminService::AnswerHere(const AdminCall& call, Body body) const {
  return ThroughGate(
      slot_->gate(), {.service = call.service, .method = call.method, .context = call.context, .request = call.request},
      [&] { return TargetsOfFields(call.request); },
      [&]() -> absl::Status {
        VAQUITA_ASSIGN_OR_RETURN(const Serving serving, slot_->Get());
        if (const AccessControl* access = slot_->access()) {
          VAQUITA_ASSIGN_OR_RETURN(const Caller caller, slot_->CallerOf(call.context));
          VAQUITA_RETURN_IF_ERROR(CheckAdminMethod(*access, caller, serving, call.method, call.request));
        }
        return body(serving);
      });
}

}  // namespace vaquita
