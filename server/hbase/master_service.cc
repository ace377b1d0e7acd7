#include "server/hbase/master_service.h"

#include <string>

#include "server/hbase/master_service_methods.h"

namespace vaquita::hbase {
namespace {

class MasterService : public RpcService {
 public:
  MasterService(Master* master, RegionServer* server) : master_(master), server_(server) {
    AddTableMethods(&methods_);
    AddFamilyMethods(&methods_);
    AddNamespaceMethods(&methods_);
    AddRegionMethods(&methods_);
    AddClusterMethods(&methods_);
    AddSwitchMethods(&methods_);
    AddProcedureMethods(&methods_);
    AddAbsentFeatures(&methods_);
  }

  std::string_view name() const override { return "MasterService"; }

  absl::StatusOr<RpcResponse> Call(const RpcRequest& request) override {
    const MasterMethods::Method* method = methods_.Find(request.method);
    if (method == nullptr) {
      return Error(ErrorKind::kUnsupportedOperation, "MasterService." + std::string(request.method));
    }
    RpcResponse response;
    VAQUITA_ASSIGN_OR_RETURN(response.param, method->run({*master_, *server_, request}));
    return response;
  }

  bool MayBlock(std::string_view name) const override {
    const MasterMethods::Method* method = methods_.Find(name);
    return method != nullptr && method->pace == MasterMethods::Pace::kWaits;
  }

 private:
  Master* const master_;
  RegionServer* const server_;
  MasterMethods methods_;
};

}  // namespace

std::unique_ptr<RpcService> MakeMasterService(Master* master, RegionServer* server) {
  return std::make_unique<MasterService>(master, server);
}

}  // namespace vaquita::hbase
