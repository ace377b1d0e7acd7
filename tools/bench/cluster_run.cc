#include "tools/bench/cluster_run.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "base/host_port.h"
#include "base/status.h"
#include "base/version.h"
#include "client/admin.h"
#include "lab/records/random_number.h"
#include "model/cluster_status.h"
#include "model/region_info.h"
#include "tools/bench/region_load.h"
#include "tools/bench/server_figures.h"
#include "tools/connection/open_for_tool.h"
#include "tools/progress/progress_bar.h"

namespace vaquita::bench {
namespace {

constexpr uint64_t kLoadBytes = 1 << 20;  // values in a batch
constexpr int kInfoPort = 16030;          // HBase's hbase.regionserver.info.port
constexpr int kMostConnections = 8;       // if threads are not fibers, and the command line does not say how many
constexpr int kRoundBits = 40;            // operations of different rounds have different tags

double CpuSeconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

// A line on standard error, if that is a terminal, that says how far a run is.
class ProgressLine {
 public:
  ProgressLine(std::string what, double seconds, uint64_t calls)
      : what_(std::move(what)), seconds_(seconds), calls_(calls), terminal_(isatty(STDERR_FILENO) == 1) {}
  ~ProgressLine() {
    if (terminal_) std::fprintf(stderr, "\r\033[K");
  }

  void Show(double second, uint64_t calls, double hottest_share) {
    if (!terminal_) return;
    const double part = std::max(seconds_ > 0 ? second / seconds_ : 0,
                                 calls_ > 0 ? static_cast<double>(calls) / static_cast<double>(calls_) : 0);
    std::fprintf(stderr, "\r%s %3.0f%%, %.0f s: %llu calls/s, hottest region %.1f%%\033[K", what_.c_str(),
                 std::min(1.0, part) * 100, second, static_cast<unsigned long long>(calls - last_calls_),
                 hottest_share * 100);
    last_calls_ = calls;
  }

 private:
  const std::string what_;
  const double seconds_;
  const uint64_t calls_;
  const bool terminal_;
  uint64_t last_calls_ = 0;
};

std::string HostOfServer(const std::string& server_name) { return server_name.substr(0, server_name.find(',')); }

// Leaves in `*figures` the work that came after `before`.
void Subtract(const ServerRecord& before, ServerRecord* figures) {
  figures->cpu_s -= before.cpu_s;
  figures->log_bytes -= before.log_bytes;
  figures->flushed_bytes -= before.flushed_bytes;
  figures->compacted_bytes -= before.compacted_bytes;
}

// Puts the operations into the record. `hottest` has the hottest region's share in each second; calls may end after the
// last one.
void TakeResult(const DriveResult& result, std::vector<double> hottest, RunRecord* record) {
  record->seconds = result.seconds;
  for (size_t kind = 0; kind < kOperationKinds; ++kind) {
    const KindResult& from = result.kinds[kind];
    if (from.latency.count() + from.failed == 0) continue;
    record->operations[std::string(NameOf(static_cast<OperationKind>(kind)))] = {from.latency, from.rows, from.failed};
  }
  hottest.resize(std::max(hottest.size(), result.per_second.size()), record->hottest_share);
  for (size_t second = 0; second < result.per_second.size(); ++second) {
    const SecondResult& from = result.per_second[second];
    record->per_second.push_back(
        {.calls = from.calls,
         .rows = from.rows,
         .mean_us = from.calls == 0 ? 0 : static_cast<double>(from.sum_ns) / static_cast<double>(from.calls) / 1000,
         .max_us = static_cast<double>(from.max_ns) / 1000,
         .hottest_share = hottest[second]});
  }
  record->service = result.service;
  record->wrong = result.wrong;
  record->not_started = result.not_started;
  record->errors = result.errors;
  record->bytes_written = result.bytes_written;
}

}  // namespace

absl::StatusOr<std::unique_ptr<ClusterRun>> ClusterRun::Prepare(const Workload* workload,
                                                                const ClusterOptions& options) {
  auto run = std::unique_ptr<ClusterRun>(new ClusterRun(workload, options));
  VAQUITA_ASSIGN_OR_RETURN(run->table_, TableName::Parse(workload->table));
  VAQUITA_ASSIGN_OR_RETURN(RowKeys keys, RowKeys::Make(*workload, options.seed));
  run->keys_ = std::make_unique<RowKeys>(std::move(keys));
  run->rows_ = std::make_unique<RowCount>(workload->rows);
  VAQUITA_RETURN_IF_ERROR(run->OpenConnections());
  run->admin_ = run->connections_[0]->GetAdmin();
  VAQUITA_ASSIGN_OR_RETURN(const ClusterStatus status, run->admin_->GetClusterStatus());
  run->version_ = status.version;
  for (const ServerMetrics& server : status.servers) run->server_names_.push_back(server.server_name);
  VAQUITA_RETURN_IF_ERROR(run->MakeTable());
  if (options.verify) {
    VAQUITA_ASSIGN_OR_RETURN(run->check_, AnswerCheck::Make(workload, *run->keys_, run->made_));
  }
  if (run->made_ && workload->load) VAQUITA_RETURN_IF_ERROR(run->Load());
  return run;
}

absl::Status ClusterRun::OpenConnections() {
  VAQUITA_ASSIGN_OR_RETURN(connections_.emplace_back(), OpenForTool(options_.address));
  auto count = static_cast<size_t>(options_.connections);
  if (count == 0) {
    const int most = RunsInFibers() ? static_cast<int>(std::thread::hardware_concurrency()) : kMostConnections;
    count = static_cast<size_t>(std::clamp(most, 1, workload_->threads));
  }
  while (connections_.size() < count) {
    VAQUITA_ASSIGN_OR_RETURN(connections_.emplace_back(), OpenForTool(options_.address));
  }
  return absl::OkStatus();
}

// A thread that is a fiber costs the client least. One that checks answers holds a row's lock while it waits, and one
// of an open loop sleeps until its call is due, to the microsecond.
bool ClusterRun::RunsInFibers() const {
  return workload_->rate == 0 && !options_.verify && connections_[0]->SuspendsFibers();
}

absl::Status ClusterRun::MakeTable() {
  VAQUITA_ASSIGN_OR_RETURN(const bool exists, admin_->TableExists(table_));
  if (exists && options_.old_table == OldTable::kReuse) return absl::OkStatus();
  if (exists && options_.old_table == OldTable::kRefuse) {
    return absl::InvalidArgumentError(
        absl::StrCat("table ", workload_->table, " exists at ", options_.address,
                     ": --reuse runs on its rows, --recreate drops it, -p table=NAME names another"));
  }
  if (exists) VAQUITA_RETURN_IF_ERROR(Drop());
  made_ = true;
  return CreateTable();
}

absl::Status ClusterRun::CreateTable() {
  TableDescriptor table;
  table.name = table_;
  FamilyDescriptor& family = table.families[workload_->family];
  family.name = workload_->family;
  VAQUITA_RETURN_IF_ERROR(family.Set("COMPRESSION", workload_->compression));
  VAQUITA_RETURN_IF_ERROR(family.Set("DATA_BLOCK_ENCODING", workload_->block_encoding));
  VAQUITA_RETURN_IF_ERROR(family.Set("BLOOMFILTER", workload_->bloom_filter));
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<std::string> splits,
                           keys_->SplitKeys(workload_->rows, workload_->regions));
  return admin_->CreateTable(table, splits);
}

absl::Status ClusterRun::Drop() {
  if (const absl::Status status = admin_->DisableTable(table_); !IsError(status, ErrorKind::kTableNotEnabled)) {
    VAQUITA_RETURN_IF_ERROR(status);
  }
  return admin_->DeleteTable(table_);
}

std::unique_ptr<client::Table> ClusterRun::TableOf(int thread) const {
  return connections_[static_cast<size_t>(thread) % connections_.size()]->GetTable(table_);
}

std::vector<std::unique_ptr<OperationRunner>> ClusterRun::MakeRunners(const Target& target) const {
  std::vector<std::unique_ptr<OperationRunner>> runners;
  for (int i = 0; i < workload_->threads; ++i) {
    runners.push_back(std::make_unique<OperationRunner>(target, i, TableOf(i)));
  }
  return runners;
}

absl::Status ClusterRun::Load() {
  const auto row_bytes = static_cast<uint64_t>(workload_->fields) * static_cast<uint64_t>(workload_->field_bytes + 40);
  const uint64_t batch = std::clamp<uint64_t>(kLoadBytes / std::max<uint64_t>(row_bytes, 1), 1, 2000);
  ProgressBar bar(absl::StrCat(options_.label, ": load"), workload_->rows);
  const auto runners = MakeRunners({.workload = workload_, .keys = keys_.get()});
  DriveOptions drive;
  drive.threads = workload_->threads;
  drive.calls = (workload_->rows + batch - 1) / batch;
  drive.on_second = [&](double, uint64_t calls) { bar.Show(std::min(calls * batch, workload_->rows)); };
  const DriveResult result = Drive(drive, [&](int thread, uint64_t number) {
    const uint64_t first = number * batch;
    return runners[static_cast<size_t>(thread)]->Load(first, std::min(batch, workload_->rows - first));
  });
  if (result.errors.empty()) return absl::OkStatus();
  return absl::UnavailableError(absl::StrCat(options_.label, ": ", result.errors[0]));
}

absl::StatusOr<std::vector<std::string>> ClusterRun::RegionStarts() const {
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<client::RegionLocation> regions, admin_->GetRegions(table_));
  std::vector<std::string> starts;
  for (const client::RegionLocation& region : regions) starts.push_back(region.info.start_key);
  std::sort(starts.begin(), starts.end());
  if (starts.empty() || !starts[0].empty()) starts.insert(starts.begin(), "");
  return starts;
}

void ClusterRun::Describe(RunRecord* record) const {
  record->label = options_.label;
  record->address = options_.address;
  record->started = absl::FormatTime("%Y-%m-%dT%H:%M:%SZ", absl::Now(), absl::UTCTimeZone());
  record->version = std::string(kVersion);
  record->server = version_;
  record->workload = workload_->name;
  record->properties = workload_->Properties();
  record->seed = options_.seed;
  record->threads = workload_->threads;
  record->connections = static_cast<int>(connections_.size());
  record->rate = workload_->rate;
  record->warmup_s = options_.warmup_s;
  record->verified = options_.verify;
}

void ClusterRun::ReadServers(std::optional<ServerRecord>* figures, std::string* why_not) const {
  std::vector<std::string> addresses = options_.https;
  if (addresses.empty()) {
    for (const std::string& name : server_names_) addresses.push_back(JoinHostPort(HostOfServer(name), kInfoPort));
  }
  const absl::StatusOr<ServerRecord> read = ReadServerFigures(addresses, server_names_);
  if (read.ok()) {
    *figures = *read;
  } else {
    *why_not = std::string(read.status().message());
  }
}

DriveOptions ClusterRun::HowToDrive() const {
  DriveOptions drive;
  drive.threads = workload_->threads;
  if (RunsInFibers()) drive.fiber_threads = std::min(drive.threads, static_cast<int>(connections_.size()));
  drive.kinds = kOperationKinds;
  drive.rate = workload_->rate;
  drive.warmup_s = options_.warmup_s;
  drive.seconds = workload_->seconds;
  const auto batch = static_cast<uint64_t>(workload_->batch);
  drive.calls = (workload_->operations + batch - 1) / batch;
  return drive;
}

absl::StatusOr<RunRecord> ClusterRun::Run(int round) {
  RunRecord record;
  Describe(&record);
  record.round = round;
  VAQUITA_ASSIGN_OR_RETURN(std::vector<std::string> starts, RegionStarts());
  RegionLoad regions(std::move(starts), workload_->threads);
  const uint64_t round_seed = lab::RandomNumber(options_.seed, static_cast<uint64_t>(round));
  const OperationPlan plan(workload_, round_seed);
  const Target target{.workload = workload_,
                      .keys = keys_.get(),
                      .plan = &plan,
                      .rows = rows_.get(),
                      .regions = &regions,
                      .check = check_.get(),
                      .first_tag = (static_cast<uint64_t>(round) << kRoundBits) + 1};
  const auto runners = MakeRunners(target);
  DriveOptions drive = HowToDrive();
  ProgressLine progress(absl::StrCat(options_.label, ", round ", round), drive.seconds, drive.calls);
  std::optional<ServerRecord> before;
  std::vector<uint64_t> first_totals(regions.start_keys().size());
  std::vector<uint64_t> last_totals = first_totals;
  std::vector<double> hottest;
  double cpu_before = 0;
  std::thread reads_servers;
  if (options_.warmup_s == 0) {
    ReadServers(&before, &record.no_server_figures);
    cpu_before = CpuSeconds();
  } else {
    drive.on_begin = [&] {
      cpu_before = CpuSeconds();
      first_totals = last_totals = regions.Totals();
      // Servers under load answer slowly, and the seconds are counted meanwhile.
      reads_servers = std::thread([&] { ReadServers(&before, &record.no_server_figures); });
    };
  }
  drive.on_second = [&](double second, uint64_t calls) {
    std::vector<uint64_t> totals = regions.Totals();
    hottest.push_back(HottestBetween(last_totals, totals).share);
    last_totals = std::move(totals);
    progress.Show(second, calls, hottest.back());
  };
  drive.on_end = [&] {
    record.client_cpu_s = CpuSeconds() - cpu_before;
    if (reads_servers.joinable()) reads_servers.join();
    if (before) ReadServers(&record.server_figures, &record.no_server_figures);
  };
  const DriveResult result =
      Drive(drive, [&](int thread, uint64_t number) { return runners[static_cast<size_t>(thread)]->Run(number); });

  const HottestRegion hottest_region = HottestBetween(first_totals, regions.Totals());
  record.regions = regions.start_keys().size();
  record.hottest_share = hottest_region.share;
  record.hottest_start = ToStringBinary(regions.start_keys()[hottest_region.region]);
  if (record.server_figures) Subtract(*before, &*record.server_figures);
  TakeResult(result, std::move(hottest), &record);
  return record;
}

}  // namespace vaquita::bench
