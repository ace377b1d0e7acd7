#include "server/hbase/admin_service.h"

#include "engine/status.h"

namespace vaquita::hbase {
namespace {

class AdminService : public RpcService {
 public:
  std::string_view name() const override { return "AdminService"; }
  absl::StatusOr<RpcResponse> Call(const RpcRequest& request) override {
    return Error(ErrorKind::kUnsupportedOperation, request.method);
  }
  bool MayBlock(std::string_view) const override { return false; }
};

}  // namespace

std::unique_ptr<RpcService> MakeAdminService(Master*, RegionServer*) { return std::make_unique<AdminService>(); }

}  // namespace vaquita::hbase
