#include "server/control/grpc/grpc_control_service.h"

#include <memory>
#include <utility>

#include "proto/vaquita/status_codec.h"
#include "server/access/grpc/grpc_caller.h"

namespace vaquita {
namespace {

class ControlCall final : public Work {
 public:
  ControlCall(grpc::ServerUnaryReactor* call, std::function<absl::Status()> answer)
      : call_(call), answer_(std::move(answer)) {}
  void Run() override { call_->Finish(ToGrpcStatus(answer_())); }

 private:
  grpc::ServerUnaryReactor* const call_;
  const std::function<absl::Status()> answer_;
};

}  // namespace

grpc::ServerUnaryReactor* GrpcControlService::Run(grpc::CallbackServerContext* context,
                                                  std::function<absl::Status()> answer) {
  grpc::ServerUnaryReactor* const call = context->DefaultReactor();
  { std::lock_guard made(made_); }
  workers_.Run(std::make_unique<ControlCall>(call, [this, context, answer = std::move(answer)] {
    const absl::Status allowed = CheckFromCluster(access_, *context);
    return allowed.ok() ? answer() : allowed;
  }));
  return call;
}

}  // namespace vaquita
