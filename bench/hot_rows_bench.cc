// Gets of a row whose columns were written again and again, beside gets of one that was written once: what can no
// longer be seen should cost little. In a region whose maintenance flushes dead versions when reads pass too many of
// them; in a memstore, and in a file, of a family that keeps every version.
#include <algorithm>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/status.h"
#include "bench/bench_data.h"
#include "bench/suite.h"
#include "engine/store_db.h"
#include "region/maintenance.h"
#include "region/region.h"

namespace vaquita::bench {
namespace {

constexpr int kHotColumns = 10;
constexpr int kHotWrites = 1'000;
constexpr int kColdRows = 2'000;
constexpr int kHotGets = 2'000;
constexpr int kHotTurns = 5;
// A client's get has three as its goal (bench/hbase/run). In the process a get has no call around it, which costs as
// much for both rows; the seek to each column in a file is then most of what is left.
constexpr double kMostTimes = 3;
constexpr double kMostTimesOfSeeks = 4;

// Markers that come before each write of the hot row.
enum class Markers { kNone, kColumn, kFamily };

// Where the versions are.
enum class Place {
  kUpkept,    // in the memstore of a family that keeps one, until the region's maintenance flushes it
  kMemstore,  // in the memstore of a family that keeps all
  kFile,      // in a file of such a family
};

struct HotRegion {
  Options options;
  std::unique_ptr<StoreDb> db;
  std::shared_ptr<Region> region;
};

absl::Status WriteColumns(Region& region, const std::string& row, int64_t at_ms) {
  Mutation put;
  put.row = row;
  for (int c = 0; c < kHotColumns; ++c) {
    Cell& cell = put.cells.emplace_back();
    cell.family = "f";
    cell.qualifier = absl::StrCat("q", c);
    cell.timestamp_ms = at_ms;
    cell.value = BenchValue(c);
  }
  return region.Mutate(put).status();
}

absl::Status DeleteColumns(Region& region, const std::string& row, Markers markers, int64_t at_ms) {
  if (markers == Markers::kNone) return absl::OkStatus();
  Mutation erase;
  erase.type = MutationType::kDelete;
  erase.row = row;
  for (int c = 0; c < (markers == Markers::kFamily ? 1 : kHotColumns); ++c) {
    Cell& cell = erase.cells.emplace_back();
    cell.family = "f";
    if (markers == Markers::kColumn) cell.qualifier = absl::StrCat("q", c);
    cell.type = markers == Markers::kFamily ? CellType::kDeleteFamily : CellType::kDeleteColumn;
    cell.timestamp_ms = at_ms;
  }
  return region.Mutate(erase).status();
}

absl::StatusOr<std::unique_ptr<HotRegion>> MakeHotRegion(const std::string& folder, Markers markers, Place place) {
  auto hot = std::make_unique<HotRegion>();
  VAQUITA_ASSIGN_OR_RETURN(
      hot->db, StoreDb::Open({folder, &hot->options, Clock::System()}, [](std::string_view) { return nullptr; }));
  auto table = std::make_shared<TableDescriptor>(BenchTable("hot"));
  if (place != Place::kUpkept) table->families["f"].max_versions = 1'000'000;
  VAQUITA_ASSIGN_OR_RETURN(hot->region,
                           Region::OpenOrCreate(hot->db.get(), RegionInfo{.table = table->name, .id = 1}, table));
  const int64_t start_ms = Clock::System()->NowMs() - 10 * kHotWrites;
  for (int i = 0; i < kColdRows; ++i) VAQUITA_RETURN_IF_ERROR(WriteColumns(*hot->region, BenchRow(i), start_ms));
  VAQUITA_RETURN_IF_ERROR(WriteColumns(*hot->region, "once", start_ms));
  for (int i = 0; i < kHotWrites; ++i) {
    VAQUITA_RETURN_IF_ERROR(DeleteColumns(*hot->region, "hot", markers, start_ms + 2 * i));
    VAQUITA_RETURN_IF_ERROR(WriteColumns(*hot->region, "hot", start_ms + 2 * i + 1));
  }
  return hot;
}

// Returns the CPU time of a get, in microseconds.
absl::StatusOr<double> TimeHotGets(Region& region, const std::string& row) {
  Get get;
  get.row = row;
  CellBlock cells;
  const CpuStopwatch watch;
  for (int i = 0; i < kHotGets; ++i) {
    cells.Clear();
    VAQUITA_RETURN_IF_ERROR(region.Get(get, &cells));
    if (cells.size() != kHotColumns) return absl::InternalError(absl::StrCat(cells.size(), " cells in row ", row));
  }
  return watch.Seconds() * 1e6 / kHotGets;
}

// Reads until the maintenance has found that a flush is cheaper.
absl::Status ReadUntilFlushed(HotRegion& hot) {
  Maintenance maintenance(hot.db.get(), nullptr);
  maintenance.Add(hot.region);
  while (!hot.region->NeedsFlush()) VAQUITA_RETURN_IF_ERROR(TimeHotGets(*hot.region, "hot").status());
  maintenance.CheckNow();
  maintenance.WaitIdle();
  maintenance.Remove(hot.region);
  return absl::OkStatus();
}

absl::Status BenchHotRow(benchmark::State& state, const std::string& folder, Markers markers, Place place) {
  const ScratchFolder scratch(folder);
  VAQUITA_ASSIGN_OR_RETURN(const auto hot, MakeHotRegion(folder, markers, place));
  if (place == Place::kUpkept) VAQUITA_RETURN_IF_ERROR(ReadUntilFlushed(*hot));
  if (place == Place::kFile) VAQUITA_RETURN_IF_ERROR(hot->region->Flush());
  std::vector<double> once, often;
  for (auto _ : state) {
    for (int turn = 0; turn < kHotTurns; ++turn) {
      VAQUITA_ASSIGN_OR_RETURN(once.emplace_back(), TimeHotGets(*hot->region, "once"));
      VAQUITA_ASSIGN_OR_RETURN(often.emplace_back(), TimeHotGets(*hot->region, "hot"));
    }
  }
  state.counters["times"] = Median(often) / Median(once);
  state.SetLabel(absl::StrFormat("%.1f us, %.1f us written once", Median(often), Median(once)));
  return absl::OkStatus();
}

}  // namespace

void AddHotRows(Suite* suite) {
  const std::pair<Markers, const char*> kinds[] = {
      {Markers::kNone, "puts"}, {Markers::kColumn, "column_markers"}, {Markers::kFamily, "family_markers"}};
  const std::pair<Place, const char*> places[] = {
      {Place::kUpkept, "upkept"}, {Place::kMemstore, "memstore"}, {Place::kFile, "file"}};
  for (const auto& [place, where] : places) {
    for (const auto& [markers, kind] : kinds) {
      const std::string name = absl::StrCat("hot/", where, "_", kind);
      const std::string folder = absl::StrCat(suite->options().folder, "/hot");
      const auto bench = [=, markers = markers, place = place](benchmark::State& state) {
        return BenchHotRow(state, folder, markers, place);
      };
      suite->Add(name, bench)->Iterations(1)->Unit(benchmark::kMillisecond);
      const bool seeks = place == Place::kFile && markers == Markers::kNone;
      suite->Expect({absl::StrCat("row of 10 columns written 1,000 times: ", name.substr(4)), name, "times",
                     "times of once", Goal::Kind::kAtMost, seeks ? kMostTimesOfSeeks : kMostTimes});
    }
  }
}

}  // namespace vaquita::bench
