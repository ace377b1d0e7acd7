#include "server/frontend/grpc/grpc_test_service.h"

#include "proto/vaquita/status_codec.h"
#include "server/frontend/grpc/grpc_gate.h"
#include "server/test_control/control_requests.h"

namespace vaquita {

grpc::Status GrpcTestService::Answer(const grpc::ServerContext& context, absl::FunctionRef<absl::Status()> run) const {
  if (!control_.MayControl(GrpcClientAddress(context))) {
    return {grpc::StatusCode::PERMISSION_DENIED,
            "the test control takes requests from this machine only; --test-control=any takes them from everywhere"};
  }
  return ToGrpcStatus(run());
}

grpc::Status GrpcTestService::Reset(grpc::ServerContext* context, const v1::ResetRequest* request,
                                    v1::ResetResponse* response) {
  return Answer(*context, [&] { return control_.Reset(*request, response); });
}

grpc::Status GrpcTestService::Save(grpc::ServerContext* context, const v1::SaveRequest* request,
                                   v1::SavedState* response) {
  return Answer(*context, [&] { return control_.Save(*request, response); });
}

grpc::Status GrpcTestService::Restore(grpc::ServerContext* context, const v1::RestoreRequest* request,
                                      v1::SavedState* response) {
  return Answer(*context, [&] { return control_.Restore(*request, response); });
}

grpc::Status GrpcTestService::ListSaved(grpc::ServerContext* context, const v1::ListSavedRequest* request,
                                        v1::ListSavedResponse* response) {
  return Answer(*context, [&] { return control_.ListSaved(*request, response); });
}

grpc::Status GrpcTestService::DeleteSaved(grpc::ServerContext* context, const v1::DeleteSavedRequest* request,
                                          v1::DeleteSavedResponse* response) {
  return Answer(*context, [&] { return control_.DeleteSaved(*request, response); });
}

grpc::Status GrpcTestService::Seed(grpc::ServerContext* context, const v1::SeedRequest* request,
                                   v1::SeedResponse* response) {
  return Answer(*context, [&] { return control_.Seed(*request, response); });
}

grpc::Status GrpcTestService::SetClock(grpc::ServerContext* context, const v1::SetClockRequest* request,
                                       v1::ClockState* response) {
  return Answer(*context, [&] { return control_.SetClock(*request, response); });
}

grpc::Status GrpcTestService::GetClock(grpc::ServerContext* context, const v1::GetClockRequest* request,
                                       v1::ClockState* response) {
  return Answer(*context, [&] { return control_.GetClock(*request, response); });
}

grpc::Status GrpcTestService::AddFault(grpc::ServerContext* context, const v1::Fault* request, v1::Fault* response) {
  return Answer(*context, [&] { return control_.AddFault(*request, response); });
}

grpc::Status GrpcTestService::ListFaults(grpc::ServerContext* context, const v1::ListFaultsRequest* request,
                                         v1::ListFaultsResponse* response) {
  return Answer(*context, [&] { return control_.ListFaults(*request, response); });
}

grpc::Status GrpcTestService::ClearFaults(grpc::ServerContext* context, const v1::ClearFaultsRequest* request,
                                          v1::ClearFaultsResponse* response) {
  return Answer(*context, [&] { return control_.ClearFaults(*request, response); });
}

grpc::Status GrpcTestService::ListCalls(grpc::ServerContext* context, const v1::ListCallsRequest* request,
                                        v1::ListCallsResponse* response) {
  return Answer(*context, [&] { return control_.ListCalls(*request, response); });
}

grpc::Status GrpcTestService::FlushNow(grpc::ServerContext* context, const v1::FlushNowRequest* request,
                                       v1::FlushNowResponse* response) {
  return Answer(*context, [&] { return control_.FlushNow(*request, response); });
}

grpc::Status GrpcTestService::CompactNow(grpc::ServerContext* context, const v1::CompactNowRequest* request,
                                         v1::CompactNowResponse* response) {
  return Answer(*context, [&] { return control_.CompactNow(*request, response); });
}

grpc::Status GrpcTestService::SplitNow(grpc::ServerContext* context, const v1::SplitNowRequest* request,
                                       v1::SplitNowResponse* response) {
  return Answer(*context, [&] { return control_.SplitNow(*request, response); });
}

grpc::Status GrpcTestService::MoveNow(grpc::ServerContext* context, const v1::MoveNowRequest* request,
                                      v1::MoveNowResponse* response) {
  return Answer(*context, [&] { return control_.MoveNow(*request, response); });
}

grpc::Status GrpcTestService::BalanceNow(grpc::ServerContext* context, const v1::BalanceNowRequest* request,
                                         v1::BalanceNowResponse* response) {
  return Answer(*context, [&] { return control_.BalanceNow(*request, response); });
}

grpc::Status GrpcTestService::Advertise(grpc::ServerContext* context, const v1::Addresses* request,
                                        v1::Addresses* response) {
  return Answer(*context, [&] { return control_.Advertise(*request, response); });
}

grpc::Status GrpcTestService::GetAdvertised(grpc::ServerContext* context, const v1::GetAdvertisedRequest* request,
                                            v1::Addresses* response) {
  return Answer(*context, [&] { return control_.GetAdvertised(*request, response); });
}

grpc::Status GrpcTestService::Run(grpc::ServerContext* context, const v1::RunRequest* request,
                                  v1::RunResponse* response) {
  return Answer(*context, [&] {
    const ControlAnswer answer = RunControlCommand(&control_, request->method(), request->name(), request->body());
    response->set_status(answer.status);
    response->set_body(answer.body);
    return absl::OkStatus();
  });
}

}  // namespace vaquita
