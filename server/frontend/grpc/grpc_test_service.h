// server/frontend/grpc/grpc_test_service.h: vaquita.v1.TestService over a TestControl.
//
// Threads: gRPC's handlers.
#pragma once

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "grpcpp/grpcpp.h"
#include "server/test_control/test_control.h"
#include "vaquita/v1/test.pb.h"

namespace vaquita {

class GrpcTestService final {
 public:
  // `control` outlives it.
  explicit GrpcTestService(TestControl* control) : control_(*control) {}

  grpc::Status Reset(grpc::ServerContext* context, const v1::ResetRequest* request, v1::ResetResponse* response);
  grpc::Status Save(grpc::ServerContext* context, const v1::SaveRequest* request, v1::SavedState* response);
  grpc::Status Restore(grpc::ServerContext* context, const v1::RestoreRequest* request, v1::SavedState* response);
  grpc::Status ListSaved(grpc::ServerContext* context, const v1::ListSavedRequest* request,
                         v1::ListSavedResponse* response);
  grpc::Status DeleteSaved(grpc::ServerContext* context, const v1::DeleteSavedRequest* request,
                           v1::DeleteSavedResponse* response);
  grpc::Status Seed(grpc::ServerContext* context, const v1::SeedRequest* request, v1::SeedResponse* response);
  grpc::Status SetClock(grpc::ServerContext* context, const v1::SetClockRequest* request, v1::ClockState* response);
  grpc::Status GetClock(grpc::ServerContext* context, const v1::GetClockRequest* request, v1::ClockState* response);
  grpc::Status AddFault(grpc::ServerContext* context, const v1::Fault* request, v1::Fault* response);
  grpc::Status ListFaults(grpc::ServerContext* context, const v1::ListFaultsRequest* request,
                          v1::ListFaultsResponse* response);
  grpc::Status ClearFaults(grpc::ServerContext* context, const v1::ClearFaultsRequest* request,
                           v1::ClearFaultsResponse* response);
  grpc::Status ListCalls(grpc::ServerContext* context, const v1::ListCallsRequest* request,
                         v1::ListCallsResponse* response);
  grpc::Status FlushNow(grpc::ServerContext* context, const v1::FlushNowRequest* request,
                        v1::FlushNowResponse* response);
  grpc::Status CompactNow(grpc::ServerContext* context, const v1::CompactNowRequest* request,
                          v1::CompactNowResponse* response);
  grpc::Status SplitNow(grpc::ServerContext* context, const v1::SplitNowRequest* request,
                        v1::SplitNowResponse* response);
  grpc::Status MoveNow(grpc::ServerContext* context, const v1::MoveNowRequest* request, v1::MoveNowResponse* response);
  grpc::Status BalanceNow(grpc::ServerContext* context, const v1::BalanceNowRequest* request,
                          v1::BalanceNowResponse* response);
  grpc::Status Advertise(grpc::ServerContext* context, const v1::Addresses* request, v1::Addresses* response);
  grpc::Status GetAdvertised(grpc::ServerContext* context, const v1::GetAdvertisedRequest* request,
                             v1::Addresses* response);
  grpc::Status Run(grpc::ServerContext* context, const v1::RunRequest* request, v1::RunResponse* response);

 private:
  grpc::Status Answer(const grpc::ServerContext& context, absl::FunctionRef<absl::Status()> run) const;

  TestControl& control_;
};

}  // namespace vaquita
