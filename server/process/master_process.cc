#include "server/process/master_process.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/durable_files.h"
#include "base/folder_lock.h"
#include "base/host_name.h"
#include "base/host_port.h"
#include "base/log.h"
#include "base/status.h"
#include "console/console_pages.h"
#include "model/server_name.h"
#include "server/control/grpc/grpc_master_control.h"
#include "server/control/grpc/grpc_region_server_control.h"
#include "server/data_root/backup_masters.h"
#include "server/data_root/data_format.h"
#include "server/data_root/master_address.h"
#include "server/frontend/avatica/query_server.h"
#include "server/frontend/grpc/grpc_front_end.h"
#include "server/frontend/hbase/hbase_front_end.h"
#include "server/frontend/http/http_server.h"
#include "server/fsck/root_check.h"
#include "server/info/info_pages.h"
#include "server/info/jmx_metrics.h"
#include "server/info/metrics_pages.h"
#include "server/info/prometheus_text.h"
#include "server/master/assignment/assignment_manager.h"
#include "server/master/master.h"
#include "server/master/master_metrics.h"
#include "server/process/process_access.h"
#include "server/process/process_tls.h"
#include "server/process/write_failure.h"
#include "server/regionserver/region_server.h"
#include "server/test_control/control_pages.h"

namespace vaquita {
namespace {

using std::chrono::steady_clock;

constexpr std::chrono::seconds kBackupsInterval{1};  // between two looks at the list of backup masters

class MasterProcessImpl final : public MasterProcess {
 public:
  explicit MasterProcessImpl(const MasterProcessOptions& options)
      : options_(*options.options),
        test_control_(options.control),
        clock_(test_control_ != nullptr   ? test_control_->clock()
               : options.clock != nullptr ? options.clock
                                          : Clock::System()),
        console_works_(options.console_works),
        console_get_(options.console_get),
        orders_(options.orders),
        host_name_(HostOf(options_)),
        start_code_(clock_->NowMs()),
        data_path_(AbsolutePath(options.data_path)),
        server_name_(NameAt(options_.master_port)) {}
  ~MasterProcessImpl() override { Stop(); }

  absl::Status Wait();
  absl::StatusOr<bool> TryToLead() override;
  bool ended(absl::Status* why) const override;

  Master* master() override { return master_.get(); }
  std::string zookeeper_address() const override { return Address(hbase_ == nullptr ? 0 : hbase_->zookeeper_port()); }
  std::string master_address() const override { return Address(hbase_ == nullptr ? 0 : hbase_->master_port()); }
  std::string grpc_address() const override { return Address(grpc_ == nullptr ? 0 : grpc_->port()); }
  std::string info_address() const override { return info_address_; }
  std::string query_server_address() const override { return queries_ == nullptr ? "" : queries_->address(); }
  std::string server_name() const override { return server_name_; }
  std::string data_path() const override { return data_path_; }
  void ForgetSessions() override {
    if (queries_ != nullptr) queries_->Forget();
  }
  void Stop() override;

 private:
  std::string NameAt(int64_t port) const {
    return ServerName{host_name_, static_cast<int32_t>(port), start_code_}.ToString();
  }
  std::string Address(int port) const { return port == 0 ? "" : JoinHostPort(host_name_, port); }
  absl::Status Lead();
  absl::Status Listen();
  absl::Status OpenMaster();
  ServerConnection Connect(const ServerRegistration& server);
  std::function<absl::StatusOr<std::string>(const std::string&, const std::string&)> AskServer();
  void End(const absl::Status& why);
  std::vector<std::string> BackupMasters();
  ClusterView View();
  absl::Status ListenForInfo();
  absl::StatusOr<std::string> Health() const;

  enum class Phase { kWaiting, kStarting, kLeading };

  const Options& options_;
  TestControl* const test_control_;  // null: no test controls it
  Clock* const clock_;
  const MakeConsoleWorks console_works_;
  const ConsoleGet console_get_;
  const ProcessOrders* const orders_;
  const std::string host_name_;
  const int64_t start_code_;
  ProcessTls tls_;  // set by Wait, as the next
  ProcessAccess access_;
  const std::string data_path_;
  std::string server_name_;
  std::unique_ptr<MasterControlService> control_;
  std::unique_ptr<BackupMaster> backup_;
  // In the order in which they open; they stop the other way round.
  std::unique_ptr<FolderLock> lock_;
  std::unique_ptr<GrpcFrontEnd> grpc_;
  std::unique_ptr<HBaseFrontEnd> hbase_;
  std::unique_ptr<Master> master_;
  std::unique_ptr<RegionServer> host_;    // has the master's own regions
  std::unique_ptr<QueryServer> queries_;  // a client of the cluster; null: there is none
  std::unique_ptr<ConsolePages> console_;
  std::unique_ptr<ControlPages> control_pages_;  // null: no test controls it
  std::unique_ptr<http::Server> http_;           // stops first: it asks all of them
  std::string info_address_;
  std::atomic<Phase> phase_ = Phase::kWaiting;  // from kLeading on, all of the above is there

  mutable std::mutex mutex_;
  std::optional<absl::Status> ended_;
  std::vector<std::string> backups_;                   // as they were a moment ago: to look costs system calls
  steady_clock::time_point next_look_;                 // at the list of backup masters
  std::map<std::string, std::string> info_addresses_;  // region servers', by name
};

absl::Status MasterProcessImpl::Wait() {
  VAQUITA_RETURN_IF_ERROR(CheckNotForeign(data_path_));
  VAQUITA_ASSIGN_OR_RETURN(tls_, ProcessTls::Create(options_));
  for (const char* const folder : {"/master", "/server"}) {
    const absl::Status made = CreateFolder(data_path_ + folder);
    if (made.ok()) continue;
    return absl::InvalidArgumentError(absl::StrCat("data folder ", data_path_, ": ", made.message()));
  }
  VAQUITA_ASSIGN_OR_RETURN(access_, ProcessAccess::Create(options_, data_path_, test_control_ != nullptr));
  control_ = MasterControlService::Make(access_.control.get());
  VAQUITA_ASSIGN_OR_RETURN(backup_, BackupMaster::Announce(data_path_, server_name_));
  if (const absl::Status status = ListenForInfo(); !status.ok()) {
    spdlog::info("master {} has no info port while it waits: {}", server_name_, status.ToString());
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> MasterProcessImpl::Health() const {
  absl::Status why;
  if (ended(&why)) return why;
  switch (phase_) {
    case Phase::kWaiting:
      return "backup master: waits to lead";
    case Phase::kStarting:
      return absl::UnavailableError("the master is becoming active");
    case Phase::kLeading:
      break;
  }
  const std::string name = "active master " + server_name_ + ", epoch " + std::to_string(master_->epoch());
  VAQUITA_RETURN_IF_ERROR(WriteFailure(name, master_->Writes()));
  if (master_->initialized()) return name;
  return absl::UnavailableError(name + ": waits for the region servers that hbase:meta names");
}

absl::Status MasterProcessImpl::ListenForInfo() {
  InfoSource source;
  source.clock = clock_;
  source.title = [this] { return phase_ == Phase::kLeading ? "Vaquita master " + server_name_ : "Vaquita master"; };
  source.health = [this] { return Health(); };
  source.metrics = [this](PrometheusText* text) {
    const bool leads = phase_ == Phase::kLeading;
    text->Gauge("vaquita_master_active", "Whether this master leads.", leads ? 1 : 0);
    if (!leads) return;
    AppendMasterMetrics(master_->Metrics(), text);
    AppendRpcMetrics(hbase_->load(), text);
  };
  source.beans = [this](JmxBeans* beans) {
    if (phase_ != Phase::kLeading) return;
    AppendMasterBeans(master_->Metrics(), master_->Status(), beans);
    AppendRpcBean(hbase_->load(), "Master", beans);
  };
  source.calls = [this] { return phase_ == Phase::kLeading ? hbase_->running_calls() : std::vector<MonitoredCall>(); };
  source.tasks = [this] { return phase_ == Phase::kLeading ? master_->Tasks() : std::vector<MonitoredTask>(); };
  source.region_metrics = [this](PrometheusText* text) {
    if (phase_ == Phase::kLeading) AppendRegionMetrics(host_->Metrics().regions, text);
  };
  const ConsoleHost host = {.grpc_address = [this] { return phase_ == Phase::kLeading ? grpc_address() : ""; },
                            .may_write = options_.console_write,
                            .token = access_.token};
  source.check_user = access_.ForSuperusers();
  console_ = std::make_unique<ConsolePages>(
      ConsoleSource{.heat = nullptr,
                    .with_master =
                        [this](const auto& work) {
                          return phase_ == Phase::kLeading ? work(master_.get())
                                                           : absl::UnavailableError("this master is not active");
                        },
                    .with_region_server = nullptr,
                    .ask_server = AskServer(),
                    .clock = clock_,
                    .works = console_works_ == nullptr ? ConsoleWorks() : console_works_(host),
                    .may_write = host.may_write});
  if (test_control_ != nullptr) {
    control_pages_ = std::make_unique<ControlPages>(test_control_);
    source.notice = kTestControlNotice;
  }
  source.add_pages = [this](http::Pages* pages) {
    console_->AddTo(pages);
    if (control_pages_ != nullptr) control_pages_->AddTo(pages);
  };
  http_ = http::Server::Create({.tls = tls_.ports});
  auto address = vaquita::ListenForInfo(http_.get(), options_, InfoPort::kMaster, std::move(source));
  if (!address.ok()) http_.reset();
  VAQUITA_ASSIGN_OR_RETURN(info_address_, std::move(address));
  return absl::OkStatus();
}

absl::StatusOr<bool> MasterProcessImpl::TryToLead() {
  auto lock = FolderLock::Take(data_path_);
  if (absl::IsFailedPrecondition(lock.status())) return false;
  VAQUITA_ASSIGN_OR_RETURN(lock_, std::move(lock));
  backup_.reset();
  VAQUITA_RETURN_IF_ERROR(Lead());
  return true;
}

absl::Status MasterProcessImpl::Lead() {
  phase_ = Phase::kStarting;
  VAQUITA_RETURN_IF_ERROR(CheckDataFormat(data_path_));
  VAQUITA_RETURN_IF_ERROR(CheckMetaIsThere(data_path_));
  VAQUITA_RETURN_IF_ERROR(Listen());
  VAQUITA_RETURN_IF_ERROR(OpenMaster());
  VAQUITA_RETURN_IF_ERROR(WriteMasterAddress(data_path_, {.grpc_address = grpc_address(),
                                                          .server_name = server_name_,
                                                          .epoch = master_->epoch(),
                                                          .cluster_id = master_->cluster_id()}));
  grpc_->SetServing(master_.get(), host_.get());
  VAQUITA_RETURN_IF_ERROR(hbase_->Serve(master_.get(), host_.get(), [this] { return View(); }));
  phase_ = Phase::kLeading;
  spdlog::info("master {} leads, epoch {}", server_name_, master_->epoch());
  return absl::OkStatus();
}

absl::Status MasterProcessImpl::Listen() {
  VAQUITA_ASSIGN_OR_RETURN(
      hbase_, HBaseFrontEnd::Listen(ProcessRole::kMaster, &options_, clock_, access_.control.get(), test_control_));
  GrpcFrontEndOptions grpc{.bind_address = options_.bind_address,
                           .port = static_cast<int>(options_.master_grpc_port),
                           .port_property = "vaquita.master.grpc.port",
                           .max_message_bytes = options_.max_call_queue_bytes,
                           .max_request_bytes = options_.max_request_bytes,
                           .clock = clock_,
                           .tls = tls_.ports,
                           .access = access_.control.get(),
                           .gate = test_control_,
                           .control = test_control_,
                           .internal = {control_->service()}};
  VAQUITA_ASSIGN_OR_RETURN(grpc_, GrpcFrontEnd::Listen(grpc));
  VAQUITA_ASSIGN_OR_RETURN(queries_, QueryServer::Listen({.options = &options_,
                                                          .clock = clock_,
                                                          .cluster = grpc_address(),
                                                          .identify = access_.Identify(),
                                                          .token = access_.token}));
  server_name_ = NameAt(hbase_->master_port());
  return http_ == nullptr ? ListenForInfo() : absl::OkStatus();
}

absl::Status MasterProcessImpl::OpenMaster() {
  VAQUITA_ASSIGN_OR_RETURN(master_, Master::Open({.server_name = server_name_,
                                                  .options = &options_,
                                                  .clock = clock_,
                                                  .access = access_.control.get(),
                                                  .root = data_path_}));
  RegionServerOptions host;
  host.server_name = server_name_;
  host.options = &options_;
  host.clock = clock_;
  host.orders = orders_;
  host.access = access_.control.get();
  host_ = RegionServer::ForHosted(host, master_->maintenance());
  VAQUITA_RETURN_IF_ERROR(
      master_->LeadCluster({.host = host_.get(),
                            .backup_masters = [this] { return BackupMasters(); },
                            .connect = [this](const ServerRegistration& server) { return Connect(server); },
                            .on_fatal = [this](const absl::Status& why) { End(why); }}));
  control_->Serve(server_name_, master_->control());
  return absl::OkStatus();
}

std::function<absl::StatusOr<std::string>(const std::string&, const std::string&)> MasterProcessImpl::AskServer() {
  if (console_get_ == nullptr) return nullptr;
  return [this](const std::string& server, const std::string& path) -> absl::StatusOr<std::string> {
    std::string address;
    {
      const std::lock_guard lock(mutex_);
      const auto found = info_addresses_.find(server);
      if (found != info_addresses_.end()) address = found->second;
    }
    if (address.empty()) return absl::UnavailableError("server " + server + " has no info port");
    return console_get_(address, path);
  };
}

ServerConnection MasterProcessImpl::Connect(const ServerRegistration& server) {
  {
    const std::lock_guard lock(mutex_);
    const auto living = master_->ServerNames();
    std::erase_if(info_addresses_, [&](const auto& known) {
      return std::find(living.begin(), living.end(), known.first) == living.end();
    });
    info_addresses_[server.server_name] = server.info_address;
  }
  std::shared_ptr<RemoteRegionServer> remote = RemoteRegionServer::Make({.address = server.grpc_address,
                                                                         .server_name = server.server_name,
                                                                         .epoch = master_->epoch(),
                                                                         .tls = tls_.peers,
                                                                         .token = access_.token});
  return {remote, [remote] { remote->Abandon(); }};
}

void MasterProcessImpl::End(const absl::Status& why) {
  spdlog::error("master {}: {}", server_name_, why.ToString());
  std::lock_guard lock(mutex_);
  ended_ = why;
}

bool MasterProcessImpl::ended(absl::Status* why) const {
  if (phase_ == Phase::kLeading && master_ != nullptr && MustEnd("master " + server_name_, master_->Writes(), why))
    return true;
  std::lock_guard lock(mutex_);
  if (ended_.has_value()) *why = *ended_;
  return ended_.has_value();
}

std::vector<std::string> MasterProcessImpl::BackupMasters() {
  std::lock_guard lock(mutex_);
  if (const auto now = steady_clock::now(); now >= next_look_) {
    backups_ = ListBackupMasters(data_path_);
    next_look_ = now + kBackupsInterval;
  }
  return backups_;
}

ClusterView MasterProcessImpl::View() {
  return {.cluster_id = master_->cluster_id(),
          .master = server_name_,
          .backup_masters = BackupMasters(),
          .region_servers = master_->ServerNames(),
          .meta_server = server_name_,
          .meta_replicas = master_->MetaReplicas()};
}

void MasterProcessImpl::Stop() {
  if (test_control_ != nullptr) test_control_->BeginStop();
  if (http_ != nullptr) http_->Stop();
  console_.reset();
  if (queries_ != nullptr) queries_->Interrupt();
  backup_.reset();
  // Before those that serve it: they wait for their calls, and these for what is under way.
  if (master_ != nullptr) master_->Stop();
  if (test_control_ != nullptr) test_control_->Stop();
  if (hbase_ != nullptr) hbase_->Stop();
  if (control_ != nullptr) control_->Stop();
  if (grpc_ != nullptr) grpc_->Stop();
  queries_.reset();
  host_.reset();
  master_.reset();
  hbase_.reset();
  grpc_.reset();
  lock_.reset();
}

}  // namespace

absl::StatusOr<std::unique_ptr<MasterProcess>> MasterProcess::Create(const MasterProcessOptions& options) {
  auto process = std::make_unique<MasterProcessImpl>(options);
  VAQUITA_RETURN_IF_ERROR(process->Wait());
  return process;
}

}  // namespace vaquita
