// The region layer in process, against raw RocksDB holding the same bytes.
#include <random>

#include "base/status.h"
#include "bench/figures.h"
#include "bench/raw_rocksdb.h"
#include "bench/region_setup.h"

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

absl::Status BenchWrites(const BenchOptions& options, RegionSetup& ours, RawRocksDb& raw, Figures* figures) {
  const int64_t per_turn = options.rows / kRegionTurns / kRegionBatch * kRegionBatch;
  std::vector<double> our_rates, raw_rates;
  for (int turn = 0; turn < kRegionTurns; ++turn) {
    VAQUITA_ASSIGN_OR_RETURN(const double raw_seconds, raw.Write(turn * per_turn, per_turn, kRegionBatch));
    VAQUITA_ASSIGN_OR_RETURN(const double our_seconds, Write(ours, turn * per_turn, per_turn));
    raw_rates.push_back(per_turn / raw_seconds);
    our_rates.push_back(per_turn / our_seconds);
  }
  figures->push_back(RatioFigure("region, batches of 1,000 with log", our_rates, raw_rates, 0.7, "rows/s"));
  return absl::OkStatus();
}

absl::Status BenchReads(int64_t rows, RegionSetup& ours, RawRocksDb& raw, Figures* figures) {
  std::vector<double> our_gets, raw_gets, our_scans, raw_scans;
  for (int turn = 0; turn < kRegionTurns; ++turn) {
    VAQUITA_ASSIGN_OR_RETURN(const double raw_seconds, raw.Get(rows, kGetsPerTurn, turn));
    VAQUITA_ASSIGN_OR_RETURN(const double our_seconds, RandomGets(*ours.region, rows, turn));
    raw_gets.push_back(kGetsPerTurn / raw_seconds);
    our_gets.push_back(kGetsPerTurn / our_seconds);
  }
  figures->push_back(RatioFigure("region, random get", our_gets, raw_gets, 0.7, "rows/s"));
  for (int turn = 0; turn < (kRegionTurns + 1) / 2; ++turn) {
    double raw_seconds = 0, our_seconds = 0;
    VAQUITA_ASSIGN_OR_RETURN(const int64_t raw_cells, raw.Scan(&raw_seconds));
    VAQUITA_ASSIGN_OR_RETURN(const int64_t our_cells, FullScan(*ours.region, &our_seconds));
    if (raw_cells != rows || our_cells != rows) return absl::InternalError("a full scan did not find every row");
    raw_scans.push_back(raw_cells / raw_seconds);
    our_scans.push_back(our_cells / our_seconds);
  }
  figures->push_back(RatioFigure("region, full scan", our_scans, raw_scans, 0.5, "cells/s"));
  return absl::OkStatus();
}

}  // namespace

absl::Status BenchRegion(const BenchOptions& options, Figures* figures) {
  VAQUITA_ASSIGN_OR_RETURN(std::unique_ptr<RegionSetup> ours, OpenBenchRegion(options.folder + "/region"));
  VAQUITA_ASSIGN_OR_RETURN(std::unique_ptr<RawRocksDb> raw, RawRocksDb::Open(options.folder + "/raw"));
  VAQUITA_RETURN_IF_ERROR(BenchWrites(options, *ours, *raw, figures));
  // One store file each, so that reads compare like with like.
  VAQUITA_RETURN_IF_ERROR(raw->Compact());
  VAQUITA_RETURN_IF_ERROR(ours->region->Flush());
  VAQUITA_RETURN_IF_ERROR(ours->region->Compact(CompactionKind::kMajor, "").status());
  return BenchReads(options.rows / kRegionTurns / kRegionBatch * kRegionBatch * kRegionTurns, *ours, *raw, figures);
}

}  // namespace vaquita::bench
