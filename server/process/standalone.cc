#include "server/process/standalone.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/durable_files.h"
#include "base/ephemeral_folder.h"
#include "base/folder_lock.h"
#include "base/host_name.h"
#include "base/host_port.h"
#include "base/log.h"
#include "base/pausable.h"
#include "base/status.h"
#include "base/test_disk.h"
#include "console/console_pages.h"
#include "model/server_name.h"
#include "server/data_root/data_format.h"
#include "server/data_root/server_folder.h"
#include "server/data_root/state_copy.h"
#include "server/frontend/avatica/query_server.h"
#include "server/frontend/grpc/grpc_front_end.h"
#include "server/frontend/hbase/hbase_front_end.h"
#include "server/frontend/http/http_server.h"
#include "server/frontend/net/shared_port.h"
#include "server/fsck/root_check.h"
#include "server/heat/heat_recording.h"
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

class StandaloneImpl : public Standalone {
 public:
  explicit StandaloneImpl(const StandaloneOptions& options)
      : options_(options),
        clock_(options.control != nullptr ? options.control->clock()
               : options.clock != nullptr ? options.clock
                                          : Clock::System()),
        host_(HostOf(*options.options)),
        advertised_(AdvertisedBy(*options.options)) {}
  ~StandaloneImpl() override { Stop(); }
  absl::Status Open();

  Master* master() override { return master_.get(); }
  absl::Status SaveState(const std::string& folder) override;
  absl::Status RestoreState(const std::string& folder) override;
  absl::StatusOr<std::string> SavedStatesFolder() const override { return data_path_ + "/" + kSavedStates; }
  absl::Status SetDisk(const DiskFaults& faults) override;
  absl::Status CutPower() override;
  absl::Status Advertise(const v1::Addresses& addresses) override;
  absl::StatusOr<v1::Addresses> Advertised() const override;
  void ForgetSessions() override {
    if (queries_ != nullptr) queries_->Forget();
  }
  RegionServer* region_server() override { return server_.get(); }
  std::string zookeeper_address() const override { return Address(hbase_ == nullptr ? 0 : hbase_->zookeeper_port()); }
  std::string master_address() const override { return Address(hbase_ == nullptr ? 0 : hbase_->master_port()); }
  std::string region_server_address() const override {
    return Address(hbase_ == nullptr ? 0 : hbase_->region_server_port());
  }
  std::string grpc_address() const override { return Address(grpc_ == nullptr ? 0 : grpc_->port()); }
  std::string master_info_address() const override { return master_info_address_; }
  std::string region_server_info_address() const override { return region_server_info_address_; }
  std::string query_server_address() const override { return queries_ == nullptr ? "" : queries_->address(); }
  ServiceAddresses advertised() const override;
  std::string server_name() const override {
    std::lock_guard lock(mutex_);
    return server_name_;
  }
  std::string data_path() const override { return data_path_; }
  bool ended(absl::Status* why) const override;
  void Stop() override;

 private:
  absl::Status MakeFolders();
  absl::Status Listen();
  absl::Status ListenForInfo();
  // Runs `work` if clients are served, which the test control's changes of the servers interrupt.
  void IfServing(const std::function<void()>& work) const;
  template <typename Server>
  std::vector<MonitoredTask> TasksOf(const std::unique_ptr<Server>& server) const;
  InfoSource MasterSource();
  InfoSource RegionServerSource();
  InfoSource SourceOfBoth();
  ConsoleSource ConsoleParts();
  absl::Status OpenServers();
  absl::Status JoinCluster();
  ServerConnection Connect() const;
  void End(const absl::Status& why);
  void NameServers();
  absl::Status BindSharedPort();
  void StartSharedPort();
  ClusterViewSource DescribeCluster() const;
  using Step = std::function<absl::Status()>;
  absl::Status Reopen(const Step& between, const Step& before = nullptr);
  absl::StatusOr<std::string> Health(const std::string& who) const;
  // A test disk must know what would have been synced.
  bool Syncs() const { return ephemeral_ == nullptr || disk_ != nullptr; }
  std::string Address(int port) const { return port == 0 ? "" : JoinHostPort(host_, port); }

  const StandaloneOptions options_;
  Clock* const clock_;
  const std::string host_;
  std::string data_path_;
  std::unique_ptr<EphemeralFolder> ephemeral_;  // null: the data stay
  std::unique_ptr<FolderLock> lock_;            // null: the ephemeral folder's own
  std::unique_ptr<TestDisk> disk_;              // null: the machine's disk; set by the test control's operations
  int master_port_ = 0;
  int region_server_port_ = 0;
  int64_t start_code_ = 0;
  ProcessTls tls_;
  ProcessAccess access_;
  mutable std::mutex mutex_;
  ServiceAddresses advertised_;  // in place of where they listen
  std::string master_name_;
  std::string server_name_;
  std::string master_info_address_;
  std::string region_server_info_address_;
  std::atomic<bool> serving_ = false;  // the info pages may ask the servers
  mutable Pausable use_;               // guards the servers, for info pages and ended()
  std::mutex reopening_;               // held while the servers are made again
  bool stopping_ = false;              // under reopening_
  // In the order in which they open; they stop the other way round.
  std::unique_ptr<GrpcFrontEnd> grpc_;
  std::unique_ptr<HBaseFrontEnd> hbase_;
  std::unique_ptr<Master> master_;
  std::unique_ptr<RegionServer> server_;
  std::unique_ptr<QueryServer> queries_;  // a client of grpc_; null: it is turned off
  std::unique_ptr<ConsolePages> console_;
  std::unique_ptr<ControlPages> control_pages_;   // null: no test controls it
  std::unique_ptr<http::Server> http_;            // stops first: it asks all of them
  std::unique_ptr<net::SharedPort> shared_port_;  // stops before http_: it gives connections to all; null: unused
  std::optional<absl::Status> ended_;             // under mutex_
  HeatRecording heat_{clock_};                    // counts server_'s keys
};

absl::Status StandaloneImpl::Open() {
  VAQUITA_RETURN_IF_ERROR(CheckAdvertised(*options_.options));
  VAQUITA_RETURN_IF_ERROR(MakeFolders());
  VAQUITA_RETURN_IF_ERROR(Listen());
  VAQUITA_RETURN_IF_ERROR(OpenServers());
  if (!options_.serve) return absl::OkStatus();
  grpc_->SetServing(master_.get(), server_.get());
  VAQUITA_RETURN_IF_ERROR(hbase_->Serve(master_.get(), server_.get(), DescribeCluster()));
  if (shared_port_ != nullptr) StartSharedPort();
  serving_ = true;
  return absl::OkStatus();
}

ClusterViewSource StandaloneImpl::DescribeCluster() const {
  const ClusterView cluster{.cluster_id = master_->cluster_id(),
                            .master = master_name_,
                            .backup_masters = {},
                            .region_servers = {server_name_},
                            .meta_server = server_name_};
  return [cluster, master = master_.get()] {
    ClusterView view = cluster;
    view.meta_replicas = master->MetaReplicas();
    return view;
  };
}

absl::Status StandaloneImpl::MakeFolders() {
  if (options_.data_path.empty()) {
    VAQUITA_ASSIGN_OR_RETURN(ephemeral_, EphemeralFolder::Make());
    data_path_ = ephemeral_->path();
  } else {
    data_path_ = AbsolutePath(options_.data_path);
    VAQUITA_RETURN_IF_ERROR(CheckNotForeign(data_path_));
  }
  if (const absl::Status made = CreateFolder(data_path_ + "/server"); !made.ok()) {
    return absl::InvalidArgumentError(absl::StrCat("data folder ", data_path_, ": ", made.message()));
  }
  if (ephemeral_ == nullptr) {
    VAQUITA_ASSIGN_OR_RETURN(lock_, FolderLock::Take(data_path_));
  }
  VAQUITA_RETURN_IF_ERROR(CheckDataFormat(data_path_));
  return CheckMetaIsThere(data_path_);
}

absl::Status StandaloneImpl::Listen() {
  const Options& options = *options_.options;
  master_port_ = static_cast<int>(options.master_port);
  region_server_port_ = static_cast<int>(options.region_server_port);
  VAQUITA_ASSIGN_OR_RETURN(access_, ProcessAccess::Create(options, data_path_, options_.control != nullptr));
  if (options_.serve) {
    VAQUITA_ASSIGN_OR_RETURN(tls_, ProcessTls::Create(options));
    if (options.shared_port >= 0 && (options.tls || options.tls_rpc)) {
      return absl::InvalidArgumentError("vaquita.port has no TLS; with TLS, each protocol has its own port");
    }
    VAQUITA_ASSIGN_OR_RETURN(
        hbase_, HBaseFrontEnd::Listen(ProcessRole::kBoth, &options, clock_, access_.control.get(), options_.control));
    GrpcFrontEndOptions grpc{.bind_address = options.bind_address,
                             .port = static_cast<int>(options.grpc_port),
                             .max_message_bytes = options.max_call_queue_bytes,
                             .max_request_bytes = options.max_request_bytes,
                             .clock = clock_,
                             .tls = tls_.ports,
                             .access = access_.control.get(),
                             .gate = options_.control,
                             .control = options_.control};
    if (options_.control != nullptr) control_pages_ = std::make_unique<ControlPages>(options_.control);
    VAQUITA_ASSIGN_OR_RETURN(grpc_, GrpcFrontEnd::Listen(grpc));
    VAQUITA_RETURN_IF_ERROR(ListenForInfo());
    VAQUITA_ASSIGN_OR_RETURN(queries_, QueryServer::Listen({.options = &options,
                                                            .clock = clock_,
                                                            .cluster = grpc_address(),
                                                            .only_server = true,
                                                            .identify = access_.Identify(),
                                                            .token = access_.token}));
    master_port_ = hbase_->master_port();
    region_server_port_ = hbase_->region_server_port();
  }
  if (options_.serve && options.shared_port >= 0) VAQUITA_RETURN_IF_ERROR(BindSharedPort());
  NameServers();
  return absl::OkStatus();
}

// Services without another address are advertised at this port.
absl::Status StandaloneImpl::BindSharedPort() {
  const Options& options = *options_.options;
  shared_port_ = std::make_unique<net::SharedPort>();
  const auto port = shared_port_->Bind(options.bind_address, static_cast<int>(options.shared_port));
  if (!port.ok()) return Annotate(port.status(), "vaquita.port");
  std::lock_guard lock(mutex_);
  for (const ServiceAddressRow& row : ServiceAddressRows()) {
    std::string& address = advertised_.*row.address;
    if (address.empty()) address = Address(*port);
  }
  return absl::OkStatus();
}

void StandaloneImpl::StartSharedPort() {
  shared_port_->Start(
      {{net::Protocol::kHBaseRpc, [this](const net::Accepted& accepted) { hbase_->Give(accepted); }},
       {net::Protocol::kZooKeeper, [this](const net::Accepted& accepted) { hbase_->GiveZooKeeper(accepted); }},
       {net::Protocol::kGrpc, [this](const net::Accepted& accepted) { grpc_->Give(accepted); }},
       {net::Protocol::kHttp, [this](const net::Accepted& accepted) { http_->Give(accepted); }}});
}

// Each opening is a new life, so clients that know an earlier one look up the servers again.
void StandaloneImpl::NameServers() {
  start_code_ = std::max(start_code_ + 1, clock_->NowMs());
  std::lock_guard lock(mutex_);
  const ServiceAddresses known = WithAdvertised(
      {.master = JoinHostPort(host_, master_port_), .region_server = JoinHostPort(host_, region_server_port_)},
      advertised_);
  master_name_ = ServerName::At(known.master, start_code_).ToString();
  server_name_ = ServerName::At(known.region_server, start_code_).ToString();
}

ServiceAddresses StandaloneImpl::advertised() const {
  std::lock_guard lock(mutex_);
  return WithAdvertised({.zookeeper = zookeeper_address(),
                         .master = master_address(),
                         .region_server = region_server_address(),
                         .grpc = grpc_address(),
                         .master_info = master_info_address_,
                         .region_server_info = region_server_info_address_,
                         .query_server = query_server_address()},
                        advertised_);
}

// --- For tests

// Closes the servers, and opens them anew after `between`, while clients stay connected. `before`, unless null, runs
// when their calls have ended; `between` only if it succeeds. The test disk has no faults meanwhile. Not once the
// process stops: that may come while this waits for the clients' calls.
absl::Status StandaloneImpl::Reopen(const Step& between, const Step& before) {
  const DiskFaults faults = disk_ == nullptr ? DiskFaults() : disk_->faults();
  if (disk_ != nullptr) disk_->SetFaults({.seed = faults.seed});
  hbase_->Pause();
  grpc_->Pause();
  use_.Pause();
  std::lock_guard alone(reopening_);
  if (stopping_) return absl::UnavailableError("the server is stopping");
  absl::Status done = before == nullptr ? absl::OkStatus() : before();
  heat_.Stop();
  master_->Stop();
  server_.reset();
  master_.reset();
  if (done.ok()) done = between();
  if (disk_ != nullptr) disk_->SyncAll();
  NameServers();
  if (absl::Status opened = OpenServers(); !opened.ok()) {
    std::lock_guard lock(mutex_);
    ended_ = Annotate(opened, "reopen the servers");
    return *ended_;
  }
  if (disk_ != nullptr) disk_->SetFaults(faults);
  use_.Resume();
  grpc_->Resume(master_.get(), server_.get());
  VAQUITA_RETURN_IF_ERROR(hbase_->Resume(master_.get(), server_.get(), DescribeCluster()));
  return done;
}

absl::Status StandaloneImpl::SaveState(const std::string& folder) {
  return Reopen([&] { return CopyState(data_path_, folder); });
}

absl::Status StandaloneImpl::RestoreState(const std::string& folder) {
  return Reopen([&] { return ReplaceState(folder, data_path_); });
}

absl::Status StandaloneImpl::SetDisk(const DiskFaults& faults) {
  if (disk_ == nullptr) {
    VAQUITA_RETURN_IF_ERROR(Reopen([&] {
      disk_ = std::make_unique<TestDisk>(data_path_, DiskFaults{.seed = faults.seed}, kSavedStates);
      return absl::OkStatus();
    }));
  }
  disk_->SetFaults(faults);
  return absl::OkStatus();
}

absl::Status StandaloneImpl::CutPower() {
  if (disk_ == nullptr) {
    return absl::FailedPreconditionError("there is no test disk; order it by POST disk, before the writes in question");
  }
  const std::string saved = data_path_ + "/" + kSavedStates;
  const std::string survivors = saved + "/.power-cut";
  const auto cut = [&]() -> absl::Status {
    VAQUITA_RETURN_IF_ERROR(CreateFolder(saved));
    VAQUITA_RETURN_IF_ERROR(RemoveAll(survivors));
    return disk_->CopySurvivors(survivors);
  };
  const auto replace = [&]() -> absl::Status {
    VAQUITA_RETURN_IF_ERROR(ReplaceState(survivors, data_path_));
    return RemoveAll(survivors);
  };
  return Reopen(replace, cut);
}

absl::Status StandaloneImpl::Advertise(const v1::Addresses& addresses) {
  const std::pair<const std::string&, std::string ServiceAddresses::*> given[] = {
      {addresses.zookeeper(), &ServiceAddresses::zookeeper},
      {addresses.master(), &ServiceAddresses::master},
      {addresses.region_server(), &ServiceAddresses::region_server},
      {addresses.grpc(), &ServiceAddresses::grpc},
      {addresses.master_info(), &ServiceAddresses::master_info},
      {addresses.region_server_info(), &ServiceAddresses::region_server_info}};
  ServiceAddresses changed = advertised_;
  for (const auto& [address, field] : given) {
    if (address.empty()) continue;
    if (address != "-") VAQUITA_RETURN_IF_ERROR(CheckAdvertised(address, address));
    changed.*field = address == "-" ? "" : address;
  }
  bool renamed = false;  // a part of a server's name, or of what the master knows of it, is another
  {
    std::lock_guard lock(mutex_);
    renamed = changed.master != advertised_.master || changed.region_server != advertised_.region_server ||
              changed.grpc != advertised_.grpc;
    advertised_ = changed;
  }
  return renamed ? Reopen([] { return absl::OkStatus(); }) : absl::OkStatus();
}

absl::StatusOr<v1::Addresses> StandaloneImpl::Advertised() const {
  const ServiceAddresses known = advertised();
  v1::Addresses addresses;
  addresses.set_zookeeper(known.zookeeper);
  addresses.set_master(known.master);
  addresses.set_region_server(known.region_server);
  addresses.set_grpc(known.grpc);
  addresses.set_master_info(known.master_info);
  addresses.set_region_server_info(known.region_server_info);
  return addresses;
}

absl::StatusOr<std::string> StandaloneImpl::Health(const std::string& who) const {
  const Pausable::Pass pass = use_.TryEnter();
  if (!serving_ || !pass.inside()) return absl::UnavailableError("the server is starting");
  VAQUITA_RETURN_IF_ERROR(WriteFailure("master", master_->Writes()));
  VAQUITA_RETURN_IF_ERROR(WriteFailure("region server " + server_name_, server_->Writes()));
  return who + " " + server_name_ + " serves";
}

bool StandaloneImpl::ended(absl::Status* why) const {
  {
    std::lock_guard lock(mutex_);
    if (ended_.has_value()) *why = *ended_;
    if (ended_.has_value()) return true;
  }
  const Pausable::Pass pass = use_.TryEnter();
  if (!pass.inside() || master_ == nullptr || server_ == nullptr) return false;
  return MustEnd("master", master_->Writes(), why) || MustEnd("region server " + server_name_, server_->Writes(), why);
}

ConsoleSource StandaloneImpl::ConsoleParts() {
  const auto with = [this](const auto& server, const auto& work) {
    const Pausable::Pass pass = use_.TryEnter();
    return serving_ && pass.inside() ? work(server.get()) : absl::UnavailableError("the server is starting");
  };
  const ConsoleHost host = {.grpc_address = [this] { return serving_ ? grpc_address() : ""; },
                            .may_write = options_.options->console_write,
                            .token = access_.token};
  return {.heat = [this] { return heat_.Current(); },
          .with_master = [this, with](const auto& work) { return with(master_, work); },
          .with_region_server = [this, with](const auto& work) { return with(server_, work); },
          .clock = clock_,
          .works = options_.console_works == nullptr ? ConsoleWorks() : options_.console_works(host),
          .may_write = host.may_write};
}

void StandaloneImpl::IfServing(const std::function<void()>& work) const {
  const Pausable::Pass pass = use_.TryEnter();
  if (serving_ && pass.inside()) work();
}

template <typename Server>
std::vector<MonitoredTask> StandaloneImpl::TasksOf(const std::unique_ptr<Server>& server) const {
  std::vector<MonitoredTask> tasks;
  IfServing([&] { tasks = server->Tasks(); });
  return tasks;
}

InfoSource StandaloneImpl::MasterSource() {
  InfoSource source = SourceOfBoth();
  source.title = [] { return "Vaquita standalone: master"; };
  source.health = [this] { return Health("master of"); };
  source.metrics = [this](PrometheusText* text) {
    IfServing([&] {
      text->Gauge("vaquita_master_active", "Whether this master leads.", 1);
      AppendMasterMetrics(master_->Metrics(), text);
      AppendRpcMetrics(hbase_->load(), text);
    });
  };
  source.tasks = [this] { return TasksOf(master_); };
  return source;
}

InfoSource StandaloneImpl::RegionServerSource() {
  InfoSource source = SourceOfBoth();
  source.title = [] { return "Vaquita standalone: region server"; };
  source.health = [this] { return Health("region server"); };
  source.metrics = [this](PrometheusText* text) {
    IfServing([&] {
      AppendRegionServerMetrics(StateOf(*server_, nullptr), text);
      AppendRpcMetrics(hbase_->load(), text);
    });
  };
  source.region_metrics = [this](PrometheusText* text) {
    IfServing([&] { AppendRegionMetrics(server_->Metrics().regions, text); });
  };
  source.tasks = [this] { return TasksOf(server_); };
  return source;
}

// The parts that the two ports have in common.
InfoSource StandaloneImpl::SourceOfBoth() {
  InfoSource source;
  source.clock = clock_;
  source.check_user = access_.ForSuperusers();
  source.calls = [this] { return hbase_->running_calls(); };
  source.beans = [this](JmxBeans* beans) {
    IfServing([&] {
      AppendMasterBeans(master_->Metrics(), master_->Status(), beans);
      AppendRegionServerBeans(StateOf(*server_, nullptr), master_->cluster_id(), beans);
      AppendRpcBean(hbase_->load(), "RegionServer", beans);
    });
  };
  source.add_pages = [this](http::Pages* pages) {
    (*pages)["/hbase-site.xml"] = [this](const http::Request&) {
      if (!serving_) return http::Response{.status = 503, .body = "the server is starting\n"};
      return http::Response{.content_type = "text/xml; charset=utf-8", .body = ClientSiteFile(advertised())};
    };
    console_->AddTo(pages);
    if (control_pages_ != nullptr) control_pages_->AddTo(pages);
  };
  if (control_pages_ != nullptr) source.notice = kTestControlNotice;
  return source;
}

absl::Status StandaloneImpl::ListenForInfo() {
  http_ = http::Server::Create({.tls = tls_.ports});
  console_ = std::make_unique<ConsolePages>(ConsoleParts());
  const Options& options = *options_.options;
  VAQUITA_ASSIGN_OR_RETURN(master_info_address_,
                           vaquita::ListenForInfo(http_.get(), options, InfoPort::kMaster, MasterSource()));
  VAQUITA_ASSIGN_OR_RETURN(region_server_info_address_,
                           vaquita::ListenForInfo(http_.get(), options, InfoPort::kRegionServer, RegionServerSource()));
  return absl::OkStatus();
}

absl::Status StandaloneImpl::OpenServers() {
  VAQUITA_ASSIGN_OR_RETURN(master_, Master::Open({.server_name = master_name_,
                                                  .options = options_.options,
                                                  .clock = clock_,
                                                  .access = access_.control.get(),
                                                  .syncs = Syncs(),
                                                  .root = data_path_,
                                                  .own_server = server_name_}));
  RegionServerOptions server_options;
  server_options.path = ServerFolder(data_path_, server_name_);
  server_options.root = data_path_;
  server_options.cluster_id = master_->cluster_id();
  server_options.server_name = server_name_;
  server_options.grpc_address = advertised().grpc;
  server_options.info_port = PortIn(advertised().region_server_info);
  server_options.options = options_.options;
  server_options.orders = options_.orders;
  server_options.syncs = Syncs();
  server_options.clock = clock_;
  server_options.access = access_.control.get();
  server_options.request_split = [this](const RegionInfo& info) { master_->RequestSplit(info); };
  server_ = RegionServer::ForHosted(server_options, master_->maintenance());
  VAQUITA_RETURN_IF_ERROR(master_->LeadCluster({.host = server_.get(),
                                                .backup_masters = [] { return std::vector<std::string>(); },
                                                .connect = [this](const ServerRegistration&) { return Connect(); },
                                                .on_fatal = [this](const absl::Status& why) { End(why); }}));
  return JoinCluster();
}

// A region server's way into a cluster (region_server_process.cc), without a network and without a lease.
absl::Status StandaloneImpl::JoinCluster() {
  MasterControl& master = *master_->control();
  VAQUITA_ASSIGN_OR_RETURN(
      const RegistrationAnswer answer,
      master.Register({.server_name = server_name_, .grpc_address = advertised().grpc, .leased = false}));
  VAQUITA_RETURN_IF_ERROR(server_->OpenFolder(answer.regions));
  VAQUITA_ASSIGN_OR_RETURN(const ServerReport report, server_->Report());
  VAQUITA_RETURN_IF_ERROR(master.Report(report).status());
  master_->AwaitFirstSteps(server_name_);
  if (options_.serve) heat_.Start(server_.get());
  return absl::OkStatus();
}

ServerConnection StandaloneImpl::Connect() const {
  return {.control = {std::shared_ptr<void>(), server_.get()}, .abandon = nullptr};
}

void StandaloneImpl::End(const absl::Status& why) {
  spdlog::error("master {}: {}", master_name_, why.ToString());
  std::lock_guard lock(mutex_);
  ended_ = why;
}

void StandaloneImpl::Stop() {
  if (options_.control != nullptr) options_.control->BeginStop();
  if (shared_port_ != nullptr) shared_port_->Stop();
  if (http_ != nullptr) http_->Stop();
  console_.reset();
  if (queries_ != nullptr) queries_->Interrupt();
  {
    // Before those that serve it: they wait for their calls, and these for what is under way.
    std::lock_guard alone(reopening_);
    stopping_ = true;
    if (server_ != nullptr && server_->maintenance() != nullptr) server_->maintenance()->InterruptCompactions();
    if (master_ != nullptr) master_->Stop();
  }
  if (options_.control != nullptr) options_.control->Stop();
  heat_.Stop();
  if (hbase_ != nullptr) hbase_->Stop();
  if (grpc_ != nullptr) grpc_->Stop();
  queries_.reset();
  server_.reset();
  master_.reset();
  hbase_.reset();
  grpc_.reset();
  lock_.reset();
  ephemeral_.reset();
}

}  // namespace

absl::StatusOr<std::unique_ptr<Standalone>> Standalone::Start(const StandaloneOptions& options) {
  auto standalone = std::make_unique<StandaloneImpl>(options);
  VAQUITA_RETURN_IF_ERROR(standalone->Open());
  return standalone;
}

}  // namespace vaquita
