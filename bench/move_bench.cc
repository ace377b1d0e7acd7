// Measures a region's move between two servers of one data root as clients notice it, and how soon the regions of a
// killed server are back. Both run without the master and the network, whose part is small.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/options.h"
#include "base/status.h"
#include "bench/bench_data.h"
#include "bench/suite.h"
#include "server/data_root/server_folder.h"
#include "server/regionserver/region_server.h"

namespace vaquita::bench {
namespace {

constexpr int64_t kRows = 4'000'000;  // over 500 MB of store files
constexpr int kClients = 4;
constexpr std::chrono::milliseconds kClientPause{1};
constexpr double kMostUnavailableMs = 200;
constexpr int kMovingRegions = 100;
constexpr int64_t kLogBytes = 256'000'000;
constexpr int kRowsPerBatch = 20;
constexpr double kMostRecoverySeconds = 5;

using Table = std::shared_ptr<const TableDescriptor>;

absl::StatusOr<std::unique_ptr<RegionServer>> OpenServer(const std::string& root, const std::string& name,
                                                         const Options& settings) {
  RegionServerOptions options;
  options.path = ServerFolder(root, name);
  options.root = root;
  options.server_name = name;
  options.options = &settings;
  options.clock = Clock::System();
  return RegionServer::Open(options, {});
}

Table MoveTable() {
  TableDescriptor table = BenchTable("move");
  table.split_policy = "DisabledRegionSplitPolicy";
  return std::make_shared<const TableDescriptor>(std::move(table));
}

absl::Status Create(RegionServer& server, const std::vector<RegionInfo>& infos, const Table& table) {
  std::vector<std::string> names;
  for (const RegionInfo& info : infos) names.push_back(info.EncodedName());
  VAQUITA_RETURN_IF_ERROR(server.CreateRegions(infos, table));
  return FirstError(server.ServeRegions(names));
}

absl::Status PutRows(RegionServer& server, const std::string& region, const std::vector<Mutation>& puts) {
  const std::vector<Action> batch(puts.begin(), puts.end());
  for (const ActionOutcome& outcome : server.Batch(region, batch)) VAQUITA_RETURN_IF_ERROR(outcome.status);
  return absl::OkStatus();
}

// Clients that write to a region wherever it is, until told to stop. A refused client asks again a moment later. Real
// clients wait longer, and so leave the processors to the server.
class Clients {
 public:
  Clients(std::vector<RegionServer*> servers, std::string region)
      : servers_(std::move(servers)), region_(std::move(region)), longest_seconds_(kClients) {
    for (int c = 0; c < kClients; ++c) threads_.emplace_back([this, c] { Work(c); });
  }
  // Returns the longest time of a request, or the first error.
  absl::StatusOr<double> Stop() {
    stop_ = true;
    for (std::thread& thread : threads_) thread.join();
    VAQUITA_RETURN_IF_ERROR(status_);
    return *std::max_element(longest_seconds_.begin(), longest_seconds_.end());
  }
  int64_t written() const { return written_; }

 private:
  absl::Status PutOne(const Mutation& put) {
    for (size_t at = 0;; ++at) {
      const absl::Status status = servers_[at % servers_.size()]->Mutate(region_, put).status();
      if (status.ok() || !IsRetryable(status)) return status;
      std::this_thread::sleep_for(kClientPause);
    }
  }
  void Work(int c) {
    while (!stop_) {
      const Mutation put = BenchPut(kRows + written_++);
      Stopwatch watch;
      const absl::Status status = PutOne(put);
      longest_seconds_[c] = std::max(longest_seconds_[c], watch.Seconds());
      if (!status.ok()) {
        std::lock_guard lock(mutex_);
        status_.Update(status);
        return;
      }
    }
  }

  const std::vector<RegionServer*> servers_;
  const std::string region_;
  std::vector<double> longest_seconds_;
  std::atomic<bool> stop_ = false;
  std::atomic<int64_t> written_ = 0;
  std::mutex mutex_;
  absl::Status status_;
  std::vector<std::thread> threads_;
};

absl::Status CheckRow(RegionServer& server, const std::string& region, const std::string& row) {
  Get get;
  get.row = row;
  CellBlock cells;
  VAQUITA_RETURN_IF_ERROR(server.Get(region, get, &cells));
  return cells.size() == 1 ? absl::OkStatus() : absl::InternalError("row " + row + " is missing");
}

// Logged rows go to the regions in turn, a batch each.
int LoggedRegion(int64_t i) { return static_cast<int>(i / kRowsPerBatch % kMovingRegions); }
std::string LoggedRow(int64_t i) { return absl::StrFormat("%03d%s", LoggedRegion(i), BenchRow(i)); }

// Rows whose values are so many times a benchmark's; `rows` is a multiple of kRowsPerBatch.
absl::Status Log(RegionServer& server, const std::vector<RegionInfo>& infos, int64_t rows, int values_per_row) {
  for (int64_t i = 0; i < rows;) {
    const RegionInfo& info = infos[LoggedRegion(i)];
    std::vector<Mutation> puts;
    for (int n = 0; n < kRowsPerBatch; ++n, ++i) {
      puts.push_back(BenchPut(i));
      puts.back().row = LoggedRow(i);
      std::string& value = puts.back().cells[0].value;
      for (int copy = 1; copy < values_per_row; ++copy) value += BenchValue(i + copy);
    }
    VAQUITA_RETURN_IF_ERROR(PutRows(server, info.EncodedName(), puts));
  }
  return absl::OkStatus();
}

// Moves a region; returns how long each step took.
absl::StatusOr<std::string> Move(RegionServer& from, RegionServer& to, const RegionOfTable& region) {
  const std::string name = region.info.EncodedName();
  Stopwatch watch;
  VAQUITA_RETURN_IF_ERROR(FirstError(from.CloseRegions({name}, "to,2,2")));
  const double closed_ms = 1000 * watch.Seconds();
  VAQUITA_RETURN_IF_ERROR(FirstError(from.ReleaseRegions({region})));
  const double released_ms = 1000 * watch.Seconds();
  VAQUITA_RETURN_IF_ERROR(FirstError(to.OpenRegions({region})));
  const double opened_ms = 1000 * watch.Seconds();
  VAQUITA_RETURN_IF_ERROR(FirstError(to.ServeRegions({name})));
  return absl::StrFormat("close with its flush %.0f release %.0f open %.0f serve %.0f ms", closed_ms,
                         released_ms - closed_ms, opened_ms - released_ms, 1000 * watch.Seconds() - opened_ms);
}

absl::Status BenchMove(benchmark::State& state, const std::string& root) {
  const ScratchFolder scratch(root);
  Options settings;
  VAQUITA_ASSIGN_OR_RETURN(const auto from, OpenServer(root, "from,1,1", settings));
  VAQUITA_ASSIGN_OR_RETURN(const auto to, OpenServer(root, "to,2,2", settings));
  const Table table = MoveTable();
  const RegionInfo info{.table = table->name, .start_key = "", .end_key = "", .id = 1};
  const std::string name = info.EncodedName();
  VAQUITA_RETURN_IF_ERROR(Create(*from, {info}, table));
  std::vector<Mutation> puts;
  for (int64_t i = 0; i < kRows; ++i) {
    puts.push_back(BenchPut(i));
    if (puts.size() < 1000) continue;
    VAQUITA_RETURN_IF_ERROR(PutRows(*from, name, puts));
    puts.clear();
  }
  Clients clients({from.get(), to.get()}, name);
  for (auto _ : state) {
    VAQUITA_ASSIGN_OR_RETURN(const std::string steps, Move(*from, *to, {info, table}));
    state.SetLabel(steps);
  }
  VAQUITA_ASSIGN_OR_RETURN(const double longest, clients.Stop());
  for (int64_t i = 0; i < kRows + clients.written(); i += i < kRows ? 97 : 1) {
    VAQUITA_RETURN_IF_ERROR(CheckRow(*to, name, BenchRow(i)));
  }
  state.counters["longest_ms"] = 1000 * longest;
  return absl::OkStatus();
}

absl::Status BenchRecovery(benchmark::State& state, const std::string& root, int64_t row_bytes, int values_per_row) {
  const ScratchFolder scratch(root);
  const int64_t rows = kLogBytes / row_bytes / kRowsPerBatch * kRowsPerBatch;
  Options settings;
  const Table table = MoveTable();
  std::vector<RegionInfo> infos;
  for (int i = 0; i < kMovingRegions; ++i) {
    infos.push_back({.table = table->name,
                     .start_key = i == 0 ? "" : absl::StrFormat("%03d", i),
                     .end_key = i + 1 == kMovingRegions ? "" : absl::StrFormat("%03d", i + 1),
                     .id = 1});
  }
  {
    VAQUITA_ASSIGN_OR_RETURN(const auto dead, OpenServer(root, "dead,1,1", settings));
    VAQUITA_RETURN_IF_ERROR(Create(*dead, infos, table));
    VAQUITA_RETURN_IF_ERROR(Log(*dead, infos, rows, values_per_row));
  }  // without a flush: what its log holds is what a killed server's would
  VAQUITA_ASSIGN_OR_RETURN(const auto live, OpenServer(root, "live,2,2", settings));
  std::vector<RegionOfTable> regions;
  std::vector<std::string> names;
  for (const RegionInfo& info : infos) {
    regions.push_back({info, table});
    names.push_back(info.EncodedName());
  }
  Stopwatch watch;
  for (auto _ : state) {
    VAQUITA_ASSIGN_OR_RETURN(const auto recovered, live->RecoverServer("dead,1,1", regions));
    VAQUITA_RETURN_IF_ERROR(FirstError(recovered));
    state.SetLabel(absl::StrFormat("of this the log and the handoffs %.2f s", watch.Seconds()));
    VAQUITA_RETURN_IF_ERROR(FirstError(live->OpenRegions(regions)));
    VAQUITA_RETURN_IF_ERROR(FirstError(live->ServeRegions(names)));
  }
  state.counters["seconds"] = watch.Seconds();
  for (int64_t i = 0; i < rows; i += 7) {
    const int r = LoggedRegion(i);
    VAQUITA_RETURN_IF_ERROR(CheckRow(*live, names[r], LoggedRow(i)));
  }
  return absl::OkStatus();
}

}  // namespace

void AddMoves(Suite* suite) {
  const auto folder = [suite](const char* name) { return absl::StrCat(suite->options().folder, "/", name); };
  suite->Add("moves/longest_put", [=](benchmark::State& state) { return BenchMove(state, folder("move")); })
      ->Iterations(1)
      ->Unit(benchmark::kMillisecond);
  suite->Expect({"move of 500 MB: longest put of 4 clients", "moves/longest_put", "longest_ms", "ms",
                 Goal::Kind::kAtMost, kMostUnavailableMs});
  const auto add = [&](const std::string& what, const std::string& name, int64_t row_bytes, int values_per_row) {
    suite
        ->Add(name,
              [=](benchmark::State& state) {
                return BenchRecovery(state, folder("recovery"), row_bytes, values_per_row);
              })
        ->Iterations(1)
        ->Unit(benchmark::kMillisecond);
    suite->Expect({"recovery of 100 regions, 256 MB of log of " + what, name, "seconds", "s", Goal::Kind::kAtMost,
                   kMostRecoverySeconds});
  };
  // A row takes its key, its value, and RocksDB's 10 bytes or so in the log.
  add("1 KB rows", "moves/recovery/1KB_rows", 1'060, /*values_per_row=*/10);
  add("100-byte rows", "moves/recovery/100B_rows", 160, /*values_per_row=*/1);
}

}  // namespace vaquita::bench
