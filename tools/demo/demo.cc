#include "tools/demo/demo.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <random>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/absl_text.h"
#include "base/status.h"
#include "client/admin.h"
#include "client/connection.h"
#include "client/table.h"
#include "tools/connection/open_for_tool.h"
#include "tools/demo/flights.h"
#include "tools/demo/load_watch.h"

namespace vaquita::demo {
namespace {

using Key = std::function<std::string(const Flight&)>;
constexpr int64_t kWatchIntervalMs = 200;
constexpr size_t kSampleRows = 1000;

// The state of the demonstration.
struct Stage {
  const Flights& flights;
  std::shared_ptr<client::Connection> connection;
  std::unique_ptr<client::Admin> admin;
};

class Stopwatch {
 public:
  double Seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

absl::Status Expect(std::string_view what, int64_t is, int64_t should_be) {
  if (is == should_be) return absl::OkStatus();
  return absl::InternalError(absl::StrCat(AbslText(what), " is ", is, " and should be ", should_be));
}

absl::StatusOr<std::vector<RegionMetrics>> RegionsOf(Stage& stage, const TableName& table) {
  VAQUITA_ASSIGN_OR_RETURN(std::vector<RegionMetrics> regions, stage.admin->GetRegionMetrics(table));
  std::sort(regions.begin(), regions.end(),
            [](const RegionMetrics& a, const RegionMetrics& b) { return a.info.start_key < b.info.start_key; });
  return regions;
}

absl::Status CreateTable(Stage& stage, const TableName& name, const std::vector<std::string>& splits) {
  VAQUITA_ASSIGN_OR_RETURN(bool exists, stage.admin->TableExists(name));
  if (exists) {
    VAQUITA_ASSIGN_OR_RETURN(TableState state, stage.admin->GetTableState(name));
    if (state == TableState::kEnabled) VAQUITA_RETURN_IF_ERROR(stage.admin->DisableTable(name));
    VAQUITA_RETURN_IF_ERROR(stage.admin->DeleteTable(name));
  }
  TableDescriptor table;
  table.name = name;
  table.families[std::string(kFamily)].name = kFamily;
  return stage.admin->CreateTable(table, splits);
}

absl::Status Load(Stage& stage, const TableName& name, const Key& key) {
  Stopwatch watch;
  LoadWatch load(stage.admin.get(), name, kWatchIntervalMs);
  std::unique_ptr<client::BufferedMutator> mutator = stage.connection->GetBufferedMutator(name, {});
  for (const Flight& flight : stage.flights.rows) VAQUITA_RETURN_IF_ERROR(mutator->Mutate(PutOf(flight, key(flight))));
  VAQUITA_RETURN_IF_ERROR(mutator->Close());
  const double seconds = watch.Seconds();
  load.Stop();
  VAQUITA_RETURN_IF_ERROR(load.status());
  absl::PrintF("  %d rows, %d cells in %.1f s: %.0f rows/s\n", stage.flights.rows.size(), stage.flights.cells, seconds,
               stage.flights.rows.size() / seconds);
  absl::PrintF("  Where the writes went, one column per %d ms:\n%s", kWatchIntervalMs, load.Picture());
  absl::PrintF("  Share of the hottest region at a time, on average: %.0f%%\n", 100 * load.HottestShare());
  return absl::OkStatus();
}

// Counts what a scan gives, region by region.
class ScanCount {
 public:
  explicit ScanCount(const std::vector<RegionMetrics>& regions) : regions_(regions), rows_(regions.size(), 0) {}

  absl::Status Add(const client::Result& result) {
    const std::string& row = result.cells.front().row;
    if (row <= last_row_) return absl::InternalError(absl::StrCat("row ", row, " came after row ", last_row_));
    last_row_ = row;
    while (region_ < regions_.size() && !regions_[region_].info.ContainsRow(row)) ++region_;
    if (region_ == regions_.size()) return absl::InternalError(absl::StrCat("row ", row, " is in no region"));
    ++rows_[region_];
    ++total_rows_;
    cells_ += result.cells.size();
    return absl::OkStatus();
  }
  const std::vector<int64_t>& rows() const { return rows_; }  // by region
  int64_t total_rows() const { return total_rows_; }
  int64_t cells() const { return cells_; }

 private:
  const std::vector<RegionMetrics>& regions_;  // in key order
  std::vector<int64_t> rows_;
  size_t region_ = 0;
  int64_t total_rows_ = 0;
  int64_t cells_ = 0;
  std::string last_row_;
};

// Reads every cell of the table; the rows of each region, in key order.
absl::StatusOr<std::vector<int64_t>> FullScan(Stage& stage, const TableName& name,
                                              const std::vector<RegionMetrics>& regions) {
  Stopwatch watch;
  VAQUITA_ASSIGN_OR_RETURN(std::unique_ptr<client::ResultScanner> scanner,
                           stage.connection->GetTable(name)->GetScanner(Scan()));
  ScanCount count(regions);
  while (true) {
    VAQUITA_ASSIGN_OR_RETURN(const std::optional<client::Result> result, scanner->Next());
    if (!result) break;
    VAQUITA_RETURN_IF_ERROR(count.Add(*result));
  }
  VAQUITA_RETURN_IF_ERROR(Expect("the number of rows in a full scan", count.total_rows(), stage.flights.rows.size()));
  VAQUITA_RETURN_IF_ERROR(Expect("the number of cells in a full scan", count.cells(), stage.flights.cells));
  absl::PrintF("  Full scan: %d rows, %d cells, as in the file (%.1f s)\n", count.total_rows(), count.cells(),
               watch.Seconds());
  return count.rows();
}

absl::Status CheckRow(client::Table* table, const Flight& flight, const std::string& row) {
  Get get;
  get.row = row;
  VAQUITA_ASSIGN_OR_RETURN(client::Result result, table->Get(get));
  VAQUITA_RETURN_IF_ERROR(
      Expect(absl::StrCat("the number of cells of row ", row), result.cells.size(), flight.fields.size()));
  for (const auto& [name, value] : flight.fields) {
    const std::string* got = result.Value(kFamily, name);
    if (got == nullptr || *got != value) {
      return absl::InternalError(absl::StrCat("row ", row, ", ", AbslText(name), " is ", got ? *got : "missing",
                                              " and should be ", AbslText(value)));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckSampleRows(Stage& stage, const TableName& name, const Key& key) {
  std::unique_ptr<client::Table> table = stage.connection->GetTable(name);
  std::mt19937 random(2013);
  const size_t samples = std::min(kSampleRows, stage.flights.rows.size());
  for (size_t i = 0; i < samples; ++i) {
    const Flight& flight = stage.flights.rows[random() % stage.flights.rows.size()];
    VAQUITA_RETURN_IF_ERROR(CheckRow(table.get(), flight, key(flight)));
  }
  absl::PrintF("  %d random rows read by get: every field as in the file\n", samples);
  return absl::OkStatus();
}

void PrintRegions(const std::vector<RegionMetrics>& regions, const std::vector<int64_t>& rows) {
  absl::PrintF("  %-30s %9s %9s %6s %10s %10s\n", "region from", "writes", "rows", "files", "files KB", "memory KB");
  for (size_t i = 0; i < regions.size(); ++i) {
    const RegionMetrics& r = regions[i];
    absl::PrintF("  %-30s %9d %9d %6d %10d %10d\n",
                 r.info.start_key.empty() ? "(first row)" : ToStringBinary(r.info.start_key), r.write_requests, rows[i],
                 r.store_files, r.store_file_bytes / 1024, r.memstore_bytes / 1024);
  }
}

// Checks all rows, and prints the regions.
absl::Status CheckAll(Stage& stage, const TableName& name, const Key& key) {
  VAQUITA_ASSIGN_OR_RETURN(std::vector<RegionMetrics> regions, RegionsOf(stage, name));
  VAQUITA_ASSIGN_OR_RETURN(std::vector<int64_t> rows, FullScan(stage, name, regions));
  VAQUITA_RETURN_IF_ERROR(CheckSampleRows(stage, name, key));
  PrintRegions(regions, rows);
  return absl::OkStatus();
}

absl::Status Flush(Stage& stage, const TableName& name) {
  Stopwatch watch;
  VAQUITA_RETURN_IF_ERROR(stage.admin->Flush(name));
  VAQUITA_ASSIGN_OR_RETURN(std::vector<RegionMetrics> regions, RegionsOf(stage, name));
  for (const RegionMetrics& region : regions) {
    for (const RegionMetrics::NamedStore& store : region.stores) {
      VAQUITA_RETURN_IF_ERROR(
          Expect("the number of cells in a memstore after its flush", store.metrics.memstore_cells, 0));
    }
  }
  absl::PrintF("  Flush: every memstore is in store files (%.1f s)\n", watch.Seconds());
  return absl::OkStatus();
}

absl::Status MajorCompact(Stage& stage, const TableName& name) {
  Stopwatch watch;
  VAQUITA_RETURN_IF_ERROR(stage.admin->Compact(name, "", true));
  VAQUITA_ASSIGN_OR_RETURN(std::vector<RegionMetrics> regions, RegionsOf(stage, name));
  for (const RegionMetrics& region : regions) {
    if (region.store_files > 1)
      return Expect("the number of store files after a major compaction", region.store_files, 1);
  }
  absl::PrintF("  Major compaction: at most one store file a region (%.1f s)\n", watch.Seconds());
  return absl::OkStatus();
}

// Splits the largest region at its midkey.
absl::Status Split(Stage& stage, const TableName& name) {
  VAQUITA_ASSIGN_OR_RETURN(std::vector<RegionMetrics> before, RegionsOf(stage, name));
  if (before.empty()) return absl::InternalError("no server reports a region of the table before a split");
  const RegionInfo parent =
      std::max_element(before.begin(), before.end(), [](const RegionMetrics& a, const RegionMetrics& b) {
        return a.store_file_bytes < b.store_file_bytes;
      })->info;
  Stopwatch watch;
  VAQUITA_RETURN_IF_ERROR(stage.admin->SplitRegion(parent.EncodedName(), ""));
  const double seconds = watch.Seconds();
  VAQUITA_ASSIGN_OR_RETURN(std::vector<RegionMetrics> after, RegionsOf(stage, name));
  VAQUITA_RETURN_IF_ERROR(Expect("the number of regions after a split", after.size(), before.size() + 1));
  const auto lower = std::find_if(after.begin(), after.end(),
                                  [&](const RegionMetrics& r) { return r.info.start_key == parent.start_key; });
  if (lower == after.end()) return absl::InternalError("no server reports the lower region after a split");
  absl::PrintF("  Split of the region from %s at its midkey %s (%.0f ms)\n",
               parent.start_key.empty() ? "(first row)" : ToStringBinary(parent.start_key),
               ToStringBinary(lower->info.end_key), 1000 * seconds);
  return absl::OkStatus();
}

absl::Status Act(Stage& stage, std::string_view table, std::string_view title, const std::vector<std::string>& splits,
                 const Key& key) {
  absl::PrintF("\n%s: %s\n", table, title);
  VAQUITA_ASSIGN_OR_RETURN(const TableName name, TableName::Parse(table));
  VAQUITA_RETURN_IF_ERROR(CreateTable(stage, name, splits));
  VAQUITA_RETURN_IF_ERROR(Load(stage, name, key));
  VAQUITA_RETURN_IF_ERROR(CheckAll(stage, name, key));
  VAQUITA_RETURN_IF_ERROR(Flush(stage, name));
  VAQUITA_RETURN_IF_ERROR(MajorCompact(stage, name));
  VAQUITA_RETURN_IF_ERROR(Split(stage, name));
  return CheckAll(stage, name, key);
}

}  // namespace

absl::Status RunDemo(const DemoOptions& options) {
  VAQUITA_ASSIGN_OR_RETURN(const Flights flights, ReadFlights(options.flights_path));
  if (options.expected_rows >= 0) {
    VAQUITA_RETURN_IF_ERROR(Expect("the number of flights in the file", flights.rows.size(), options.expected_rows));
  }
  Stage stage{flights, nullptr, nullptr};
  VAQUITA_ASSIGN_OR_RETURN(stage.connection, OpenForTool(options.address));
  stage.admin = stage.connection->GetAdmin();
  Stopwatch watch;
  VAQUITA_RETURN_IF_ERROR(Annotate(Act(stage, "flights_by_time", "keyed by departure time; 8 regions, cut by year",
                                       {"2007", "2008", "2009", "2010", "2011", "2012", "2013"}, TimeKey),
                                   "flights_by_time"));
  VAQUITA_RETURN_IF_ERROR(
      Annotate(Act(stage, "flights_by_hash", "the same key behind a hashed byte; 8 regions, one a bucket",
                   {"1", "2", "3", "4", "5", "6", "7"}, HashedKey),
               "flights_by_hash"));
  absl::PrintF("\nAll figures are right. %.1f s\n", watch.Seconds());
  return absl::OkStatus();
}

}  // namespace vaquita::demo
