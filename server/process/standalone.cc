#include "server/process/standalone.h"

#include <atomic>
#include <filesystem>
#include <mutex>
#include <optional>
#include <system_error>
#include <utility>

#include "base/ephemeral_folder.h"
#include "base/folder_lock.h"
#include "base/host_name.h"
#include "base/log.h"
#include "base/status.h"
#include "server/data_root/data_format.h"
#include "server/data_root/server_folder.h"
#include "server/frontend/grpc/grpc_front_end.h"
#include "server/frontend/hbase/hbase_front_end.h"
#include "server/frontend/http/http_server.h"
#include "server/fsck/root_check.h"
#include "server/info/info_pages.h"
#include "server/info/metrics_pages.h"
#include "server/info/prometheus_text.h"
#include "server/master/assignment/assignment_manager.h"
#include "server/master/master_metrics.h"
#include "server/process/write_failure.h"

namespace vaquita {
namespace {

namespace fs = std::filesystem;

class StandaloneImpl : public Standalone {
 public:
  explicit StandaloneImpl(const StandaloneOptions& options)
      : options_(options),
        clock_(options.clock != nullptr ? options.clock : Clock::System()),
        host_(HostOf(*options.options)) {}
  ~StandaloneImpl() override { Stop(); }
  absl::Status Open();

  Master* master() override { return master_.get(); }
  RegionServer* region_server() override { return server_.get(); }
  std::string zookeeper_address() const override { return Address(hbase_ == nullptr ? 0 : hbase_->zookeeper_port()); }
  std::string master_address() const override { return Address(hbase_ == nullptr ? 0 : hbase_->master_port()); }
  std::string region_server_address() const override {
    return Address(hbase_ == nullptr ? 0 : hbase_->region_server_port());
  }
  std::string grpc_address() const override { return Address(grpc_ == nullptr ? 0 : grpc_->port()); }
  std::string master_info_address() const override { return master_info_address_; }
  std::string region_server_info_address() const override { return region_server_info_address_; }
  ServiceAddresses advertised() const override;
  std::string server_name() const override { return server_name_; }
  std::string data_path() const override { return data_path_; }
  bool ended(absl::Status* why) const override;
  void Stop() override;

 private:
  absl::Status MakeFolders();
  absl::Status Listen();
  absl::Status ListenForInfo();
  absl::Status OpenServers();
  absl::Status JoinCluster();
  ServerConnection Connect() const;
  void End(const absl::Status& why);
  absl::StatusOr<std::string> Health(const std::string& who) const;
  std::string Address(int port) const { return port == 0 ? "" : host_ + ":" + std::to_string(port); }

  const StandaloneOptions options_;
  Clock* const clock_;
  const std::string host_;
  std::string data_path_;
  std::unique_ptr<EphemeralFolder> ephemeral_;  // null: the data stay
  std::unique_ptr<FolderLock> lock_;            // null: the ephemeral folder's own
  std::string master_name_;
  std::string server_name_;
  std::string master_info_address_;
  std::string region_server_info_address_;
  std::atomic<bool> serving_ = false;  // the info pages may ask the servers
  // In the order in which they open; they stop the other way round.
  std::unique_ptr<GrpcFrontEnd> grpc_;
  std::unique_ptr<HBaseFrontEnd> hbase_;
  std::unique_ptr<Master> master_;
  std::unique_ptr<RegionServer> server_;
  std::unique_ptr<http::Server> http_;  // stops first: it asks all of them

  mutable std::mutex mutex_;
  std::optional<absl::Status> ended_;
};

absl::Status StandaloneImpl::Open() {
  VAQUITA_RETURN_IF_ERROR(CheckAdvertised(*options_.options));
  VAQUITA_RETURN_IF_ERROR(MakeFolders());
  VAQUITA_RETURN_IF_ERROR(Listen());
  VAQUITA_RETURN_IF_ERROR(OpenServers());
  if (!options_.serve) return absl::OkStatus();
  grpc_->SetServing(master_.get(), server_.get());
  const ClusterView cluster{.cluster_id = master_->cluster_id(),
                            .master = master_name_,
                            .backup_masters = {},
                            .region_servers = {server_name_},
                            .meta_server = server_name_};
  VAQUITA_RETURN_IF_ERROR(hbase_->Serve(master_.get(), server_.get(), [cluster] { return cluster; }));
  serving_ = true;
  return absl::OkStatus();
}

absl::Status StandaloneImpl::MakeFolders() {
  if (options_.data_path.empty()) {
    VAQUITA_ASSIGN_OR_RETURN(ephemeral_, EphemeralFolder::Make());
    data_path_ = ephemeral_->path();
  } else {
    data_path_ = fs::absolute(options_.data_path).lexically_normal().string();
  }
  std::error_code error;
  fs::create_directories(fs::path(data_path_) / "server", error);
  if (error) return absl::InvalidArgumentError("data folder " + data_path_ + ": " + error.message());
  if (ephemeral_ == nullptr) {
    VAQUITA_ASSIGN_OR_RETURN(lock_, FolderLock::Take(data_path_));
  }
  VAQUITA_RETURN_IF_ERROR(CheckDataFormat(data_path_));
  return CheckMetaIsThere(data_path_);
}

absl::Status StandaloneImpl::Listen() {
  const Options& options = *options_.options;
  int64_t master_port = options.master_port;
  int64_t server_port = options.region_server_port;
  if (options_.serve) {
    VAQUITA_ASSIGN_OR_RETURN(hbase_, HBaseFrontEnd::Listen(ProcessRole::kBoth, &options, clock_));
    VAQUITA_ASSIGN_OR_RETURN(grpc_, GrpcFrontEnd::Listen({.bind_address = options.bind_address,
                                                          .port = static_cast<int>(options.grpc_port)}));
    VAQUITA_RETURN_IF_ERROR(ListenForInfo());
    master_port = hbase_->master_port();
    server_port = hbase_->region_server_port();
  }
  const std::string start_code = std::to_string(clock_->NowMs());
  const std::string host = host_ + ":";
  const ServiceAddresses known = Advertised(
      options, {.master = host + std::to_string(master_port), .region_server = host + std::to_string(server_port)});
  master_name_ = ServerNameAt(known.master, start_code);
  server_name_ = ServerNameAt(known.region_server, start_code);
  return absl::OkStatus();
}

ServiceAddresses StandaloneImpl::advertised() const {
  return Advertised(*options_.options, {.zookeeper = zookeeper_address(),
                                        .master = master_address(),
                                        .region_server = region_server_address(),
                                        .grpc = grpc_address(),
                                        .master_info = master_info_address_,
                                        .region_server_info = region_server_info_address_});
}

absl::StatusOr<std::string> StandaloneImpl::Health(const std::string& who) const {
  if (!serving_) return absl::UnavailableError("starting");
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
  if (master_ == nullptr || server_ == nullptr) return false;
  return MustEnd("master", master_->Writes(), why) || MustEnd("region server " + server_name_, server_->Writes(), why);
}

absl::Status StandaloneImpl::ListenForInfo() {
  http_ = http::Server::Create({});
  const auto calls = [this] { return hbase_->running_calls(); };
  InfoSource master;
  master.title = [] { return "Vaquita standalone: master"; };
  master.health = [this] { return Health("master of"); };
  master.metrics = [this](PrometheusText* text) {
    if (!serving_) return;
    text->Gauge("vaquita_master_active", "Whether this master leads.", 1);
    AppendMasterMetrics(master_->Metrics(), text);
    AppendRpcMetrics(hbase_->load(), text);
  };
  master.calls = calls;
  InfoSource server;
  server.title = [] { return "Vaquita standalone: region server"; };
  server.health = [this] { return Health("region server"); };
  server.metrics = [this](PrometheusText* text) {
    if (!serving_) return;
    AppendRegionServerMetrics(StateOf(*server_, nullptr), text);
    AppendRpcMetrics(hbase_->load(), text);
  };
  server.region_metrics = [this](PrometheusText* text) {
    if (serving_) AppendRegionMetrics(server_->Metrics().regions, text);
  };
  server.calls = calls;
  const Options& options = *options_.options;
  VAQUITA_ASSIGN_OR_RETURN(master_info_address_,
                           vaquita::ListenForInfo(http_.get(), options, InfoPort::kMaster, std::move(master)));
  VAQUITA_ASSIGN_OR_RETURN(region_server_info_address_,
                           vaquita::ListenForInfo(http_.get(), options, InfoPort::kRegionServer, std::move(server)));
  return absl::OkStatus();
}

absl::Status StandaloneImpl::OpenServers() {
  VAQUITA_ASSIGN_OR_RETURN(master_, Master::Open({.server_name = master_name_,
                                                  .options = options_.options,
                                                  .clock = clock_,
                                                  .root = data_path_,
                                                  .own_server = server_name_}));
  RegionServerOptions server_options;
  server_options.path = ServerFolder(data_path_, server_name_);
  server_options.root = data_path_;
  server_options.cluster_id = master_->cluster_id();
  server_options.server_name = server_name_;
  server_options.grpc_address = advertised().grpc;
  server_options.options = options_.options;
  server_options.clock = clock_;
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
  if (http_ != nullptr) http_->Stop();
  // Before those that serve it: they wait for their calls, and these for what is under way.
  if (master_ != nullptr) master_->Stop();
  if (hbase_ != nullptr) hbase_->Stop();
  if (grpc_ != nullptr) grpc_->Stop();
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
