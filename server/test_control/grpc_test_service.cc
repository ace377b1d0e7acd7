#include "server/test_control/grpc_test_service.h"

#include <string>

#include "absl/strings/str_replace.h"
#include "base/status.h"
#include "grpcpp/grpcpp.h"
#include "proto/vaquita/status_codec.h"
#include "server/test_control/control_requests.h"
#include "server/test_control/test_control.h"
#include "vaquita/v1/test.grpc.pb.h"

namespace vaquita {
namespace {

class GrpcTestService final : public v1::TestService::Service {
 public:
  explicit GrpcTestService(TestControl* control) : control_(*control) {}

  grpc::Status Reset(grpc::ServerContext* context, const v1::ResetRequest* request,
                     v1::ResetResponse* response) override {
    return Answer(*context, [&] { return control_.Reset(*request, response); });
  }
  grpc::Status Save(grpc::ServerContext* context, const v1::SaveRequest* request, v1::SavedState* response) override {
    return Answer(*context, [&] { return control_.Save(*request, response); });
  }
  grpc::Status Restore(grpc::ServerContext* context, const v1::RestoreRequest* request,
                       v1::SavedState* response) override {
    return Answer(*context, [&] { return control_.Restore(*request, response); });
  }
  grpc::Status ListSaved(grpc::ServerContext* context, const v1::ListSavedRequest* request,
                         v1::ListSavedResponse* response) override {
    return Answer(*context, [&] { return control_.ListSaved(*request, response); });
  }
  grpc::Status DeleteSaved(grpc::ServerContext* context, const v1::DeleteSavedRequest* request,
                           v1::DeleteSavedResponse* response) override {
    return Answer(*context, [&] { return control_.DeleteSaved(*request, response); });
  }
  grpc::Status Seed(grpc::ServerContext* context, const v1::SeedRequest* request, v1::SeedResponse* response) override {
    return Answer(*context, [&] { return control_.Seed(*request, response); });
  }
  grpc::Status SetClock(grpc::ServerContext* context, const v1::SetClockRequest* request,
                        v1::ClockState* response) override {
    return Answer(*context, [&] { return control_.SetClock(*request, response); });
  }
  grpc::Status GetClock(grpc::ServerContext* context, const v1::GetClockRequest* request,
                        v1::ClockState* response) override {
    return Answer(*context, [&] { return control_.GetClock(*request, response); });
  }
  grpc::Status AddFault(grpc::ServerContext* context, const v1::Fault* request, v1::Fault* response) override {
    return Answer(*context, [&] { return control_.AddFault(*request, response); });
  }
  grpc::Status ListFaults(grpc::ServerContext* context, const v1::ListFaultsRequest* request,
                          v1::ListFaultsResponse* response) override {
    return Answer(*context, [&] { return control_.ListFaults(*request, response); });
  }
  grpc::Status ClearFaults(grpc::ServerContext* context, const v1::ClearFaultsRequest* request,
                           v1::ClearFaultsResponse* response) override {
    return Answer(*context, [&] { return control_.ClearFaults(*request, response); });
  }
  grpc::Status ListCalls(grpc::ServerContext* context, const v1::ListCallsRequest* request,
                         v1::ListCallsResponse* response) override {
    return Answer(*context, [&] { return control_.ListCalls(*request, response); });
  }
  grpc::Status FlushNow(grpc::ServerContext* context, const v1::FlushNowRequest* request,
                        v1::FlushNowResponse* response) override {
    return Answer(*context, [&] { return control_.FlushNow(*request, response); });
  }
  grpc::Status CompactNow(grpc::ServerContext* context, const v1::CompactNowRequest* request,
                          v1::CompactNowResponse* response) override {
    return Answer(*context, [&] { return control_.CompactNow(*request, response); });
  }
  grpc::Status SplitNow(grpc::ServerContext* context, const v1::SplitNowRequest* request,
                        v1::SplitNowResponse* response) override {
    return Answer(*context, [&] { return control_.SplitNow(*request, response); });
  }
  grpc::Status MoveNow(grpc::ServerContext* context, const v1::MoveNowRequest* request,
                       v1::MoveNowResponse* response) override {
    return Answer(*context, [&] { return control_.MoveNow(*request, response); });
  }
  grpc::Status BalanceNow(grpc::ServerContext* context, const v1::BalanceNowRequest* request,
                          v1::BalanceNowResponse* response) override {
    return Answer(*context, [&] { return control_.BalanceNow(*request, response); });
  }
  grpc::Status Advertise(grpc::ServerContext* context, const v1::Addresses* request, v1::Addresses* response) override {
    return Answer(*context, [&] { return control_.Advertise(*request, response); });
  }
  grpc::Status GetAdvertised(grpc::ServerContext* context, const v1::GetAdvertisedRequest* request,
                             v1::Addresses* response) override {
    return Answer(*context, [&] { return control_.GetAdvertised(*request, response); });
  }
  grpc::Status Run(grpc::ServerContext* context, const v1::RunRequest* request, v1::RunResponse* response) override {
    return Answer(*context, [&] {
      const ControlAnswer answer = RunControlCommand(&control_, request->method(), request->name(), request->body());
      response->set_status(answer.status);
      response->set_body(answer.body);
      return absl::OkStatus();
    });
  }

 private:
  template <typename Body>
  grpc::Status Answer(const grpc::ServerContext& context, Body run) const {
    // "ipv4:127.0.0.1:4711", "ipv6:%5B::1%5D:4711"
    const std::string peer = absl::StrReplaceAll(context.peer(), {{"%5B", "["}, {"%5D", "]"}});
    if (!control_.MayControl(peer.substr(peer.find(':') + 1))) {
      return {grpc::StatusCode::PERMISSION_DENIED,
              "the test control takes requests from this machine only; --test-control=any takes them from everywhere"};
    }
    return ToGrpcStatus(run());
  }

  TestControl& control_;
};

}  // namespace

std::unique_ptr<grpc::Service> MakeGrpcTestService(TestControl* control) {
  return std::make_unique<GrpcTestService>(control);
}

}  // namespace vaquita
