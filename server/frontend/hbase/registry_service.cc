#include "server/frontend/hbase/services.h"

#include <functional>
#include <map>
#include <string>
#include <utility>

#include "base/status.h"
#include "hbase/Registry.pb.h"
#include "proto/hbase/pb.h"
#include "proto/hbase/schema_codec.h"

namespace vaquita::hbase {
namespace {

// TableName.META_TABLE_NAME, RegionInfoBuilder.FIRST_META_REGIONINFO.
constexpr const char* kMetaNamespace = "hbase";
constexpr const char* kMetaQualifier = "meta";
constexpr uint64_t kMetaRegionId = 1;

std::string ClusterId(const ClusterView& cluster) {
  pb::GetClusterIdResponse response;
  response.set_cluster_id(cluster.cluster_id);
  return response.SerializeAsString();
}

std::string ActiveMaster(const ClusterView& cluster) {
  pb::GetActiveMasterResponse response;
  if (!cluster.master.empty()) EncodeServerName(cluster.master, response.mutable_server_name());
  return response.SerializeAsString();
}

void AddMaster(const std::string& name, bool is_active, pb::GetMastersResponse* response) {
  pb::GetMastersResponseEntry* entry = response->add_master_servers();
  EncodeServerName(name, entry->mutable_server_name());
  entry->set_is_active(is_active);
}

std::string Masters(const ClusterView& cluster) {
  pb::GetMastersResponse response;
  if (!cluster.master.empty()) AddMaster(cluster.master, true, &response);
  for (const std::string& backup : cluster.backup_masters) AddMaster(backup, false, &response);
  return response.SerializeAsString();
}

std::string MetaRegionLocations(const ClusterView& cluster) {
  pb::GetMetaRegionLocationsResponse response;
  if (cluster.meta_server.empty()) return response.SerializeAsString();  // not known now: clients ask again
  for (int32_t id = 0; id < cluster.meta_replicas; ++id) {
    pb::RegionLocation* meta = response.add_meta_locations();
    pb::RegionInfo* info = meta->mutable_region_info();
    info->set_region_id(kMetaRegionId);
    info->mutable_table_name()->set_namespace_(kMetaNamespace);
    info->mutable_table_name()->set_qualifier(kMetaQualifier);
    info->set_start_key("");
    info->set_end_key("");
    info->set_offline(false);
    info->set_split(false);
    info->set_replica_id(id);
    EncodeServerName(cluster.meta_server, meta->mutable_server_name());
    meta->set_seq_num(0);
  }
  return response.SerializeAsString();
}

// Whom a client may ask instead of the servers that it was given.
std::string BootstrapNodes(const ClusterView& cluster) {
  pb::GetBootstrapNodesResponse response;
  for (const std::string& server : cluster.region_servers) EncodeServerName(server, response.add_server_name());
  return response.SerializeAsString();
}

// The requests have no fields.
class RegistryService : public RpcService {
 public:
  explicit RegistryService(ClusterViewSource cluster_view)
      : cluster_view_(std::move(cluster_view)),
        answers_{{"GetClusterId", &ClusterId},
                 {"GetActiveMaster", &ActiveMaster},
                 {"GetMasters", &Masters},
                 {"GetMetaRegionLocations", &MetaRegionLocations},
                 {"GetBootstrapNodes", &BootstrapNodes}} {}

  std::string_view name() const override { return "ClientMetaService"; }
  absl::StatusOr<RpcResponse> Call(const RpcRequest& request) override {
    const auto answer = answers_.find(request.method);
    if (answer == answers_.end()) return Error(ErrorKind::kUnsupportedOperation, request.method);
    return RpcResponse{answer->second(cluster_view_()), ""};
  }
  bool MayBlock(std::string_view) const override { return false; }

 private:
  const ClusterViewSource cluster_view_;
  const std::map<std::string, std::string (*)(const ClusterView&), std::less<>> answers_;
};

}  // namespace

std::unique_ptr<RpcService> MakeRegistryService(ClusterViewSource cluster_view) {
  return std::make_unique<RegistryService>(std::move(cluster_view));
}

}  // namespace vaquita::hbase
