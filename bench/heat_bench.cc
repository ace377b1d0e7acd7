// The console's counting of requests by key: its CPU time beside that of a server's puts and gets, and its memory.
#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_format.h"
#include "base/status.h"
#include "bench/bench_data.h"
#include "bench/server_process.h"
#include "bench/suite.h"
#include "client/admin.h"
#include "client/connection.h"
#include "client/table.h"
#include "region/heat/key_heat.h"
#include "server/heat/heat_history.h"

namespace vaquita::bench {
namespace {

constexpr int kHeatThreads = 4;
constexpr int64_t kHeatRequests = 20'000;  // of a turn
constexpr int kHeatTurns = 3;
constexpr int64_t kHeatRows = 1 << 16;
constexpr int64_t kHeatCounts = 2'000'000;
constexpr char kPercent[] = "percent";
constexpr char kMegabytes[] = "MB";

std::vector<std::string> HeatKeys() {
  std::vector<std::string> rows;
  for (int64_t i = 0; i < kHeatRows; ++i) rows.push_back(BenchRow(i));
  return rows;
}

// Counts as a second of requests would be, and divides what is hot.
void CountASecond(const std::vector<std::string>& rows, KeyHeat* heat) {
  for (const std::string& row : rows) heat->CountWrite(row, 100);
  heat->Adapt({.most_requests = kHeatRows / 64, .most_ranges = 512});
}

// Returns the CPU time of counting one request at random among the ranges of a busy table, in nanoseconds.
double CountNs(bool write) {
  const std::vector<std::string> rows = HeatKeys();
  KeyHeat heat("", "");
  for (int second = 0; second < 20; ++second) CountASecond(rows, &heat);
  const CpuStopwatch watch;
  for (int64_t i = 0; i < kHeatCounts; ++i) {
    const std::string& row = rows[i % kHeatRows];
    write ? heat.CountWrite(row, 100) : heat.CountRead(row, 100);
  }
  return watch.Seconds() * 1e9 / kHeatCounts;
}

// A server with a table.
struct HeatedTable {
  explicit HeatedTable(const std::string& path) : folder(path) {}
  ScratchFolder folder;
  std::unique_ptr<ServerProcess> server;
  std::shared_ptr<client::Connection> connection;
  std::unique_ptr<client::Table> table;
};

absl::StatusOr<std::shared_ptr<HeatedTable>> ServeHeated(const BenchOptions& options) {
  auto served = std::make_shared<HeatedTable>(options.folder + "/heat");
  VAQUITA_ASSIGN_OR_RETURN(served->server, ServerProcess::Start(options.server, served->folder.path() + "/data"));
  client::ConnectionOptions connection_options;
  connection_options.address = served->server->address();
  VAQUITA_ASSIGN_OR_RETURN(served->connection, client::Connection::Open(connection_options));
  const TableName name{"default", "heated"};
  VAQUITA_RETURN_IF_ERROR(served->connection->GetAdmin()->CreateTable(BenchTable(name.qualifier)));
  served->table = served->connection->GetTable(name);
  return served;
}

absl::Status Request(client::Table& table, int64_t i, bool write) {
  if (write) return table.Mutate(BenchPut(i)).status();
  Get get;
  get.row = BenchRow(i);
  return table.Get(get).status();
}

// Sends requests one by one in some threads. Returns the server's CPU time for each, in nanoseconds.
absl::StatusOr<double> ServerNs(HeatedTable& served, bool write) {
  VAQUITA_ASSIGN_OR_RETURN(const double before, served.server->CpuSeconds());
  std::atomic<int64_t> next = 0;
  std::mutex mutex;
  absl::Status status;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kHeatThreads; ++thread) {
    threads.emplace_back([&] {
      for (int64_t i; (i = next++) < kHeatRequests;) {
        const absl::Status done = Request(*served.table, i % kHeatRows, write);
        if (done.ok()) continue;
        const std::lock_guard lock(mutex);
        status.Update(done);
        return;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  VAQUITA_RETURN_IF_ERROR(status);
  VAQUITA_ASSIGN_OR_RETURN(const double after, served.server->CpuSeconds());
  return (after - before) * 1e9 / kHeatRequests;
}

absl::Status BenchCounting(benchmark::State& state, HeatedTable& served, bool write) {
  std::vector<double> counting;
  std::vector<double> serving;
  for (auto _ : state) {
    counting.push_back(CountNs(write));
    VAQUITA_ASSIGN_OR_RETURN(const double ns, ServerNs(served, write));
    serving.push_back(ns);
  }
  state.counters[kPercent] = 100 * Median(counting) / Median(serving);
  state.SetLabel(absl::StrFormat("%.0f ns of %.1f us", Median(counting), Median(serving) / 1000));
  return absl::OkStatus();
}

// A day of a table whose every request goes to another key, with all columns there are.
absl::Status BenchMemory(benchmark::State& state) {
  for (auto _ : state) {
    const std::vector<std::string> rows = HeatKeys();
    KeyHeat heat("", "");
    for (int second = 0; second < 20; ++second) CountASecond(rows, &heat);
    auto axis = std::make_shared<HeatAxis>();
    axis->regions.push_back({"region", "", "", "server"});
    for (KeyHeat::Border& border : heat.Borders()) axis->ranges.push_back({std::move(border.key), 0, border.earlier});
    HeatHistory history;
    HeatCounts counts(axis->ranges.size());
    for (KeyCounts& range : counts) range = {0, kHeatRows / 5 / static_cast<int64_t>(counts.size()), 1'000'000};
    int64_t now_ms = 1;
    for (const auto& [step_ms, columns] : {std::pair{300'000, 288}, {10'000, 360}, {1'000, 300}, {200, 300}}) {
      for (int column = 0; column < columns; ++column) history.Add(now_ms += step_ms, axis, counts);
    }
    state.counters[kMegabytes] = static_cast<double>(history.memory_bytes()) / (1 << 20);
    state.SetLabel(absl::StrFormat("%d ranges", axis->ranges.size()));
  }
  return absl::OkStatus();
}

}  // namespace

void AddHeat(Suite* suite) {
  for (const bool write : {true, false}) {
    const auto bench = [=](benchmark::State& state) -> absl::Status {
      VAQUITA_ASSIGN_OR_RETURN(const auto served,
                               suite->Shared<HeatedTable>([&] { return ServeHeated(suite->options()); }));
      return BenchCounting(state, *served, write);
    };
    const std::string name = write ? "heat/put" : "heat/get";
    suite->Add(name, bench)->Iterations(kHeatTurns)->Unit(benchmark::kMillisecond);
    suite->Expect({std::string("console: counting a ") + (write ? "put" : "get") + ", of the server's CPU time", name,
                   kPercent, "%", Goal::Kind::kAtMost, 2});
  }
  suite->Add("heat/memory", BenchMemory)->Iterations(1)->Unit(benchmark::kMillisecond);
  suite->Expect({"console: a day of a busy table", "heat/memory", kMegabytes, "MB", Goal::Kind::kAtMost, 2});
}

}  // namespace vaquita::bench
