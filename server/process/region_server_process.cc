#include "server/process/region_server_process.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <future>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "base/durable_files.h"
#include "base/host_name.h"
#include "base/host_port.h"
#include "base/log.h"
#include "base/status.h"
#include "console/console_pages.h"
#include "model/cluster_view.h"
#include "model/server_name.h"
#include "server/control/epoch_fence.h"
#include "server/control/grpc/grpc_master_control.h"
#include "server/control/grpc/grpc_region_server_control.h"
#include "server/control/later_life.h"
#include "server/control/server_lease.h"
#include "server/data_root/data_format.h"
#include "server/data_root/master_address.h"
#include "server/data_root/server_folder.h"
#include "server/data_root/sideline.h"
#include "server/frontend/grpc/grpc_front_end.h"
#include "server/frontend/hbase/hbase_front_end.h"
#include "server/frontend/http/http_server.h"
#include "server/heat/heat_recording.h"
#include "server/info/info_pages.h"
#include "server/info/jmx_metrics.h"
#include "server/info/metrics_pages.h"
#include "server/info/prometheus_text.h"
#include "server/process/process_access.h"
#include "server/process/process_tls.h"
#include "server/process/service_addresses.h"
#include "server/process/write_failure.h"
#include "server/regionserver/region_server.h"
#include "server/test_control/control_pages.h"

namespace vaquita {
namespace {

using std::chrono::milliseconds;

// The pause before the next attempt when no master answers.
constexpr milliseconds kRetry{100};
// No master has answered for so long: it is logged, and then once in each of the second.
constexpr milliseconds kQuietTrouble{5'000};
constexpr milliseconds kWarnings{60'000};
// A stopping server whose regions stop moving for this time ends with the rest.
constexpr milliseconds kDrainPatience{10'000};
constexpr milliseconds kLeavePatience{1'000};
// Between two looks at the file that names the master.
constexpr milliseconds kMasterInterval{1'000};
// The pause between checks of work that takes a moment.
constexpr milliseconds kSoon{20};

class RegionServerProcessImpl final : public RegionServerProcess {
 public:
  explicit RegionServerProcessImpl(const RegionServerProcessOptions& options)
      : options_(*options.options),
        test_control_(options.control),
        orders_(options.orders),
        clock_(test_control_ != nullptr   ? test_control_->clock()
               : options.clock != nullptr ? options.clock
                                          : Clock::System()),
        host_name_(HostOf(options_)),
        data_path_(AbsolutePath(options.data_path)),
        lease_ms_(options_.server_lease_ms) {}
  ~RegionServerProcessImpl() override { StopNow(); }

  absl::Status Start();

  bool serving() const override { return serving_; }
  bool ended(absl::Status* why) const override;
  std::string region_server_address() const override { return Address(hbase_->region_server_port()); }
  std::string grpc_address() const override { return Address(grpc_->port()); }
  std::string info_address() const override { return info_address_; }
  std::string server_name() const override {
    std::lock_guard lock(name_mutex_);
    return server_name_;
  }
  std::string data_path() const override { return data_path_; }
  RegionServer* region_server() override { return serving_ ? server_.get() : nullptr; }
  std::string MasterElsewhere() const override;
  void Stop() override;
  void StopNow() override;

 private:
  std::string Address(int port) const { return JoinHostPort(host_name_, port); }
  // --- The membership's thread.
  void Run();
  milliseconds Register();
  absl::Status LearnPermissions(const RegistrationAnswer& answer);
  milliseconds Report();
  milliseconds Interval() const { return milliseconds(lease_ms_ / 3); }
  void Renew(int64_t sent_ns, int64_t master_epoch);
  absl::StatusOr<ServerReport> MakeReport();
  // Serves, once the folder is open; whether it begins to.
  bool FinishOpening();
  absl::StatusOr<std::unique_ptr<RegionServer>> OpenFolder(const RegistrationAnswer& answer);
  absl::Status Serve(std::unique_ptr<RegionServer> server);
  void End(const absl::Status& why);
  void EndIfItCannotWrite();
  // ---
  void Drain();
  bool Leave();
  bool HasRegions();
  ClusterView View();
  absl::Status ListenForInfo();
  absl::StatusOr<std::string> Health() const;
  std::string Trouble() const;  // empty if the master answers
  void NoteTrouble(const absl::Status& status);

  const Options& options_;
  TestControl* const test_control_;  // null: no test controls it
  const ProcessOrders* const orders_;
  Clock* const clock_;
  const std::string host_name_;
  const std::string data_path_;
  mutable std::mutex name_mutex_;
  std::string server_name_;  // under name_mutex_; the registration may change it
  std::string info_address_;
  ServerLease lease_;
  int64_t lease_ms_;

  EpochFence gate_;
  ProcessAccess access_;  // set by Start, as the next
  std::unique_ptr<RegionServerControlService> control_;
  std::unique_ptr<MasterControl> master_;  // set by Start, as http_
  std::unique_ptr<GrpcFrontEnd> grpc_;
  std::unique_ptr<HBaseFrontEnd> hbase_;
  std::unique_ptr<RegionServer> server_;  // set before serving_
  HeatRecording heat_{clock_};            // counts server_'s keys
  std::atomic<bool> serving_ = false;
  std::unique_ptr<ConsolePages> console_;
  std::unique_ptr<ControlPages> control_pages_;  // null: no test controls it
  std::unique_ptr<http::Server> http_;

  bool registered_ = false;  // the membership's thread's own, as this
  std::future<absl::StatusOr<std::unique_ptr<RegionServer>>> opening_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool stopping_ = false;
  std::optional<absl::Status> ended_;
  absl::Status trouble_;  // why the master has not answered; OK: it has
  std::chrono::steady_clock::time_point warn_at_;
  ClusterView view_;
  std::chrono::steady_clock::time_point next_check_;  // when view_ may have another master
  std::thread thread_;
};

absl::Status RegionServerProcessImpl::Start() {
  VAQUITA_RETURN_IF_ERROR(CheckNotForeign(data_path_));
  VAQUITA_RETURN_IF_ERROR(CreateFolder(data_path_ + "/server"));
  VAQUITA_ASSIGN_OR_RETURN(const ProcessTls tls, ProcessTls::Create(options_));
  http_ = http::Server::Create({.tls = tls.ports});
  VAQUITA_ASSIGN_OR_RETURN(access_, ProcessAccess::Create(options_, data_path_, test_control_ != nullptr));
  control_ = RegionServerControlService::Make(&gate_, access_.control.get());
  master_ = MakeRemoteMaster(data_path_, options_.server_lease_ms / 3, tls.peers, access_.token);
  VAQUITA_ASSIGN_OR_RETURN(hbase_, HBaseFrontEnd::Listen(ProcessRole::kRegionServer, &options_, clock_,
                                                         access_.control.get(), test_control_));
  GrpcFrontEndOptions grpc{.bind_address = options_.bind_address,
                           .port = static_cast<int>(options_.grpc_port),
                           .master_elsewhere = [this] { return MasterElsewhere(); },
                           .max_message_bytes = options_.max_call_queue_bytes,
                           .max_request_bytes = options_.max_request_bytes,
                           .clock = clock_,
                           .tls = tls.ports,
                           .access = access_.control.get(),
                           .gate = test_control_,
                           .control = test_control_,
                           .internal = {control_->service()}};
  VAQUITA_ASSIGN_OR_RETURN(grpc_, GrpcFrontEnd::Listen(grpc));
  server_name_ = ServerName{host_name_, hbase_->region_server_port(), clock_->NowMs()}.ToString();
  VAQUITA_RETURN_IF_ERROR(ListenForInfo());
  thread_ = std::thread([this] { Run(); });
  return absl::OkStatus();
}

bool RegionServerProcessImpl::ended(absl::Status* why) const {
  std::lock_guard lock(mutex_);
  if (ended_.has_value()) *why = *ended_;
  return ended_.has_value();
}

// Its regions are better off elsewhere. (Without a lease the folder may be another's by now, as the master will say.)
void RegionServerProcessImpl::EndIfItCannotWrite() {
  absl::Status why;
  if (serving_ && lease_.valid() && MustEnd("region server " + server_name(), server_->Writes(), &why)) End(why);
}

void RegionServerProcessImpl::End(const absl::Status& why) {
  lease_.EndForGood();
  spdlog::error("region server {}: {}", server_name(), why.ToString());
  std::lock_guard lock(mutex_);
  ended_ = why;
}

std::string RegionServerProcessImpl::MasterElsewhere() const {
  const auto master = ReadMasterAddress(data_path_);
  return master.ok() ? master->grpc_address : "";
}

// --- For those who watch it.

absl::StatusOr<std::string> RegionServerProcessImpl::Health() const {
  absl::Status why;
  if (ended(&why)) return why;
  const std::string trouble = Trouble();
  const std::string because = trouble.empty() ? "" : ": " + trouble;
  if (!serving_) {
    return absl::UnavailableError("region server " + server_name() + " waits for a master, or opens its folder" +
                                  because);
  }
  if (!lease_.valid()) return absl::UnavailableError("the lease of " + server_name() + " is over" + because);
  VAQUITA_RETURN_IF_ERROR(WriteFailure("region server " + server_name(), server_->Writes()));
  return "region server " + server_name() + " serves";
}

std::string RegionServerProcessImpl::Trouble() const {
  std::lock_guard lock(mutex_);
  return std::string(trouble_.message());
}

// While a cluster starts there is no master for a moment, which needs no warning.
void RegionServerProcessImpl::NoteTrouble(const absl::Status& status) {
  const auto now = std::chrono::steady_clock::now();
  std::lock_guard lock(mutex_);
  if (trouble_.ok()) warn_at_ = now + kQuietTrouble;
  trouble_ = status;
  if (status.ok() || now < warn_at_) return;
  warn_at_ = now + kWarnings;
  spdlog::warn("region server {} gets no answer from a master: {}", server_name(), status.ToString());
}

absl::Status RegionServerProcessImpl::ListenForInfo() {
  InfoSource source;
  source.clock = clock_;
  source.check_user = access_.ForSuperusers();
  source.title = [this] { return "Vaquita region server " + server_name(); };
  source.health = [this] { return Health(); };
  source.metrics = [this](PrometheusText* text) {
    if (serving_) AppendRegionServerMetrics(StateOf(*server_, &lease_), text);
    AppendRpcMetrics(hbase_->load(), text);
  };
  source.beans = [this](JmxBeans* beans) {
    if (serving_) AppendRegionServerBeans(StateOf(*server_, &lease_), View().cluster_id, beans);
    AppendRpcBean(hbase_->load(), "RegionServer", beans);
  };
  source.calls = [this] { return hbase_->running_calls(); };
  source.tasks = [this] { return serving_ ? server_->Tasks() : std::vector<MonitoredTask>(); };
  source.region_metrics = [this](PrometheusText* text) {
    if (serving_) AppendRegionMetrics(server_->Metrics().regions, text);
  };
  console_ = std::make_unique<ConsolePages>(ConsoleSource{
      .heat = [this] { return heat_.Current(); },
      .with_master = nullptr,
      .with_region_server =
          [this](const auto& work) {
            return serving_ ? work(server_.get()) : absl::UnavailableError("waits for a master, or opens its folder");
          },
      .clock = clock_});
  if (test_control_ != nullptr) {
    control_pages_ = std::make_unique<ControlPages>(test_control_);
    source.notice = kTestControlNotice;
  }
  source.add_pages = [this](http::Pages* pages) {
    console_->AddTo(pages);
    if (control_pages_ != nullptr) control_pages_->AddTo(pages);
  };
  VAQUITA_ASSIGN_OR_RETURN(info_address_,
                           vaquita::ListenForInfo(http_.get(), options_, InfoPort::kRegionServer, std::move(source)));
  return absl::OkStatus();
}

// --- Membership.

void RegionServerProcessImpl::Run() {
  std::unique_lock lock(mutex_);
  while (!stopping_ && !ended_.has_value()) {
    lock.unlock();
    const bool seems_dead = test_control_ != nullptr && test_control_->SeemsDead();
    milliseconds pause = seems_dead ? kRetry : registered_ ? Report() : Register();
    // At once then, so that the master need not wait to say what is to be done.
    if (FinishOpening()) pause = milliseconds(0);
    EndIfItCannotWrite();
    lock.lock();
    changed_.wait_for(lock, pause, [this] { return stopping_; });
  }
}

absl::StatusOr<ServerReport> RegionServerProcessImpl::MakeReport() {
  // Before it looks: what ends meanwhile is in the next report.
  const bool ready = serving_ && !gate_.HasOlderRunning();
  ServerReport report;
  if (ready) {
    VAQUITA_ASSIGN_OR_RETURN(report, server_->Report());
  }
  report.metrics.server_name = server_name();
  report.metrics.grpc_address = grpc_address();
  report.ready = ready;
  if (access_.control != nullptr) report.permissions_version = access_.control->permissions()->version();
  return report;
}

milliseconds RegionServerProcessImpl::Register() {
  const int64_t sent_ns = lease_.now_ns();
  const bool new_life = !serving_ && !opening_.valid();
  const auto answer = master_->Register({.server_name = server_name(),
                                         .grpc_address = grpc_address(),
                                         .new_life = new_life,
                                         .info_address = info_address_,
                                         // A test may move the clock of one process alone.
                                         .now_ms = test_control_ == nullptr ? clock_->NowMs() : 0});
  if (absl::IsFailedPrecondition(answer.status())) End(answer.status());
  if (const auto later = NameAfterLaterLife(answer.status()); new_life && later) {
    spdlog::warn("region server {} becomes {}: {}; was the clock set back?", server_name(), later->ToString(),
                 answer.status().ToString());
    std::lock_guard lock(name_mutex_);
    server_name_ = later->ToString();
    return kSoon;
  }
  NoteTrouble(answer.status());
  if (!answer.ok()) return kRetry;
  if (const absl::Status same = LearnPermissions(*answer); !same.ok()) {
    End(same);
    return milliseconds(0);
  }
  registered_ = true;
  lease_ms_ = answer->lease_ms;
  Renew(sent_ns, answer->master_epoch);
  spdlog::info("region server {} registered: epoch={} adopts={}", server_name(), answer->master_epoch, answer->adopt);
  if (new_life) {
    opening_ = std::async(std::launch::async, [this, answer = *answer] { return OpenFolder(answer); });
  }
  return milliseconds(0);
}

// A server that gave everybody every right in a cluster where users have some would be a way round them.
absl::Status RegionServerProcessImpl::LearnPermissions(const RegistrationAnswer& answer) {
  const bool masters = answer.permissions != nullptr;
  if (masters != (access_.control != nullptr)) {
    return absl::FailedPreconditionError(std::string("hbase.security.authorization is ") +
                                         (masters ? "true" : "false") + " at the master, and " +
                                         (masters ? "false" : "true") + " here");
  }
  if (masters) access_.control->Update(answer.permissions);
  return absl::OkStatus();
}

milliseconds RegionServerProcessImpl::Report() {
  const int64_t sent_ns = lease_.now_ns();
  const auto report = MakeReport();
  const auto answer = report.ok() ? master_->Report(*report) : report.status();
  NoteTrouble(answer.status());
  if (!answer.ok()) return kRetry;
  switch (answer->membership) {
    case Membership::kMember:
      if (answer->permissions != nullptr && access_.control != nullptr) access_.control->Update(answer->permissions);
      Renew(sent_ns, answer->master_epoch);
      if (answer->permissions != nullptr) return milliseconds(0);
      return report->ready ? Interval() : std::min(Interval(), kSoon);
    case Membership::kUnknown:
      registered_ = false;
      return kSoon;
    case Membership::kDead:
      End(absl::AbortedError("the master took this server for dead"));
  }
  return milliseconds(0);
}

void RegionServerProcessImpl::Renew(int64_t sent_ns, int64_t master_epoch) {
  gate_.BeginEpoch(master_epoch);
  lease_.Renew(sent_ns, lease_ms_);
}

// --- The folder.

absl::StatusOr<std::unique_ptr<RegionServer>> RegionServerProcessImpl::OpenFolder(const RegistrationAnswer& answer) {
  if (!answer.adopt.empty()) {
    const bool has_regions = !answer.regions.empty();
    const absl::Status adopted = AdoptServerFolder(data_path_, answer.adopt, server_name(), has_regions);
    if (has_regions || !absl::IsNotFound(adopted)) VAQUITA_RETURN_IF_ERROR(adopted);
  }
  RegionServerOptions options;
  options.path = ServerFolder(data_path_, server_name());
  options.root = data_path_;
  if (const auto master = ReadMasterAddress(data_path_); master.ok()) options.cluster_id = master->cluster_id;
  options.server_name = server_name();
  options.grpc_address = grpc_address();
  options.info_port = PortIn(info_address_);
  options.options = &options_;
  options.clock = clock_;
  options.lease = &lease_;
  options.orders = orders_;
  options.access = access_.control.get();
  options.request_split = [this](const RegionInfo& info) {
    const absl::Status asked = master_->RequestSplit(server_name(), info);
    if (!asked.ok()) spdlog::debug("ask for a split of {}: {}", info.EncodedName(), asked.ToString());
  };
  return RegionServer::Open(options, answer.regions);
}

bool RegionServerProcessImpl::FinishOpening() {
  if (!opening_.valid() || opening_.wait_for(milliseconds(0)) != std::future_status::ready) return false;
  if (View().cluster_id.empty()) {  // the file that names the master has it; clients ask for it
    NoteTrouble(ReadMasterAddress(data_path_).status());
    return false;
  }
  auto opened = opening_.get();
  const absl::Status status = opened.ok() ? Serve(*std::move(opened)) : opened.status();
  if (!status.ok()) End(status);
  return status.ok();
}

absl::Status RegionServerProcessImpl::Serve(std::unique_ptr<RegionServer> server) {
  server_ = std::move(server);
  grpc_->SetServing(nullptr, server_.get());
  VAQUITA_RETURN_IF_ERROR(hbase_->Serve(nullptr, server_.get(), [this] { return View(); }));
  control_->Serve(server_name(), server_.get());
  heat_.Start(server_.get());
  serving_ = true;
  return absl::OkStatus();
}

ClusterView RegionServerProcessImpl::View() {
  std::lock_guard lock(mutex_);
  if (const auto now = std::chrono::steady_clock::now(); now >= next_check_) {
    next_check_ = now + kMasterInterval;
    if (const auto master = ReadMasterAddress(data_path_); master.ok()) {
      view_ = {.cluster_id = master->cluster_id,
               .master = master->server_name,
               .backup_masters = {},
               .region_servers = {server_name()},
               .meta_server = master->server_name};
    }
  }
  return view_;
}

// --- The end.

bool RegionServerProcessImpl::HasRegions() {
  const auto report = server_->Report();
  return !report.ok() || !report->metrics.regions.empty() || !report->not_served.empty() ||
         !report->transitions.empty();
}

void RegionServerProcessImpl::Drain() {
  size_t regions = server_->Regions().size();
  auto moved_at = std::chrono::steady_clock::now();
  absl::Status why;
  while (HasRegions() && !ended(&why) && lease_.valid()) {
    // Again and again: a master that is new knows nothing of it.
    if (!master_->Drain(server_name()).ok()) return;
    const size_t left = server_->Regions().size();
    if (left != std::exchange(regions, left)) moved_at = std::chrono::steady_clock::now();
    if (std::chrono::steady_clock::now() - moved_at > kDrainPatience) return;
    std::this_thread::sleep_for(kSoon);
  }
}

bool RegionServerProcessImpl::Leave() {
  // The master refuses until the last region is open elsewhere, which is soon, unless a closed one has its files here.
  const auto until = std::chrono::steady_clock::now() + kLeavePatience;
  absl::Status why;
  while (serving_ && !ended(&why) && !HasRegions()) {
    const absl::Status left = master_->Leave(server_name());
    if (left.ok()) return true;
    if (!absl::IsFailedPrecondition(left) || std::chrono::steady_clock::now() > until) return false;
    std::this_thread::sleep_for(kSoon);
  }
  return false;
}

void RegionServerProcessImpl::Stop() {
  if (test_control_ != nullptr) test_control_->Stop();
  if (serving_ && thread_.joinable()) Drain();
  StopNow();
}

void RegionServerProcessImpl::StopNow() {
  if (!thread_.joinable()) return;
  if (test_control_ != nullptr) test_control_->Stop();
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
  http_->Stop();
  console_.reset();
  if (opening_.valid()) opening_.wait();
  if (server_ != nullptr && server_->maintenance() != nullptr) server_->maintenance()->InterruptCompactions();
  const bool left = Leave();
  // When the first port is free, another life can come and read the log: of what is written from now on clients are
  // told that it may have been done.
  lease_.EndForGood();
  hbase_->Stop();
  if (control_ != nullptr) control_->Stop();
  grpc_->Stop();
  serving_ = false;
  heat_.Stop();
  server_.reset();
  // The folder has no region of hbase:meta, so no other server should take it over.
  if (left) {
    RemoveUnneededFolder(data_path_,
                         {.path = ServerFolder(data_path_, server_name()), .options = &options_, .clock = clock_});
  }
}

}  // namespace

absl::StatusOr<std::unique_ptr<RegionServerProcess>> RegionServerProcess::Start(
    const RegionServerProcessOptions& options) {
  auto process = std::make_unique<RegionServerProcessImpl>(options);
  VAQUITA_RETURN_IF_ERROR(process->Start());
  return process;
}

}  // namespace vaquita
