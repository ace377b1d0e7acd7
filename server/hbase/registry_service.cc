#include "server/hbase/registry_service.h"

#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "engine/status.h"
#include "hbase/Registry.pb.h"
#include "proto/hbase_pb.h"

namespace vaquita::hbase {
namespace {

// TableName.META_TABLE_NAME, RegionInfoBuilder.FIRST_META_REGIONINFO.
constexpr const char* kMetaNamespace = "hbase";
constexpr const char* kMetaQualifier = "meta";
constexpr uint64_t kMetaRegionId = 1;

pb::ServerName ServerNameOf(const std::string& text) {
  const std::vector<std::string> parts = absl::StrSplit(text, ',');
  uint32_t port = 0;
  uint64_t start_code = 0;
  pb::ServerName name;
  name.set_host_name(parts.at(0));
  if (parts.size() == 3 && absl::SimpleAtoi(parts[1], &port)) name.set_port(port);
  if (parts.size() == 3 && absl::SimpleAtoi(parts[2], &start_code)) name.set_start_code(start_code);
  return name;
}

pb::GetClusterIdResponse ClusterId(const ClusterLocation& location) {
  pb::GetClusterIdResponse response;
  response.set_cluster_id(location.cluster_id);
  return response;
}

pb::GetActiveMasterResponse ActiveMaster(const ClusterLocation& location) {
  pb::GetActiveMasterResponse response;
  *response.mutable_server_name() = ServerNameOf(location.master);
  return response;
}

pb::GetMastersResponse Masters(const ClusterLocation& location) {
  pb::GetMastersResponse response;
  pb::GetMastersResponseEntry* entry = response.add_master_servers();
  *entry->mutable_server_name() = ServerNameOf(location.master);
  entry->set_is_active(true);
  return response;
}

pb::GetMetaRegionLocationsResponse MetaRegionLocations(const ClusterLocation& location) {
  pb::GetMetaRegionLocationsResponse response;
  pb::RegionLocation* meta = response.add_meta_locations();
  pb::RegionInfo* info = meta->mutable_region_info();
  info->set_region_id(kMetaRegionId);
  info->mutable_table_name()->set_namespace_(kMetaNamespace);
  info->mutable_table_name()->set_qualifier(kMetaQualifier);
  info->set_start_key("");
  info->set_end_key("");
  info->set_offline(false);
  info->set_split(false);
  info->set_replica_id(0);
  *meta->mutable_server_name() = ServerNameOf(location.region_server);
  meta->set_seq_num(0);
  return response;
}

pb::GetBootstrapNodesResponse BootstrapNodes(const ClusterLocation& location) {
  pb::GetBootstrapNodesResponse response;
  *response.add_server_name() = ServerNameOf(location.region_server);
  return response;
}

// Nothing here changes while the server runs, so the answers are made once. The requests have no fields.
class RegistryService : public RpcService {
 public:
  explicit RegistryService(const ClusterLocation& location)
      : answers_{{"GetClusterId", ClusterId(location).SerializeAsString()},
                 {"GetActiveMaster", ActiveMaster(location).SerializeAsString()},
                 {"GetMasters", Masters(location).SerializeAsString()},
                 {"GetMetaRegionLocations", MetaRegionLocations(location).SerializeAsString()},
                 {"GetBootstrapNodes", BootstrapNodes(location).SerializeAsString()}} {}

  std::string_view name() const override { return "ClientMetaService"; }
  absl::StatusOr<RpcResponse> Call(const RpcRequest& request) override {
    const auto answer = answers_.find(request.method);
    if (answer == answers_.end()) return Error(ErrorKind::kUnsupportedOperation, request.method);
    return RpcResponse{answer->second, ""};
  }
  bool MayBlock(std::string_view) const override { return false; }

 private:
  const std::map<std::string, std::string, std::less<>> answers_;
};

}  // namespace

std::unique_ptr<RpcService> MakeRegistryService(const ClusterLocation& location) {
  return std::make_unique<RegistryService>(location);
}

}  // namespace vaquita::hbase
