// Clients of a server process over gRPC.
#include <atomic>
#include <memory>
#include <mutex>
#include <random>
#include <thread>

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

constexpr int kThreads = 8;
constexpr int64_t kGrpcBatch = 100;
constexpr int kGrpcTurns = 5;
constexpr int64_t kGets = 50'000;
constexpr char kRate[] = "rows_per_s";

absl::Status WriteBatch(client::Table& table, int64_t first) {
  std::vector<Action> batch;
  for (int64_t i = first; i < first + kGrpcBatch; ++i) batch.emplace_back(BenchPut(i));
  for (const client::ActionResult& result : table.Batch(batch)) VAQUITA_RETURN_IF_ERROR(result.status);
  return absl::OkStatus();
}

// Runs `work(i)` for i in [first, first + count) with kThreads threads; seconds.
template <typename Work>
absl::StatusOr<double> InThreads(int64_t first, int64_t count, const Work& work) {
  std::atomic<int64_t> next = first;
  std::mutex mutex;
  absl::Status status;
  Stopwatch watch;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      for (int64_t i; (i = next++) < first + count;) {
        const absl::Status done = work(i);
        if (done.ok()) continue;
        std::lock_guard lock(mutex);
        status.Update(done);
        return;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  VAQUITA_RETURN_IF_ERROR(status);
  return watch.Seconds();
}

absl::StatusOr<double> ScanAll(client::Table& table, int64_t expected) {
  Stopwatch watch;
  VAQUITA_ASSIGN_OR_RETURN(std::unique_ptr<client::ResultScanner> scanner, table.GetScanner(Scan()));
  int64_t rows = 0;
  while (true) {
    VAQUITA_ASSIGN_OR_RETURN(std::optional<client::Result> result, scanner->Next());
    if (!result) break;
    ++rows;
  }
  if (rows != expected) return absl::InternalError(absl::StrFormat("a scan found %d rows of %d", rows, expected));
  return watch.Seconds();
}

// A server with a table, and the rows that are in it.
struct ServedTable {
  explicit ServedTable(const std::string& path) : folder(path) {}
  ScratchFolder folder;
  std::unique_ptr<ServerProcess> server;
  std::shared_ptr<client::Connection> connection;
  std::unique_ptr<client::Table> table;
  int64_t batches = 0;
};

absl::StatusOr<std::shared_ptr<ServedTable>> Serve(const BenchOptions& options) {
  auto served = std::make_shared<ServedTable>(options.folder + "/grpc");
  VAQUITA_ASSIGN_OR_RETURN(served->server, ServerProcess::Start(options.server, served->folder.path() + "/data"));
  client::ConnectionOptions connection_options;
  connection_options.address = served->server->address();
  VAQUITA_ASSIGN_OR_RETURN(served->connection, client::Connection::Open(connection_options));
  const TableName name{"default", "bench"};
  VAQUITA_RETURN_IF_ERROR(served->connection->GetAdmin()->CreateTable(BenchTable(name.qualifier)));
  served->table = served->connection->GetTable(name);
  return served;
}

// Writes a turn's batches; returns rows per second.
absl::StatusOr<double> WriteServedTurn(ServedTable& served, int64_t batches) {
  VAQUITA_ASSIGN_OR_RETURN(const double seconds, InThreads(served.batches, batches, [&](int64_t i) {
                             return WriteBatch(*served.table, i * kGrpcBatch);
                           }));
  served.batches += batches;
  return batches * kGrpcBatch / seconds;
}

absl::Status BenchServedPuts(benchmark::State& state, ServedTable& served, int64_t batches_per_turn) {
  std::vector<double> rates;
  for (auto _ : state) {
    VAQUITA_ASSIGN_OR_RETURN(const double rate, WriteServedTurn(served, batches_per_turn));
    rates.push_back(rate);
  }
  state.counters[kRate] = Median(rates);
  return absl::OkStatus();
}

absl::Status BenchServedGets(benchmark::State& state, ServedTable& served, int64_t rows) {
  Stopwatch watch;
  for (auto _ : state) {
    VAQUITA_RETURN_IF_ERROR(InThreads(0, kGets, [&](int64_t i) -> absl::Status {
                              Get get;
                              get.row = BenchRow(i * 7919 % rows);
                              VAQUITA_ASSIGN_OR_RETURN(client::Result result, served.table->Get(get));
                              return result.cells.size() == 1 ? absl::OkStatus()
                                                              : absl::InternalError("row " + get.row + " is missing");
                            }).status());
  }
  state.counters[kRate] = kGets / watch.Seconds();
  return absl::OkStatus();
}

absl::Status BenchServedScan(benchmark::State& state, ServedTable& served, int64_t rows) {
  Stopwatch watch;
  for (auto _ : state) VAQUITA_RETURN_IF_ERROR(ScanAll(*served.table, rows).status());
  state.counters[kRate] = rows / watch.Seconds();
  return absl::OkStatus();
}

}  // namespace

void AddGrpc(Suite* suite) {
  const int64_t per_turn = suite->options().rows / 5 / kGrpcTurns / kGrpcBatch;
  const auto add = [&](const std::string& name, bool reads, auto body) {
    const auto bench = [=](benchmark::State& state) -> absl::Status {
      VAQUITA_ASSIGN_OR_RETURN(const auto served, suite->Shared<ServedTable>([&] { return Serve(suite->options()); }));
      while (reads && served->batches < per_turn * kGrpcTurns) {
        VAQUITA_RETURN_IF_ERROR(WriteServedTurn(*served, per_turn).status());
      }
      return body(state, *served, reads ? served->batches * kGrpcBatch : per_turn);
    };
    suite->Add(name, bench)->Iterations(reads ? 1 : kGrpcTurns)->Unit(benchmark::kMillisecond);
  };
  add("grpc/put", /*reads=*/false, BenchServedPuts);
  add("grpc/get", /*reads=*/true, BenchServedGets);
  add("grpc/scan", /*reads=*/true, BenchServedScan);
  suite->Expect({"gRPC, 8 threads, batches of 100", "grpc/put", kRate, "rows/s", Goal::Kind::kAtLeast, 100'000});
  suite->Expect({"gRPC, 8 threads, random get", "grpc/get", kRate, "rows/s"});
  suite->Expect({"gRPC, full scan by one client", "grpc/scan", kRate, "rows/s"});
}

}  // namespace vaquita::bench
