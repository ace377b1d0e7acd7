#include "server/frontend/hbase/hbase_front_end.h"

#include <algorithm>
#include <thread>
#include <utility>
#include <vector>

#include "base/status.h"
#include "server/frontend/hbase/admin_service.h"
#include "server/frontend/hbase/client_service.h"
#include "server/frontend/hbase/master_service.h"
#include "server/frontend/hbase/registry_service.h"
#include "server/frontend/hbase/rpc/rpc_server.h"
#include "server/frontend/zookeeper/hbase_znodes.h"
#include "server/frontend/zookeeper/zookeeper_server.h"

namespace vaquita {
namespace {

hbase::RpcServerOptions RpcOptions(const Options& options, Clock* clock) {
  hbase::RpcServerOptions rpc;
  rpc.io_threads = std::clamp<int>(static_cast<int>(std::thread::hardware_concurrency()), 2, 4);
  rpc.handler_threads = static_cast<int>(options.handler_threads);
  rpc.priority_handler_threads = static_cast<int>(options.priority_handler_threads);
  rpc.max_request_bytes = options.max_request_bytes;
  rpc.max_call_queue_bytes = options.max_call_queue_bytes;
  rpc.idle_connection_threshold = options.idle_connection_threshold;
  rpc.idle_connection_ms = options.idle_connection_ms;
  rpc.clock = clock;
  return rpc;
}

class HBaseFrontEndImpl final : public HBaseFrontEnd {
 public:
  HBaseFrontEndImpl(const Options* options, Clock* clock)
      : options_(options), clock_(clock), rpc_(hbase::RpcServer::Create(RpcOptions(*options, clock))) {}
  ~HBaseFrontEndImpl() override { Stop(); }

  absl::Status Bind(ProcessRole role);
  int master_port() const override { return master_port_; }
  int region_server_port() const override { return region_server_port_; }
  int zookeeper_port() const override { return zookeeper_ == nullptr ? 0 : zookeeper_->port(); }
  RpcLoad load() const override { return rpc_->load(); }
  std::vector<MonitoredCall> running_calls() const override { return rpc_->running_calls(); }
  absl::Status Serve(Master* master, RegionServer* server, const LookAtCluster& look) override;
  void Stop() override;

 private:
  absl::Status StartZooKeeper(Master* master, const LookAtCluster& look);

  const Options* const options_;
  Clock* const clock_;
  int master_port_ = 0;
  int region_server_port_ = 0;
  std::vector<std::unique_ptr<hbase::RpcService>> services_;
  std::unique_ptr<hbase::RpcServer> rpc_;  // destroyed before the services
  std::unique_ptr<zookeeper::ZooKeeperServer> zookeeper_;
};

absl::Status HBaseFrontEndImpl::Bind(ProcessRole role) {
  const std::string& address = options_->bind_address;
  if (role != ProcessRole::kRegionServer) {
    VAQUITA_ASSIGN_OR_RETURN(master_port_, rpc_->Listen(address, static_cast<int>(options_->master_port)));
  }
  if (role != ProcessRole::kMaster) {
    VAQUITA_ASSIGN_OR_RETURN(region_server_port_,
                             rpc_->Listen(address, static_cast<int>(options_->region_server_port)));
  }
  return absl::OkStatus();
}

absl::Status HBaseFrontEndImpl::Serve(Master* master, RegionServer* server, const LookAtCluster& look) {
  services_.push_back(hbase::MakeClientService(server));
  services_.push_back(hbase::MakeAdminService(master, server));
  services_.push_back(hbase::MakeRegistryService(look));
  if (master != nullptr) services_.push_back(hbase::MakeMasterService(master, server));
  std::vector<hbase::RpcService*> services;
  for (const auto& service : services_) services.push_back(service.get());
  rpc_->Serve(services, look().cluster_id);
  return master == nullptr ? absl::OkStatus() : StartZooKeeper(master, look);
}

absl::Status HBaseFrontEndImpl::StartZooKeeper(Master* master, const LookAtCluster& look) {
  zookeeper::ZooKeeperOptions options;
  options.address = options_->bind_address;
  options.port = static_cast<uint16_t>(options_->zookeeper_port);
  options.clock = clock_;
  options.refresh = [master, look](std::string_view path, zookeeper::ZnodeTree* tree) {
    zookeeper::RefreshTableNodes(master, path, tree);
    zookeeper::RefreshServerNodes(look, path, tree);
  };
  VAQUITA_ASSIGN_OR_RETURN(zookeeper_, zookeeper::ZooKeeperServer::Start(options));
  return zookeeper::AddClusterNodes(look(), clock_->NowMs(), zookeeper_.get());
}

void HBaseFrontEndImpl::Stop() {
  if (zookeeper_ != nullptr) zookeeper_->Stop();
  rpc_->Stop();
}

}  // namespace

absl::StatusOr<std::unique_ptr<HBaseFrontEnd>> HBaseFrontEnd::Listen(ProcessRole role, const Options* options,
                                                                     Clock* clock) {
  auto front_end = std::make_unique<HBaseFrontEndImpl>(options, clock);
  VAQUITA_RETURN_IF_ERROR(front_end->Bind(role));
  return front_end;
}

}  // namespace vaquita
