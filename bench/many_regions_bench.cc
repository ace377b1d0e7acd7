// A server process with a table of many regions, one after the other: creation, a put and an increment into each
// region, flush, snapshot, restart, drop. RocksDB alone, with a column family for each store, is the limit.
#include <algorithm>
#include <functional>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/status.h"
#include "bench/bench_data.h"
#include "bench/raw_column_families.h"
#include "bench/server_process.h"
#include "bench/suite.h"
#include "client/admin.h"
#include "client/connection.h"
#include "client/table.h"

namespace vaquita::bench {
namespace {

constexpr char kManyTable[] = "many";
constexpr int kRegionsPerBatch = 50;

std::string RowOfRegion(int region) { return absl::StrFormat("%05d", region); }

// A server, its one client, and what their work costs.
class ManyRegions {
 public:
  ManyRegions(const BenchOptions& options, std::string folder, int regions, benchmark::State* state)
      : options_(options), folder_(std::move(folder)), state_(*state), regions_(regions) {}

  absl::Status Run() {
    VAQUITA_RETURN_IF_ERROR(Measure("create", [&] {
      std::vector<std::string> splits;
      for (int region = 1; region < regions_; ++region) splits.push_back(RowOfRegion(region));
      return Admin()->CreateTable(BenchTable(kManyTable), splits);
    }));
    VAQUITA_RETURN_IF_ERROR(Measure("put", [&] { return ChangeEach("put", MutationType::kPut, "value"); }));
    VAQUITA_RETURN_IF_ERROR(
        Measure("increment", [&] { return ChangeEach("count", MutationType::kIncrement, std::string(8, '\1')); }));
    VAQUITA_RETURN_IF_ERROR(Measure("flush", [&] { return Admin()->Flush({"default", kManyTable}); }));
    VAQUITA_RETURN_IF_ERROR(Measure("snapshot", [&] {
      return Admin()->Snapshot({.name = "s", .table = {"default", kManyTable}});
    }));
    VAQUITA_RETURN_IF_ERROR(Restart("restart"));
    VAQUITA_RETURN_IF_ERROR(ChangeEach("put", MutationType::kPut, "value"));
    VAQUITA_RETURN_IF_ERROR(Restart("restart_with_log"));
    VAQUITA_RETURN_IF_ERROR(Measure("disable", [&] { return Admin()->DisableTable({"default", kManyTable}); }));
    return Measure("drop", [&] { return Admin()->DeleteTable({"default", kManyTable}); });
  }

  absl::Status Start() {
    VAQUITA_ASSIGN_OR_RETURN(server_, ServerProcess::Start(options_.server, folder_));
    client::ConnectionOptions options;
    options.address = server_->address();
    VAQUITA_ASSIGN_OR_RETURN(connection_, client::Connection::Open(options));
    return absl::OkStatus();
  }

 private:
  client::Admin* Admin() { return (admin_ = connection_->GetAdmin()).get(); }

  // Counts seconds, and the server's seconds of CPU time.
  absl::Status Measure(const std::string& name, const std::function<absl::Status()>& work) {
    VAQUITA_ASSIGN_OR_RETURN(const double before, server_->CpuSeconds());
    const Stopwatch watch;
    VAQUITA_RETURN_IF_ERROR(work());
    state_.counters[name + "_s"] = watch.Seconds();
    VAQUITA_ASSIGN_OR_RETURN(const double after, server_->CpuSeconds());
    state_.counters[name + "_cpu_s"] = after - before;
    return absl::OkStatus();
  }

  absl::Status ChangeEach(const std::string& qualifier, MutationType type, const std::string& value) {
    const auto table = connection_->GetTable({"default", kManyTable});
    for (int first = 0; first < regions_; first += kRegionsPerBatch) {
      std::vector<Action> actions;
      for (int region = first; region < std::min(first + kRegionsPerBatch, regions_); ++region) {
        Mutation mutation{.type = type, .row = RowOfRegion(region)};
        Cell& cell = mutation.cells.emplace_back();
        cell.family = "f";
        cell.qualifier = qualifier;
        cell.value = value;
        actions.emplace_back(std::move(mutation));
      }
      for (const client::ActionResult& result : table->Batch(actions)) VAQUITA_RETURN_IF_ERROR(result.status);
    }
    return absl::OkStatus();
  }

  // Counts the seconds from exec to the first answered put, the CPU time of that, and the memory then.
  absl::Status Restart(const std::string& name) {
    admin_.reset();
    connection_.reset();
    server_.reset();
    const Stopwatch watch;
    VAQUITA_RETURN_IF_ERROR(Start());
    Mutation put{.row = RowOfRegion(regions_ / 2)};
    put.cells.emplace_back().family = "f";
    VAQUITA_RETURN_IF_ERROR(connection_->GetTable({"default", kManyTable})->Mutate(put).status());
    state_.counters[name + "_s"] = watch.Seconds();
    VAQUITA_ASSIGN_OR_RETURN(state_.counters[name + "_cpu_s"], server_->CpuSeconds());
    VAQUITA_ASSIGN_OR_RETURN(state_.counters[name + "_mb"], server_->ResidentMb());
    return absl::OkStatus();
  }

  const BenchOptions& options_;
  const std::string folder_;
  benchmark::State& state_;
  const int regions_;
  std::unique_ptr<ServerProcess> server_;
  std::shared_ptr<client::Connection> connection_;
  std::shared_ptr<client::Admin> admin_;
};

absl::Status BenchServer(benchmark::State& state, const BenchOptions& options, int regions) {
  const ScratchFolder scratch(absl::StrCat(options.folder, "/many"));
  for (auto _ : state) {
    ManyRegions server(options, scratch.path() + "/data", regions, &state);
    VAQUITA_RETURN_IF_ERROR(server.Start());
    VAQUITA_RETURN_IF_ERROR(server.Run());
  }
  return absl::OkStatus();
}

// Makes as many stores as the server has: one for each region, and one for nonces.
absl::Status BenchRocksDb(benchmark::State& state, const BenchOptions& options, int regions) {
  const ScratchFolder scratch(absl::StrCat(options.folder, "/raw"));
  for (auto _ : state) {
    RawColumnFamilies raw(scratch.path() + "/data");
    const auto measure = [&](const std::string& name, const std::function<absl::Status()>& work) {
      const CpuStopwatch cpu;
      const Stopwatch watch;
      VAQUITA_RETURN_IF_ERROR(work());
      state.counters[name + "_s"] = watch.Seconds();
      state.counters[name + "_cpu_s"] = cpu.Seconds();
      return absl::OkStatus();
    };
    VAQUITA_RETURN_IF_ERROR(raw.Open());
    VAQUITA_RETURN_IF_ERROR(measure("create", [&] { return raw.Create(regions + 1); }));
    VAQUITA_RETURN_IF_ERROR(measure("put", [&] { return raw.PutIntoEach(); }));
    VAQUITA_RETURN_IF_ERROR(measure("flush", [&] { return raw.FlushEach(); }));
    raw.Close();
    VAQUITA_RETURN_IF_ERROR(measure("restart", [&] { return raw.Open(); }));
    VAQUITA_RETURN_IF_ERROR(raw.PutIntoEach());
    raw.Close();
    VAQUITA_RETURN_IF_ERROR(measure("restart_with_log", [&] { return raw.Open(); }));
    VAQUITA_RETURN_IF_ERROR(measure("drop", [&] { return raw.DropAll(); }));
  }
  return absl::OkStatus();
}

}  // namespace

void AddManyRegions(Suite* suite) {
  for (const int regions : {16, 800, 3000}) {
    const auto add = [&](const std::string& name, auto body) {
      const auto run = [=](benchmark::State& state) { return body(state, suite->options(), regions); };
      suite->Add(absl::StrCat(name, "/", regions), run)->Unit(benchmark::kMillisecond)->Iterations(1);
    };
    add("many/server", BenchServer);
    add("many/rocksdb", BenchRocksDb);
  }
  const auto expect = [&](const std::string& what, int regions, const std::string& counter, const std::string& unit,
                          double bound) {
    suite->Expect({absl::StrCat(regions, " regions: ", what), absl::StrCat("many/server/", regions), counter, unit,
                   Goal::Kind::kAtMost, bound});
  };
  expect("snapshot", 800, "snapshot_s", "s", 2);
  expect("creation", 3000, "create_s", "s", 2);
  expect("flush of all, CPU time", 3000, "flush_cpu_s", "s", 4);
  expect("restart to first put", 3000, "restart_s", "s", 1);
  expect("memory after it", 3000, "restart_mb", "MB", 200);
  expect("drop, CPU time", 3000, "drop_cpu_s", "s", 2);
}

}  // namespace vaquita::bench
