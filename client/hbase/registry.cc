#include "client/hbase/registry.h"

#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/host_port.h"
#include "base/status.h"
#include "client/hbase/znode_reader.h"
#include "hbase/Registry.pb.h"
#include "hbase/ZooKeeper.pb.h"

namespace vaquita::client {
namespace {

constexpr std::string_view kZooKeeperScheme = "hbase://";
constexpr std::string_view kRpcScheme = "hbase-rpc://";

class ZooKeeperRegistry final : public Registry {
 public:
  ZooKeeperRegistry(ZnodeReader reader, std::string znode) : reader_(std::move(reader)), znode_(std::move(znode)) {}

  absl::StatusOr<pb::ServerName> ActiveMaster(TimePoint deadline) override {
    pb::Master master;
    VAQUITA_RETURN_IF_ERROR(Read("/master", deadline, &master));
    return master.master();
  }
  absl::StatusOr<pb::ServerName> MetaServer(TimePoint deadline) override {
    pb::MetaRegionServer meta;
    VAQUITA_RETURN_IF_ERROR(Read("/meta-region-server", deadline, &meta));
    return meta.server();
  }

 private:
  absl::Status Read(std::string_view name, TimePoint deadline, google::protobuf::MessageLite* message) const {
    const std::string path = znode_ + std::string(name);
    VAQUITA_ASSIGN_OR_RETURN(const std::string data, reader_.Read(path, deadline));
    if (ParseZnode(data, message)) return absl::OkStatus();
    return Error(ErrorKind::kDeserialization, absl::StrCat("the znode ", path, " was not written by HBase"));
  }

  const ZnodeReader reader_;
  const std::string znode_;
};

class RpcRegistry final : public Registry {
 public:
  RpcRegistry(std::string address, RpcClient* client)
      : target_{std::move(address), "ClientMetaService"}, client_(client) {}

  absl::StatusOr<pb::ServerName> ActiveMaster(TimePoint deadline) override {
    pb::GetActiveMasterResponse response;
    VAQUITA_RETURN_IF_ERROR(
        client_->Call(target_, "GetActiveMaster", pb::GetActiveMasterRequest(), deadline, &response).status);
    if (!response.has_server_name()) return Error(ErrorKind::kMasterNotRunning, "no master is active");
    return response.server_name();
  }
  absl::StatusOr<pb::ServerName> MetaServer(TimePoint deadline) override {
    pb::GetMetaRegionLocationsResponse response;
    VAQUITA_RETURN_IF_ERROR(
        client_->Call(target_, "GetMetaRegionLocations", pb::GetMetaRegionLocationsRequest(), deadline, &response)
            .status);
    for (const pb::RegionLocation& location : response.meta_locations()) {
      if (location.has_server_name()) return location.server_name();
    }
    return absl::UnavailableError("hbase:meta is not assigned");
  }

 private:
  const RpcTarget target_;
  RpcClient* const client_;
};

}  // namespace

absl::Status BadAddress(const std::string& address) {
  return Error(ErrorKind::kIllegalArgument,
               absl::StrCat("'", address,
                            "' is not an address of a cluster; use HOST:PORT, hbase://QUORUM-HOST:2181 or "
                            "hbase-rpc://SERVER:16020, with an IPv6 address in brackets"));
}

bool IsRegistryAddress(const std::string& address) {
  return address.starts_with(kZooKeeperScheme) || address.starts_with(kRpcScheme);
}

absl::StatusOr<std::unique_ptr<Registry>> MakeRegistry(const std::string& address, RpcClient* client,
                                                       std::shared_ptr<TlsContext> tls) {
  if (address.starts_with(kRpcScheme)) {
    std::string server = address.substr(kRpcScheme.size());
    if (!CheckHostPort(server).ok()) return BadAddress(address);
    return std::make_unique<RpcRegistry>(std::move(server), client);
  }
  if (!address.starts_with(kZooKeeperScheme)) return BadAddress(address);
  const std::string rest = address.substr(kZooKeeperScheme.size());
  const size_t slash = rest.find('/');
  const std::string hosts = rest.substr(0, slash);
  const std::string znode = slash == std::string::npos ? "" : rest.substr(slash);
  if (hosts.empty()) return BadAddress(address);
  std::vector<std::string> quorum = absl::StrSplit(hosts, ',');
  for (std::string& host : quorum) {
    if (!absl::StrContains(host, ':') || absl::EndsWith(host, "]")) host += ":2181";
    if (!CheckHostPort(host).ok()) return BadAddress(address);
  }
  return std::make_unique<ZooKeeperRegistry>(ZnodeReader(std::move(quorum), std::move(tls)),
                                             znode.size() < 2 ? "/hbase" : znode);
}

}  // namespace vaquita::client
