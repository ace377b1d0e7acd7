// hbase:meta of 200,000 regions: a client's look-up, a listing of all regions in pages, and what the master reads at
// its start; the last two beside the same of 20,000 regions, which shows whether they are linear.
#include <functional>
#include <memory>
#include <random>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/status.h"
#include "bench/bench_data.h"
#include "bench/suite.h"
#include "region/region.h"
#include "server/master/meta/meta_table.h"

namespace vaquita::bench {
namespace {

constexpr int kFewMetaRegions = 20'000;
constexpr int kMetaRegions = 200'000;
constexpr int kRegionsOfTable = 4'000;
constexpr int kRegionsOfEdit = 1'000;
constexpr int kMetaPageRows = 100;
constexpr int kLookUps = 10'000;
constexpr double kMostLookUpUs = 100;
constexpr double kMostGrowth = 2;  // growth of the time for each region, at ten times as many

RegionInfo InfoOf(int region) {
  const int place = region % kRegionsOfTable;
  RegionInfo info;
  info.table.qualifier = absl::StrCat("t", region / kRegionsOfTable);
  if (place > 0) info.start_key = absl::StrFormat("%06d", place);
  if (place + 1 < kRegionsOfTable) info.end_key = absl::StrFormat("%06d", place + 1);
  info.id = 1'700'000'000'000;
  return info;
}

struct MetaSetup {
  Options options;
  std::unique_ptr<StoreDb> db;
  std::unique_ptr<MetaTable> meta;
};

absl::StatusOr<std::shared_ptr<MetaSetup>> MakeMeta(const std::string& folder, int regions) {
  auto setup = std::make_shared<MetaSetup>();
  VAQUITA_ASSIGN_OR_RETURN(
      setup->db, StoreDb::Open({folder, &setup->options, Clock::System()}, [](std::string_view) { return nullptr; }));
  VAQUITA_ASSIGN_OR_RETURN(auto region,
                           Region::OpenOrCreate(setup->db.get(), MetaTable::Info(), MetaTable::Descriptor()));
  VAQUITA_ASSIGN_OR_RETURN(setup->meta, MetaTable::Open(region, Clock::System()));
  for (int first = 0; first < regions; first += kRegionsOfEdit) {
    MetaEdit edit;
    edit.PutTableState(InfoOf(first).table, TableState::kEnabled);
    for (int i = first; i < first + kRegionsOfEdit; ++i) edit.PutRegion(InfoOf(i), RegionState::kOpen, "host,16020,1");
    VAQUITA_RETURN_IF_ERROR(setup->meta->Apply(std::move(edit)));
  }
  // Half in files, and half in memory, as a server has it that has run for a while.
  VAQUITA_RETURN_IF_ERROR(region->Flush());
  for (int first = 0; first < regions; first += 2 * kRegionsOfEdit) {
    MetaEdit edit;
    for (int i = first; i < first + kRegionsOfEdit; ++i) edit.PutRegion(InfoOf(i), RegionState::kOpen, "host,16020,2");
    VAQUITA_RETURN_IF_ERROR(setup->meta->Apply(std::move(edit)));
  }
  return setup;
}

// Looks the region of a row up as HBase's clients do: backwards from behind the row, one result.
absl::Status LookUp(Region& meta, const RegionInfo& wanted) {
  const std::string table = wanted.table.ToString();
  Scan scan;
  scan.columns["info"] = {};
  const std::string row = wanted.start_key.empty() ? "0" : wanted.start_key + "5";
  scan.rows = {absl::StrCat(table, ",", row, ",99999999999999"), table + ",,", true, true};
  scan.reversed = true;
  scan.limit = 1;
  VAQUITA_ASSIGN_OR_RETURN(const auto scanner, meta.NewScanner(scan));
  ResultBatch batch;
  VAQUITA_RETURN_IF_ERROR(scanner->Next({}, &batch).status());
  if (batch.results.size() == 1 && batch.cells[0].row == wanted.Name()) return absl::OkStatus();
  return absl::InternalError("hbase:meta has another region in the place of " + wanted.Name());
}

absl::Status BenchLookUp(benchmark::State& state, MetaSetup& setup) {
  std::mt19937_64 random(7);
  for (auto _ : state) VAQUITA_RETURN_IF_ERROR(LookUp(*setup.meta->region(), InfoOf(random() % kMetaRegions)));
  return absl::OkStatus();
}

// Reads meta in pages, each by a scan of its own that begins behind the last row.
absl::StatusOr<int> ReadInPages(Region& meta) {
  int rows = 0;
  Scan scan;
  scan.columns["info"] = {};
  scan.limit = kMetaPageRows;
  while (true) {
    VAQUITA_ASSIGN_OR_RETURN(const auto scanner, meta.NewScanner(scan));
    ResultBatch batch;
    for (bool more = true; more;) {
      VAQUITA_ASSIGN_OR_RETURN(more, scanner->Next({}, &batch));
    }
    if (batch.results.empty()) return rows;
    rows += static_cast<int>(batch.results.size());
    scan.rows.start = batch.cells[batch.results.back().first].row;
    scan.rows.start_inclusive = false;
  }
}

absl::StatusOr<int> ReadAtOnce(MetaTable& meta) {
  VAQUITA_ASSIGN_OR_RETURN(const MetaTable::Contents contents, meta.Load());
  return static_cast<int>(contents.regions.size());
}

using Reading = std::function<absl::StatusOr<int>(MetaSetup&)>;

// Returns the CPU time of one reading, in microseconds for each region.
absl::StatusOr<double> TimeReading(MetaSetup& setup, const Reading& read, int regions) {
  const CpuStopwatch watch;
  VAQUITA_ASSIGN_OR_RETURN(const int found, read(setup));
  if (found != regions) return absl::InternalError(absl::StrCat("read ", found, " regions of ", regions));
  return watch.Seconds() * 1e6 / regions;
}

absl::Status BenchReading(benchmark::State& state, MetaSetup& many, const std::string& folder, const Reading& read) {
  VAQUITA_ASSIGN_OR_RETURN(const auto few, MakeMeta(folder, kFewMetaRegions));
  double of_few = 0, of_many = 0;
  for (auto _ : state) {
    VAQUITA_ASSIGN_OR_RETURN(of_few, TimeReading(*few, read, kFewMetaRegions));
    VAQUITA_ASSIGN_OR_RETURN(of_many, TimeReading(many, read, kMetaRegions));
  }
  state.counters["growth"] = of_many / of_few;
  state.SetLabel(absl::StrFormat("%.1f us a region, %.1f at 20,000", of_many, of_few));
  return absl::OkStatus();
}

}  // namespace

void AddMeta(Suite* suite) {
  const std::string folder = suite->options().folder;
  const auto many = [=] { return suite->Shared<MetaSetup>([=] { return MakeMeta(folder + "/meta", kMetaRegions); }); };
  suite
      ->Add("meta/look_up",
            [=](benchmark::State& state) -> absl::Status {
              VAQUITA_ASSIGN_OR_RETURN(const auto setup, many());
              return BenchLookUp(state, *setup);
            })
      ->Iterations(kLookUps);
  suite->Expect({"hbase:meta of 200,000 regions: a look-up", "meta/look_up", kCpuTime, "ns", Goal::Kind::kAtMost,
                 1000 * kMostLookUpUs});
  const auto add = [&](const std::string& name, const std::string& what, const Reading& read) {
    suite
        ->Add(name,
              [=](benchmark::State& state) -> absl::Status {
                VAQUITA_ASSIGN_OR_RETURN(const auto setup, many());
                return BenchReading(state, *setup, folder + "/few_" + name.substr(name.find('/') + 1), read);
              })
        ->Iterations(3)
        ->Unit(benchmark::kMillisecond);
    suite->Expect({what, name, "growth", "times of 20,000", Goal::Kind::kAtMost, kMostGrowth});
  };
  add("meta/pages", "  pages of 100 rows: a region's CPU time",
      [](MetaSetup& setup) { return ReadInPages(*setup.meta->region()); });
  add("meta/load", "  the master's reading: a region's CPU time",
      [](MetaSetup& setup) { return ReadAtOnce(*setup.meta); });
}

}  // namespace vaquita::bench
