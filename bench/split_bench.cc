// A split beside its clients: a region of over 500 MB is split at its midkey while threads write and read it.
#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

#include "absl/strings/str_format.h"
#include "base/options.h"
#include "base/status.h"
#include "bench/bench_data.h"
#include "bench/suite.h"
#include "server/master/master.h"
#include "server/process/standalone.h"
#include "server/regionserver/region_server.h"

namespace vaquita::bench {
namespace {

constexpr int64_t kSplitRows = 4'500'000;  // about 600 MB of store files
constexpr int kSplitClients = 4;
const TableName kTable{"default", "split"};

// Sends one request to wherever its row is, again and again until it is served, as a client without back-off.
template <typename Request>
absl::Status UntilServed(Standalone& server, std::string_view row, const Request& request) {
  while (true) {
    VAQUITA_ASSIGN_OR_RETURN(AssignedRegion region, server.master()->LocateRow(kTable, row));
    const absl::Status status = request(region.info.EncodedName());
    if (status.ok() || !IsRetryable(status)) return status;
    std::this_thread::yield();
  }
}

absl::Status PutOne(Standalone& server, int64_t i) {
  const Mutation put = BenchPut(i);
  return UntilServed(server, put.row,
                     [&](std::string_view region) { return server.region_server()->Mutate(region, put).status(); });
}

absl::Status GetOne(Standalone& server, int64_t i) {
  Get get;
  get.row = BenchRow(i);
  CellBlock cells;
  VAQUITA_RETURN_IF_ERROR(UntilServed(server, get.row, [&](std::string_view region) {
    cells.Clear();
    return server.region_server()->Get(region, get, &cells);
  }));
  return cells.size() == 1 ? absl::OkStatus() : absl::InternalError("row " + get.row + " is missing");
}

absl::Status Load(Standalone& server) {
  TableDescriptor table = BenchTable(kTable.qualifier);
  table.split_policy = "ConstantSizeRegionSplitPolicy";  // it must not split by itself
  VAQUITA_ASSIGN_OR_RETURN(const int64_t procedure, server.master()->CreateTableAsync(table, {}));
  VAQUITA_RETURN_IF_ERROR(server.master()->Wait(procedure));
  VAQUITA_ASSIGN_OR_RETURN(const AssignedRegion region, server.master()->LocateRow(kTable, ""));
  for (int64_t start = 0; start < kSplitRows; start += 1000) {
    std::vector<Action> batch;
    for (int64_t i = 0; i < 1000; ++i) batch.emplace_back(BenchPut(start + i));
    for (const ActionOutcome& outcome : server.region_server()->Batch(region.info.EncodedName(), batch))
      VAQUITA_RETURN_IF_ERROR(outcome.status);
  }
  return absl::OkStatus();
}

// SplitClients that write new rows and read old ones, one request after the other, until told to stop.
class SplitClients {
 public:
  explicit SplitClients(Standalone& server) : server_(server), longest_seconds_(kSplitClients) {
    for (int c = 0; c < kSplitClients; ++c) threads_.emplace_back([this, c] { Work(c); });
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
  void Work(int c) {
    for (int64_t n = 0; !stop_; ++n) {
      Stopwatch watch;
      const absl::Status status =
          n % 2 == 0 ? PutOne(server_, kSplitRows + written_++) : GetOne(server_, n * kSplitClients + c);
      longest_seconds_[c] = std::max(longest_seconds_[c], watch.Seconds());
      if (!status.ok()) {
        std::lock_guard lock(mutex_);
        status_.Update(status);
        return;
      }
    }
  }

  Standalone& server_;
  std::vector<double> longest_seconds_;
  std::atomic<bool> stop_ = false;
  std::atomic<int64_t> written_ = 0;
  std::mutex mutex_;
  absl::Status status_;
  std::vector<std::thread> threads_;
};

absl::Status CheckRows(Standalone& server, int64_t rows) {
  for (int64_t i = 0; i < rows; i += i < kSplitRows ? 97 : 1) VAQUITA_RETURN_IF_ERROR(GetOne(server, i));
  return absl::OkStatus();
}

absl::Status BenchSplit(benchmark::State& state, const std::string& folder) {
  Options settings;
  const ScratchFolder scratch(folder);
  VAQUITA_ASSIGN_OR_RETURN(std::unique_ptr<Standalone> server, Standalone::Start({folder, &settings, nullptr, false}));
  VAQUITA_RETURN_IF_ERROR(Load(*server));
  VAQUITA_ASSIGN_OR_RETURN(const AssignedRegion parent, server->master()->LocateRow(kTable, ""));
  SplitClients clients(*server);
  absl::Status split;
  Stopwatch watch;
  for (auto _ : state) {
    VAQUITA_ASSIGN_OR_RETURN(const int64_t procedure,
                             server->master()->SplitRegionAsync(parent.info.EncodedName(), ""));
    split = server->master()->Wait(procedure);
  }
  state.SetLabel(absl::StrFormat("split with its flush %.0f ms", 1000 * watch.Seconds()));
  VAQUITA_ASSIGN_OR_RETURN(const double longest, clients.Stop());
  VAQUITA_RETURN_IF_ERROR(split);
  state.counters["longest_ms"] = 1000 * longest;
  return CheckRows(*server, kSplitRows + clients.written());
}

}  // namespace

void AddSplit(Suite* suite) {
  const auto bench = [suite](benchmark::State& state) { return BenchSplit(state, suite->options().folder + "/split"); };
  suite->Add("split/longest_request", bench)->Iterations(1)->Unit(benchmark::kMillisecond);
  suite->Expect({"split of 600 MB: longest request of 4 clients", "split/longest_request", "longest_ms", "ms",
                 Goal::Kind::kAtMost, 100});
}

}  // namespace vaquita::bench
