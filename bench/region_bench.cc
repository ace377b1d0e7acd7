// The region layer in process, against raw RocksDB holding the same bytes.
#include <memory>
#include <random>
#include <utility>

#include "base/status.h"
#include "bench/bench_data.h"
#include "bench/raw_rocksdb.h"
#include "bench/region_setup.h"
#include "bench/suite.h"

namespace vaquita::bench {
namespace {

constexpr int64_t kRegionBatch = 1000;
constexpr int kRegionTurns = 9;
constexpr int64_t kGetsPerTurn = 50'000;

std::vector<Mutation> Puts(int64_t first, int64_t count) {
  std::vector<Mutation> puts;
  puts.reserve(count);
  for (int64_t i = first; i < first + count; ++i) puts.push_back(BenchPut(i));
  return puts;
}

// Writes rows [first, first + count); seconds spent in the region.
absl::StatusOr<double> Write(RegionSetup& setup, int64_t first, int64_t count) {
  double seconds = 0;
  for (int64_t start = first; start < first + count; start += kRegionBatch) {
    const std::vector<Mutation> puts = Puts(start, kRegionBatch);
    std::vector<const Mutation*> batch;
    for (const Mutation& put : puts) batch.push_back(&put);
    Stopwatch watch;
    for (const absl::Status& status : setup.region->MutateBatch(batch)) VAQUITA_RETURN_IF_ERROR(status);
    setup.maintenance->AfterWrite(setup.region);
    seconds += watch.Seconds();
  }
  return seconds;
}

absl::StatusOr<double> RandomGets(Region& region, int64_t rows, uint64_t seed) {
  std::mt19937_64 random(seed);
  Stopwatch watch;
  CellBlock cells;
  Get get;
  for (int64_t i = 0; i < kGetsPerTurn; ++i) {
    get.row = BenchRow(random() % rows);
    cells.Clear();
    VAQUITA_RETURN_IF_ERROR(region.Get(get, &cells));
    if (cells.size() != 1) return absl::InternalError("row " + get.row + " is missing");
  }
  return watch.Seconds();
}

absl::StatusOr<int64_t> FullScan(Region& region, double* seconds) {
  Stopwatch watch;
  VAQUITA_ASSIGN_OR_RETURN(std::unique_ptr<RegionScanner> scanner, region.NewScanner(Scan()));
  ScanLimits limits;
  limits.max_bytes = 2 * kMiB;
  ResultBatch batch;
  int64_t cells = 0;
  for (bool more = true; more;) {
    batch.Clear();
    VAQUITA_ASSIGN_OR_RETURN(more, scanner->Next(limits, &batch));
    cells += batch.cells.size();
  }
  *seconds = watch.Seconds();
  return cells;
}

// A region and raw RocksDB with the same rows; the region is destroyed before its folder.
struct Rivals {
  explicit Rivals(const std::string& path) : folder(path) {}
  ScratchFolder folder;
  std::unique_ptr<RegionSetup> ours;
  std::unique_ptr<RawRocksDb> raw;
  int turns_written = 0;
  bool compacted = false;
};

absl::StatusOr<std::shared_ptr<Rivals>> OpenRivals(const std::string& folder) {
  auto rivals = std::make_shared<Rivals>(folder);
  VAQUITA_ASSIGN_OR_RETURN(rivals->ours, OpenBenchRegion(folder + "/region"));
  VAQUITA_ASSIGN_OR_RETURN(rivals->raw, RawRocksDb::Open(folder + "/raw"));
  return rivals;
}

int64_t RowsPerTurn(const BenchOptions& options) { return options.rows / kRegionTurns / kRegionBatch * kRegionBatch; }

absl::StatusOr<double> WriteTurn(Rivals& rivals, int64_t rows) {
  VAQUITA_ASSIGN_OR_RETURN(const double seconds, Write(*rivals.ours, rivals.turns_written++ * rows, rows));
  return rows / seconds;
}

absl::StatusOr<double> RawWriteTurn(Rivals& rivals, int64_t rows) {
  VAQUITA_ASSIGN_OR_RETURN(const double seconds, rivals.raw->Write(rivals.turns_written * rows, rows, kRegionBatch));
  return rows / seconds;
}

// Writes what no benchmark has written, and compacts both to one store file, so that reads compare like with like.
absl::Status PrepareReads(Rivals& rivals, int64_t rows_per_turn) {
  if (std::exchange(rivals.compacted, true)) return absl::OkStatus();
  while (rivals.turns_written < kRegionTurns) {
    VAQUITA_RETURN_IF_ERROR(RawWriteTurn(rivals, rows_per_turn).status());
    VAQUITA_RETURN_IF_ERROR(WriteTurn(rivals, rows_per_turn).status());
  }
  VAQUITA_RETURN_IF_ERROR(rivals.raw->Compact());
  VAQUITA_RETURN_IF_ERROR(rivals.ours->region->Flush());
  return rivals.ours->region->Compact(CompactionKind::kMajor, "").status();
}

absl::Status BenchWrites(benchmark::State& state, Rivals& rivals, int64_t rows) {
  if (rivals.turns_written > 0) return absl::FailedPreconditionError("the rows are written once");
  return CompareInTurns(
      state, [&](int) { return RawWriteTurn(rivals, rows); }, [&](int) { return WriteTurn(rivals, rows); });
}

absl::Status BenchGets(benchmark::State& state, Rivals& rivals, int64_t rows) {
  return CompareInTurns(
      state,
      [&](int turn) -> absl::StatusOr<double> {
        VAQUITA_ASSIGN_OR_RETURN(const double seconds, rivals.raw->Get(rows, kGetsPerTurn, turn));
        return kGetsPerTurn / seconds;
      },
      [&](int turn) -> absl::StatusOr<double> {
        VAQUITA_ASSIGN_OR_RETURN(const double seconds, RandomGets(*rivals.ours->region, rows, turn));
        return kGetsPerTurn / seconds;
      });
}

absl::Status BenchScans(benchmark::State& state, Rivals& rivals, int64_t rows) {
  const auto rate = [rows](absl::StatusOr<int64_t> cells, double seconds) -> absl::StatusOr<double> {
    if (cells.ok() && *cells != rows) return absl::InternalError("a full scan did not find every row");
    return cells.ok() ? absl::StatusOr<double>(rows / seconds) : cells.status();
  };
  return CompareInTurns(
      state,
      [&](int) {
        double seconds = 0;
        const absl::StatusOr<int64_t> cells = rivals.raw->Scan(&seconds);
        return rate(cells, seconds);
      },
      [&](int) {
        double seconds = 0;
        const absl::StatusOr<int64_t> cells = FullScan(*rivals.ours->region, &seconds);
        return rate(cells, seconds);
      });
}

}  // namespace

void AddRegion(Suite* suite) {
  const int64_t rows_per_turn = RowsPerTurn(suite->options());
  const auto add = [&](const std::string& name, bool reads, auto body) {
    return suite->Add(name, [=](benchmark::State& state) -> absl::Status {
      VAQUITA_ASSIGN_OR_RETURN(const auto rivals,
                               suite->Shared<Rivals>([&] { return OpenRivals(suite->options().folder + "/region"); }));
      if (reads) VAQUITA_RETURN_IF_ERROR(PrepareReads(*rivals, rows_per_turn));
      return body(state, *rivals, reads ? rows_per_turn * kRegionTurns : rows_per_turn);
    });
  };
  add("region/put", /*reads=*/false, BenchWrites)->Iterations(kRegionTurns)->Unit(benchmark::kMillisecond);
  add("region/get", /*reads=*/true, BenchGets)->Iterations(kRegionTurns)->Unit(benchmark::kMillisecond);
  add("region/scan", /*reads=*/true, BenchScans)->Iterations((kRegionTurns + 1) / 2)->Unit(benchmark::kMillisecond);
  suite->Expect({"region, batches of 1,000 with log", "region/put", kOurs, "rows/s", Goal::Kind::kRatio, 0.7});
  suite->Expect({"region, random get", "region/get", kOurs, "rows/s", Goal::Kind::kRatio, 0.7});
  suite->Expect({"region, full scan", "region/scan", kOurs, "cells/s", Goal::Kind::kRatio, 0.5});
}

}  // namespace vaquita::bench
