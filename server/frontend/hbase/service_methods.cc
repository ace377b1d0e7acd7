#include "server/frontend/hbase/service_methods.h"

#include "absl/strings/str_cat.h"
#include "base/absl_text.h"
#include "server/access/access_control.h"
#include "server/frontend/hbase/method_access.h"

namespace vaquita::hbase {
namespace {

class MethodService : public RpcService {
 public:
  MethodService(std::string name, Master* master, RegionServer* server, ServiceMethods methods)
      : name_(std::move(name)), master_(master), server_(server), methods_(std::move(methods)) {}

  std::string_view name() const override { return name_; }

  absl::StatusOr<RpcResponse> Call(const RpcRequest& request) override {
    const ServiceMethods::Method* method = methods_.Find(request.method);
    if (method == nullptr) {
      return Error(ErrorKind::kUnsupportedOperation, name_ + "." + std::string(request.method));
    }
    const ServiceCall call{master_, *server_, request};
    if (const AccessControl* access = server_->access()) {
      VAQUITA_RETURN_IF_ERROR(CheckMethod(*access, name_, call));
    }
    RpcResponse response;
    VAQUITA_ASSIGN_OR_RETURN(response.param, method->run(call));
    return response;
  }

  std::vector<net::CallTarget> TargetsOf(const RpcRequest& request) const override {
    const ServiceMethods::Method* method = methods_.Find(request.method);
    if (method == nullptr || method->target == nullptr) return {};
    net::CallTarget target = method->target(request);
    if (target.table.empty() && target.region.empty()) return {};
    return {std::move(target)};
  }

  const google::protobuf::Descriptor* RequestType(std::string_view name) const override {
    const ServiceMethods::Method* method = methods_.Find(name);
    return method == nullptr || method->request_type == nullptr ? nullptr : method->request_type();
  }

  bool MayBlock(std::string_view name) const override {
    const ServiceMethods::Method* method = methods_.Find(name);
    return method != nullptr && method->pace == ServiceMethods::Pace::kWaits;
  }

 private:
  const std::string name_;
  Master* const master_;
  RegionServer* const server_;
  const ServiceMethods methods_;
};

}  // namespace

absl::Status ParseParam(const RpcRequest& request, google::protobuf::MessageLite* message) {
  if (ParseMessage(request.param, message)) return absl::OkStatus();
  return Error(ErrorKind::kDoNotRetryIO,
               absl::StrCat("Unable to read call parameter from client ", AbslText(request.client_address), ": no ",
                            message->GetTypeName()));
}

std::unique_ptr<RpcService> MakeService(std::string name, Master* master, RegionServer* server,
                                        ServiceMethods methods) {
  return std::make_unique<MethodService>(std::move(name), master, server, std::move(methods));
}

}  // namespace vaquita::hbase
