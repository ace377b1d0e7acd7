#include "server/control/grpc/grpc_control_service.h"

#include <memory>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/absl_text.h"
#include "base/status.h"
#include "proto/vaquita/status_codec.h"
#include "proto/wire/message_parts.h"
#include "server/access/grpc/grpc_caller.h"

namespace vaquita {
namespace {

// A message's parts may take so much memory. A region takes about 1 KB of it, in a report 2 KB.
constexpr int64_t kMostPartsBytes = 256 << 20;

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

absl::Status CheckIsMeant(const grpc::ServerContextBase& context, std::string_view name) {
  const auto meant = context.client_metadata().find(kMeantServer);
  if (meant == context.client_metadata().end()) return absl::OkStatus();
  const std::string_view other(meant->second.data(), meant->second.size());
  if (other == name) return absl::OkStatus();
  return Error(ErrorKind::kServerNotRunningYet, absl::StrCat("this is ", AbslText(name), ", not ", AbslText(other)));
}

absl::Status GrpcControlService::Read(const grpc::ByteBuffer& bytes, google::protobuf::Message* out) {
  grpc::Slice slice;
  if (!bytes.DumpToSingleSlice(&slice).ok()) return absl::InternalError("gRPC cannot give the message");
  const std::string_view text(reinterpret_cast<const char*>(slice.begin()), slice.size());
  if (CostOfParts(text, *out->GetDescriptor(), kMostPartsBytes) > kMostPartsBytes) {
    return absl::ResourceExhaustedError(absl::StrCat(
        "a ", out->GetTypeName(), " has so many parts that they take more than ", kMostPartsBytes, " bytes of memory"));
  }
  if (out->ParseFromArray(text.data(), static_cast<int>(text.size()))) return absl::OkStatus();
  return Error(ErrorKind::kIllegalArgument, "a " + out->GetTypeName() + " cannot be read");
}

grpc::ServerUnaryReactor* GrpcControlService::Run(grpc::CallbackServerContext* context,
                                                  std::function<absl::Status()> answer) {
  grpc::ServerUnaryReactor* const call = context->DefaultReactor();
  { std::lock_guard made(made_); }
  workers_.Run(std::make_unique<ControlCall>(call, [this, context, answer = std::move(answer)] {
    absl::Status allowed = CheckFromCluster(access_, *context);
    if (allowed.ok()) allowed = Check(*context);
    return allowed.ok() ? answer() : allowed;
  }));
  return call;
}

}  // namespace vaquita
