// Clients of a server process over gRPC.
#include <atomic>
#include <mutex>
#include <random>
#include <thread>

#include "absl/strings/str_format.h"
#include "base/status.h"
#include "bench/figures.h"
#include "bench/server_process.h"
#include "client/admin.h"
#include "client/connection.h"
#include "client/table.h"

namespace vaquita::bench {
namespace {

constexpr int kThreads = 8;
constexpr int64_t kGrpcBatch = 100;
constexpr int kGrpcTurns = 5;

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

}  // namespace

absl::Status BenchGrpc(const BenchOptions& options, Figures* figures) {
  VAQUITA_ASSIGN_OR_RETURN(std::unique_ptr<ServerProcess> server,
                           ServerProcess::Start(options.server, options.folder + "/grpc"));
  client::ConnectionOptions connection_options;
  connection_options.address = server->address();
  VAQUITA_ASSIGN_OR_RETURN(std::shared_ptr<client::Connection> connection,
                           client::Connection::Open(connection_options));
  const TableName name{"default", "bench"};
  VAQUITA_RETURN_IF_ERROR(connection->GetAdmin()->CreateTable(BenchTable(name.qualifier)));
  std::unique_ptr<client::Table> table = connection->GetTable(name);

  const int64_t batches = options.rows / 5 / kGrpcTurns / kGrpcBatch;
  std::vector<double> rates;
  for (int turn = 0; turn < kGrpcTurns; ++turn) {
    VAQUITA_ASSIGN_OR_RETURN(const double seconds, InThreads(turn * batches, batches, [&](int64_t i) {
                               return WriteBatch(*table, i * kGrpcBatch);
                             }));
    rates.push_back(batches * kGrpcBatch / seconds);
  }
  const double rate = Median(rates);
  figures->push_back(
      {"gRPC, 8 threads, batches of 100", absl::StrFormat("%.0f rows/s", rate), "", "100000 rows/s", rate >= 100'000});

  const int64_t rows = batches * kGrpcBatch * kGrpcTurns, gets = 50'000;
  VAQUITA_ASSIGN_OR_RETURN(const double get_seconds, InThreads(0, gets, [&](int64_t i) -> absl::Status {
                             Get get;
                             get.row = BenchRow(i * 7919 % rows);
                             VAQUITA_ASSIGN_OR_RETURN(client::Result result, table->Get(get));
                             return result.cells.size() == 1 ? absl::OkStatus()
                                                             : absl::InternalError("row " + get.row + " is missing");
                           }));
  figures->push_back({"gRPC, 8 threads, random get", absl::StrFormat("%.0f rows/s", gets / get_seconds), "", "", true});
  VAQUITA_ASSIGN_OR_RETURN(const double scan_seconds, ScanAll(*table, rows));
  figures->push_back(
      {"gRPC, full scan by one client", absl::StrFormat("%.0f rows/s", rows / scan_seconds), "", "", true});
  return absl::OkStatus();
}

}  // namespace vaquita::bench
