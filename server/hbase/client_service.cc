#include "server/hbase/client_service.h"

#include "engine/status.h"

namespace vaquita::hbase {
namespace {

class ClientService : public RpcService {
 public:
  std::string_view name() const override { return "ClientService"; }
  absl::StatusOr<RpcResponse> Call(const RpcRequest& request) override {
    return Error(ErrorKind::kUnsupportedOperation, request.method);
  }
  bool MayBlock(std::string_view) const override { return false; }
};

}  // namespace

std::unique_ptr<RpcService> MakeClientService(Master*, RegionServer*) { return std::make_unique<ClientService>(); }

}  // namespace vaquita::hbase
