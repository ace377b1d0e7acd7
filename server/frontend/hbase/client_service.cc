#include "server/frontend/hbase/services.h"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <type_traits>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "proto/hbase/data_codec.h"
#include "server/frontend/hbase/call_targets.h"
#include "server/frontend/hbase/client_call.h"

namespace vaquita::hbase {
namespace {

// Whoever watches the calls that run keeps others from beginning, so a large batch is not taken apart for its table.
constexpr size_t kMostLookedAtBytes = 1 << 16;

struct Method {
  absl::StatusOr<RpcResponse> (*run)(const ClientCall&) = nullptr;
  bool may_block = false;
  const google::protobuf::Descriptor* (*request_type)() = nullptr;  // null: it is not read
};

// HBase's own region server has this, and ours has not.
absl::StatusOr<RpcResponse> RefuseBulkLoad(const ClientCall&) {
  return Error(ErrorKind::kUnsupportedOperation, "Bulk loads of HFiles are not supported");
}

absl::StatusOr<RpcResponse> RefuseServerService(const ClientCall& call) {
  auto request = pb::CoprocessorServiceRequest();
  VAQUITA_RETURN_IF_ERROR(ParseParam(call.rpc, &request));
  return Error(ErrorKind::kUnknownProtocol, absl::StrCat("No registered coprocessor service found for ",
                                                         request.call().service_name(), " on the region server"));
}

class ClientService : public RpcService {
 public:
  ClientService(RegionServer* server, Master* master)
      : server_(server),
        master_(master),
        methods_{
            {"Get", {&RunGet, false, &pb::GetRequest::descriptor}},
            {"Mutate", {&RunMutate, false, &pb::MutateRequest::descriptor}},
            {"Multi", {&RunMulti, true, &pb::MultiRequest::descriptor}},
            {"Scan", {&RunScan, false, &pb::ScanRequest::descriptor}},
            {"ExecService", {&RunExecService, true, &pb::CoprocessorServiceRequest::descriptor}},
            {"ExecRegionServerService", {&RefuseServerService, false, &pb::CoprocessorServiceRequest::descriptor}},
            {"BulkLoadHFile", {&RefuseBulkLoad, false}},
            {"PrepareBulkLoad", {&RefuseBulkLoad, false}},
            {"CleanupBulkLoad", {&RefuseBulkLoad, false}},
        } {}

  std::string_view name() const override { return "ClientService"; }

  absl::StatusOr<RpcResponse> Call(const RpcRequest& request) override {
    const auto method = methods_.find(request.method);
    if (method == methods_.end()) {
      return Error(ErrorKind::kUnsupportedOperation, "ClientService." + std::string(request.method));
    }
    return method->second.run({*server_, request, master_});
  }

  std::string TableOf(const RpcRequest& request) const override {
    const auto region = RegionOf(request);
    return region == nullptr ? "" : region->info().table.ToString();
  }

  std::vector<net::CallTarget> TargetsOf(const RpcRequest& request) const override {
    return TargetsOfClientCall(*server_, request);
  }
  int64_t RowsIn(const RpcRequest& request, const RpcResponse& response) const override {
    return request.method == "Scan" ? RowsInScanAnswer(response) : 0;
  }

  const google::protobuf::Descriptor* RequestType(std::string_view name) const override {
    const auto method = methods_.find(name);
    return method == methods_.end() || method->second.request_type == nullptr ? nullptr : method->second.request_type();
  }

  bool MayBlock(std::string_view name) const override {
    const auto method = methods_.find(name);
    return method != methods_.end() && method->second.may_block;
  }

 private:
  // The region that the request names, or the first of them; null: it names none that is here.
  std::shared_ptr<Region> RegionOf(const RpcRequest& request) const {
    if (request.param.size() > kMostLookedAtBytes) return nullptr;
    if (request.method == "Multi") return Named<pb::MultiRequest>(request);
    if (request.method == "Get") return Named<pb::GetRequest>(request);
    if (request.method == "Mutate") return Named<pb::MutateRequest>(request);
    if (request.method == "Scan") return Named<pb::ScanRequest>(request);
    if (request.method == "ExecService") return Named<pb::CoprocessorServiceRequest>(request);
    return nullptr;
  }
  template <typename Message>
  std::shared_ptr<Region> Named(const RpcRequest& request) const {
    Message message;
    if (!ParseParam(request, &message).ok()) return nullptr;
    if constexpr (std::is_same_v<Message, pb::ScanRequest>) {
      if (message.has_scanner_id()) return server_->RegionOfScanner(static_cast<int64_t>(message.scanner_id()));
    }
    absl::StatusOr<std::shared_ptr<Region>> region;
    if constexpr (std::is_same_v<Message, pb::MultiRequest>) {
      if (message.regionaction_size() == 0) return nullptr;
      region = server_->FindRegion(message.regionaction(0).region().value());
    } else {
      region = server_->FindRegion(message.region().value());
    }
    return region.ok() ? *region : nullptr;
  }

  RegionServer* const server_;
  Master* const master_;
  const std::map<std::string, Method, std::less<>> methods_;
};

}  // namespace

void EncodeCells(const ClientCall& call, const CellBlock& cells, RpcResponse* response, pb::Result* result) {
  const ResultRange all{.first = 0, .count = cells.size()};
  if (!call.rpc.takes_cells) return EncodeResult(cells, all, result);
  EncodeResultByCount(all, result);
  response->cells.append(cells.bytes());
}

std::unique_ptr<RpcService> MakeClientService(RegionServer* server, Master* master) {
  return std::make_unique<ClientService>(server, master);
}

}  // namespace vaquita::hbase
