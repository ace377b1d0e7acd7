// Start and memory of the standalone server, empty and with 800 regions.
#include <filesystem>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/status.h"
#include "bench/bench_data.h"
#include "bench/server_process.h"
#include "bench/suite.h"
#include "client/admin.h"
#include "client/connection.h"
#include "client/table.h"

namespace vaquita::bench {
namespace {

constexpr int kStarts = 20;
constexpr int kManyRegions = 800;

absl::StatusOr<std::shared_ptr<client::Connection>> Connect(const ServerProcess& server) {
  client::ConnectionOptions options;
  options.address = server.address();
  return client::Connection::Open(options);
}

absl::Status PutOne(client::Connection& connection, const std::string& table) {
  Mutation put;
  put.row = "row";
  Cell& cell = put.cells.emplace_back();
  cell.family = "f";
  cell.qualifier = "q";
  cell.value = "value";
  return connection.GetTable({"default", table})->Mutate(put).status();
}

// Seconds from exec to the first acknowledged put into a new table.
absl::StatusOr<double> StartAndPut(const BenchOptions& options, int number, double* memory_mb) {
  const std::string folder = absl::StrCat(options.folder, "/start", number);
  Stopwatch watch;
  VAQUITA_ASSIGN_OR_RETURN(std::unique_ptr<ServerProcess> server, ServerProcess::Start(options.server, folder));
  VAQUITA_ASSIGN_OR_RETURN(*memory_mb, server->ResidentMb());
  VAQUITA_ASSIGN_OR_RETURN(std::shared_ptr<client::Connection> connection, Connect(*server));
  VAQUITA_RETURN_IF_ERROR(connection->GetAdmin()->CreateTable(BenchTable("t")));
  VAQUITA_RETURN_IF_ERROR(PutOne(*connection, "t"));
  const double seconds = watch.Seconds();
  server.reset();
  std::filesystem::remove_all(folder);
  return seconds;
}

absl::Status BenchStarts(benchmark::State& state, const BenchOptions& options) {
  std::vector<double> starts, memory;
  for (auto _ : state) {
    double memory_mb = 0;
    VAQUITA_ASSIGN_OR_RETURN(const double seconds, StartAndPut(options, static_cast<int>(starts.size()), &memory_mb));
    starts.push_back(1000 * seconds);
    memory.push_back(memory_mb);
  }
  state.counters["median_ms"] = Median(starts);
  state.counters["memory_mb"] = Median(memory);
  return absl::OkStatus();
}

absl::Status BenchManyRegions(benchmark::State& state, const BenchOptions& options) {
  const ScratchFolder scratch(options.folder + "/many");
  const std::string folder = scratch.path() + "/data";
  std::vector<std::string> splits;
  for (int i = 1; i < kManyRegions; ++i) splits.push_back(absl::StrFormat("%04d", i));
  for (auto _ : state) {
    {
      VAQUITA_ASSIGN_OR_RETURN(std::unique_ptr<ServerProcess> server, ServerProcess::Start(options.server, folder));
      VAQUITA_ASSIGN_OR_RETURN(std::shared_ptr<client::Connection> connection, Connect(*server));
      Stopwatch watch;
      VAQUITA_RETURN_IF_ERROR(connection->GetAdmin()->CreateTable(BenchTable("many"), splits));
      state.counters["creation_s"] = watch.Seconds();
      VAQUITA_RETURN_IF_ERROR(PutOne(*connection, "many"));
    }
    Stopwatch watch;
    VAQUITA_ASSIGN_OR_RETURN(std::unique_ptr<ServerProcess> server, ServerProcess::Start(options.server, folder));
    VAQUITA_ASSIGN_OR_RETURN(std::shared_ptr<client::Connection> connection, Connect(*server));
    VAQUITA_RETURN_IF_ERROR(PutOne(*connection, "many"));
    state.counters["restart_s"] = watch.Seconds();
    VAQUITA_ASSIGN_OR_RETURN(state.counters["memory_mb"], server->ResidentMb());
  }
  return absl::OkStatus();
}

}  // namespace

void AddStart(Suite* suite) {
  const auto add = [&](const std::string& name, auto body) {
    return suite->Add(name, [=](benchmark::State& state) { return body(state, suite->options()); })
        ->Unit(benchmark::kMillisecond);
  };
  add("start/first_put", BenchStarts)->Iterations(kStarts);
  add("start/800_regions", BenchManyRegions)->Iterations(1);
  using Kind = Goal::Kind;
  suite->Expect(
      {"exec to first acknowledged put, median of 20", "start/first_put", "median_ms", "ms", Kind::kAtMost, 60});
  suite->Expect({"memory after start", "start/first_put", "memory_mb", "MB", Kind::kAtMost, 60});
  suite->Expect({"800 regions: creation", "start/800_regions", "creation_s", "s", Kind::kAtMost, 2});
  suite->Expect({"800 regions: restart to first put", "start/800_regions", "restart_s", "s", Kind::kAtMost, 3});
  suite->Expect({"800 regions: memory", "start/800_regions", "memory_mb", "MB", Kind::kAtMost, 200});
}

}  // namespace vaquita::bench
