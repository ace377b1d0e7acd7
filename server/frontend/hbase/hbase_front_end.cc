#include "server/frontend/hbase/hbase_front_end.h"

#include <algorithm>
#include <thread>
#include <utility>
#include <vector>

#include "base/log.h"
#include "base/pausable.h"
#include "base/status.h"
#include "model/coprocessors.h"
#include "server/frontend/hbase/authentication.h"
#include "server/frontend/hbase/gated_service.h"
#include "server/frontend/hbase/rpc/rpc_server.h"
#include "server/frontend/hbase/services.h"
#include "server/frontend/hbase/slow_call_record.h"
#include "server/frontend/zookeeper/hbase_znodes.h"
#include "server/frontend/zookeeper/zookeeper_server.h"
#include "server/master/master.h"
#include "server/regionserver/region_server.h"

namespace vaquita {
namespace {

class HBaseFrontEndImpl final : public HBaseFrontEnd {
 public:
  HBaseFrontEndImpl(const Options* options, Clock* clock, const AccessControl* access, net::CallGate* gate,
                    std::shared_ptr<TlsContext> tls, std::unique_ptr<hbase::Authentication> authentication)
      : options_(options),
        clock_(clock),
        access_(access),
        gate_(gate),
        tls_(std::move(tls)),
        authentication_(std::move(authentication)),
        rpc_(hbase::RpcServer::Create(RpcOptions())) {}
  ~HBaseFrontEndImpl() override { Stop(); }

  absl::Status Bind(ProcessRole role);
  int master_port() const override { return master_port_; }
  int region_server_port() const override { return region_server_port_; }
  int zookeeper_port() const override { return zookeeper_ == nullptr ? 0 : zookeeper_->port(); }
  RpcLoad load() const override { return rpc_->load(); }
  std::vector<MonitoredCall> running_calls() const override { return rpc_->running_calls(); }
  absl::Status Serve(Master* master, RegionServer* server, const ClusterViewSource& cluster_view) override;
  void Give(const net::Accepted& accepted) override { rpc_->Give(accepted); }
  void GiveZooKeeper(const net::Accepted& accepted) override { zookeeper_->Give(accepted); }
  void Pause() override;
  absl::Status Resume(Master* master, RegionServer* server, const ClusterViewSource& cluster_view) override;
  void Stop() override;

 private:
  hbase::RpcServerOptions RpcOptions();
  absl::Status StartZooKeeper();
  // Notes a slow or large call, unless the servers are being exchanged.
  void Note(const hbase::FinishedCall& call);

  const Options* const options_;
  Clock* const clock_;
  const AccessControl* const access_;
  net::CallGate* const gate_;
  const std::shared_ptr<TlsContext> tls_;                        // null: its ports have none
  const std::unique_ptr<hbase::Authentication> authentication_;  // null: clients say who they are
  int master_port_ = 0;
  int region_server_port_ = 0;
  std::vector<std::unique_ptr<hbase::RpcService>> services_;
  std::vector<hbase::GatedService*> gated_;  // services_, with a gate
  Pausable mirror_;                          // guards the three below, which other threads read
  Master* master_ = nullptr;
  RegionServer* server_ = nullptr;
  ClusterViewSource cluster_view_;
  std::unique_ptr<hbase::RpcServer> rpc_;  // destroyed before the services
  std::unique_ptr<zookeeper::ZooKeeperServer> zookeeper_;
};

hbase::RpcServerOptions HBaseFrontEndImpl::RpcOptions() {
  hbase::RpcServerOptions rpc;
  rpc.io_threads = std::clamp<int>(static_cast<int>(std::thread::hardware_concurrency()), 2, 4);
  rpc.handler_threads = static_cast<int>(options_->handler_threads);
  rpc.priority_handler_threads = static_cast<int>(options_->priority_handler_threads);
  rpc.max_request_bytes = options_->max_request_bytes;
  rpc.max_call_queue_bytes = options_->max_call_queue_bytes;
  rpc.idle_connection_threshold = options_->idle_connection_threshold;
  rpc.idle_connection_ms = options_->idle_connection_ms;
  rpc.clock = clock_;
  rpc.tls = tls_;
  if (access_ != nullptr) rpc.identify = [this](const CallerClaim& claim) { return access_->Establish(claim); };
  if (authentication_ != nullptr) {
    rpc.authenticate = [this](hbase::SaslMethod method) { return authentication_->NewServer(method); };
    rpc.principal = authentication_->principal();
  }
  rpc.slow_calls = {.slow_ms = options_->keep_slow_calls ? options_->slow_call_ms : -1,
                    .large_bytes = options_->keep_slow_calls ? options_->large_answer_bytes : -1,
                    .report = [this](const hbase::FinishedCall& call) { Note(call); }};
  return rpc;
}

void HBaseFrontEndImpl::Note(const hbase::FinishedCall& call) {
  if (!hbase::IsLogged(call.service)) return;
  const Pausable::Pass pass = mirror_.TryEnter();
  if (pass.inside() && server_ != nullptr) server_->slow_calls().Record(hbase::DescribeSlowCall(call, *server_));
}

absl::Status HBaseFrontEndImpl::Bind(ProcessRole role) {
  const std::string& address = options_->bind_address;
  if (role != ProcessRole::kRegionServer) {
    const auto port = rpc_->Listen(address, static_cast<int>(options_->master_port));
    if (!port.ok()) return Annotate(port.status(), "hbase.master.port");
    master_port_ = *port;
  }
  if (role != ProcessRole::kMaster) {
    const auto port = rpc_->Listen(address, static_cast<int>(options_->region_server_port));
    if (!port.ok()) return Annotate(port.status(), "hbase.regionserver.port");
    region_server_port_ = *port;
  }
  return absl::OkStatus();
}

void WarnOfUnknownCoprocessors(const Options& options) {
  for (const std::string* list : {&options.region_coprocessors, &options.user_region_coprocessors}) {
    for (const std::string& name : CoprocessorClasses(*list)) {
      if (!RunsCoprocessor(name)) spdlog::warn("the coprocessor {} does not run here", name);
    }
  }
}

std::vector<std::unique_ptr<hbase::RpcService>> MakeServices(Master* master, RegionServer* server,
                                                             const ClusterViewSource& cluster_view) {
  std::vector<std::unique_ptr<hbase::RpcService>> services;
  services.push_back(hbase::MakeClientService(server, master));
  services.push_back(hbase::MakeAdminService(master, server));
  services.push_back(hbase::MakeRegistryService(cluster_view));
  if (master != nullptr) services.push_back(hbase::MakeMasterService(master, server));
  return services;
}

absl::Status HBaseFrontEndImpl::Serve(Master* master, RegionServer* server, const ClusterViewSource& cluster_view) {
  WarnOfUnknownCoprocessors(*options_);
  master_ = master;
  server_ = server;
  cluster_view_ = cluster_view;
  std::vector<hbase::RpcService*> services;
  for (auto& service : MakeServices(master, server, cluster_view)) {
    if (gate_ != nullptr) {
      auto gated = std::make_unique<hbase::GatedService>(std::move(service), gate_);
      gated_.push_back(gated.get());
      service = std::move(gated);
    }
    services_.push_back(std::move(service));
    services.push_back(services_.back().get());
  }
  rpc_->Serve(services, cluster_view().cluster_id);
  return master == nullptr ? absl::OkStatus() : StartZooKeeper();
}

void HBaseFrontEndImpl::Pause() {
  mirror_.Pause();
  for (hbase::GatedService* service : gated_) service->Pause();
}

absl::Status HBaseFrontEndImpl::Resume(Master* master, RegionServer* server, const ClusterViewSource& cluster_view) {
  master_ = master;
  server_ = server;
  cluster_view_ = cluster_view;
  auto services = MakeServices(master, server, cluster_view);
  for (size_t i = 0; i < services.size(); ++i) gated_[i]->Resume(std::move(services[i]));
  mirror_.Resume();
  return zookeeper_ == nullptr ? absl::OkStatus()
                               : zookeeper::AddClusterNodes(cluster_view(), clock_->NowMs(), zookeeper_.get());
}

absl::Status HBaseFrontEndImpl::StartZooKeeper() {
  zookeeper::ZooKeeperOptions options;
  options.address = options_->bind_address;
  options.port = static_cast<uint16_t>(options_->zookeeper_port);
  options.clock = clock_;
  if (options_->tls) options.tls = tls_;
  options.refresh = [this](std::string_view path, zookeeper::ZnodeTree* tree) {
    const Pausable::Pass pass = mirror_.TryEnter();
    if (!pass.inside()) return;  // clients see what was there before
    zookeeper::RefreshTableNodes(master_, path, tree);
    zookeeper::RefreshServerNodes(cluster_view_, path, tree);
  };
  options.mirrored = &zookeeper::MirroredNode;
  auto server = zookeeper::ZooKeeperServer::Start(options);
  if (!server.ok()) return Annotate(server.status(), "hbase.zookeeper.property.clientPort");
  zookeeper_ = *std::move(server);
  return zookeeper::AddClusterNodes(cluster_view_(), clock_->NowMs(), zookeeper_.get());
}

void HBaseFrontEndImpl::Stop() {
  for (hbase::GatedService* service : gated_) service->Close();
  if (zookeeper_ != nullptr) zookeeper_->Stop();
  rpc_->Stop();
}

}  // namespace

absl::StatusOr<std::unique_ptr<HBaseFrontEnd>> HBaseFrontEnd::Listen(ProcessRole role, const Options* options,
                                                                     Clock* clock, const AccessControl* access,
                                                                     net::CallGate* gate) {
  VAQUITA_ASSIGN_OR_RETURN(std::shared_ptr<TlsContext> tls, ServerTls(*options, /*rpc=*/true));
  VAQUITA_ASSIGN_OR_RETURN(auto authentication,
                           hbase::Authentication::Open(*options, role != ProcessRole::kRegionServer,
                                                       role != ProcessRole::kMaster, access, clock));
  auto front_end =
      std::make_unique<HBaseFrontEndImpl>(options, clock, access, gate, std::move(tls), std::move(authentication));
  VAQUITA_RETURN_IF_ERROR(front_end->Bind(role));
  return front_end;
}

}  // namespace vaquita
