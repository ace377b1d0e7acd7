#include "region/read_plan.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "model/request_check.h"
#include "region/row_scan.h"

namespace vaquita {
namespace {

// Completes `options`, which have what all stores share, for the store of `family`.
StoreScanOptions ForFamily(StoreScanOptions options, const std::string& family,
                           const std::vector<std::string>& qualifiers, const ReadOptions& read) {
  options.query.max_versions = read.max_versions;
  options.query.time_range = read.time_range;
  if (const auto own = read.family_time_ranges.find(family); own != read.family_time_ranges.end()) {
    options.query.time_range = own->second;
  }
  auto& asked = options.query.qualifiers;
  asked = qualifiers;
  if (asked.size() > 1) {
    std::sort(asked.begin(), asked.end());
    asked.erase(std::unique(asked.begin(), asked.end()), asked.end());
  }
  return options;
}

// A get with a filter is a scan of one row, so that the filter is asked in the same order.
absl::Status ReadFilteredRow(const StoreDb& db, const RegionLayout& layout, std::string_view row,
                             const ReadOptions& read, ReadWatch* watch, CellBlock* cells) {
  Scan scan;
  static_cast<ReadOptions&>(scan) = read;
  scan.rows = RowRange{std::string(row), std::string(row), true, true};
  VAQUITA_ASSIGN_OR_RETURN(auto rows, RowScan::Open(db, layout, scan));
  ResultBatch batch;
  if (cells->carries_ttls()) batch.cells.CarryTtls();
  VAQUITA_RETURN_IF_ERROR(rows->Next({.watch = watch}, &batch).status());
  for (size_t i = 0; i < batch.cells.size(); ++i) cells->AppendFrom(batch.cells, i);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<ReadPlan> PlanRead(const RegionLayout& layout, const ReadOptions& read, StoreScanOptions common) {
  VAQUITA_RETURN_IF_ERROR(CheckTimeRanges(read));
  static const std::vector<std::string> kEveryQualifier;
  ReadPlan plan;
  // The last store takes `common` itself: a get of one family copies nothing.
  const auto add = [&](const std::string& family, const std::vector<std::string>& qualifiers, bool last) {
    plan.options.push_back(ForFamily(last ? std::move(common) : common, family, qualifiers, read));
  };
  if (read.columns.empty()) {
    plan.stores = layout.stores;
    plan.options.reserve(layout.stores.size());
    for (const std::string& family : layout.families) add(family, kEveryQualifier, &family == &layout.families.back());
    return plan;
  }
  plan.chosen.reserve(read.columns.size());
  plan.options.reserve(read.columns.size());
  for (const auto& [family, qualifiers] : read.columns) {
    const int place = layout.Find(family);
    if (place < 0) return NoSuchFamily(layout, family);
    if (common.query.raw && !qualifiers.empty()) {
      return Error(ErrorKind::kDoNotRetryIO, "Cannot specify any column for a raw scan");
    }
    plan.chosen.push_back(layout.stores[place]);
    add(family, qualifiers, plan.chosen.size() == read.columns.size());
  }
  plan.stores = plan.chosen;
  return plan;
}

std::optional<RowRange> ClipRows(const RowRange& asked, bool reversed, const RegionInfo& region) {
  // Rows have at most kMaxRowLength bytes. A longer bound may have any length, so the row of its first bytes stands for
  // it: no row lies between the two.
  RowRange rows{asked.start.substr(0, kMaxRowLength), asked.stop.substr(0, kMaxRowLength), asked.start_inclusive,
                asked.stop_inclusive};
  if (asked.start.size() > kMaxRowLength) rows.start_inclusive = reversed;
  if (asked.stop.size() > kMaxRowLength) rows.stop_inclusive = !reversed;
  // The end of the region is exclusive, its start inclusive; `rows` has its first-read end first.
  std::string& low = reversed ? rows.stop : rows.start;
  bool& low_inclusive = reversed ? rows.stop_inclusive : rows.start_inclusive;
  std::string& high = reversed ? rows.start : rows.stop;
  bool& high_inclusive = reversed ? rows.start_inclusive : rows.stop_inclusive;
  if (low < region.start_key || low.empty()) {
    low = region.start_key;
    low_inclusive = true;
  }
  if (!region.end_key.empty() && (high.empty() || high >= region.end_key)) {
    high = region.end_key;
    high_inclusive = false;
  }
  const int order = high.empty() ? -1 : CompareRows(RowOrderOf(region.table), low, high);
  if (order > 0 || (order == 0 && !(low_inclusive && high_inclusive))) return std::nullopt;
  return rows;
}

absl::Status VisitRow(const StoreDb& db, const RegionLayout& layout, std::string_view row, const ReadOptions& read,
                      ReadWatch* watch, absl::FunctionRef<bool(const CellView&)> visit) {
  StoreScanOptions common;
  common.now_ms = db.clock()->NowMs();
  ReadStop stop(db.clock());
  stop.Begin(-1, /*inside_rows=*/false, watch);
  common.stop = &stop;
  VAQUITA_ASSIGN_OR_RETURN(ReadPlan plan, PlanRead(layout, read, std::move(common)));
  ScannerGroup scanners;
  StoreDb::IteratorBounds bounds = BoundsOfRow(RowOrderOf(layout.info.table), row);
  bounds.cache_blocks = read.cache_blocks;
  VAQUITA_RETURN_IF_ERROR(scanners.Open(db, plan.stores, std::move(bounds), std::move(plan.options)));
  for (size_t i = 0; i < scanners.size(); ++i) {
    if (!scanners[i].Valid()) continue;
    StoreCells store(&scanners[i], read.store_limit, read.store_offset);
    for (CellView cell; store.Next(&cell);) {
      if (!visit(cell)) return absl::OkStatus();
    }
  }
  VAQUITA_RETURN_IF_ERROR(stop.status());
  return scanners.status();
}

absl::Status ReadRow(const StoreDb& db, const RegionLayout& layout, std::string_view row, const ReadOptions& read,
                     bool existence_only, ReadWatch* watch, CellBlock* cells) {
  if (read.filter.has_value()) return ReadFilteredRow(db, layout, row, read, watch, cells);
  const auto most_bytes = static_cast<size_t>(db.options().max_row_bytes);
  const size_t end = cells->bytes().size() + most_bytes;
  VAQUITA_RETURN_IF_ERROR(VisitRow(db, layout, row, read, watch, [&](const CellView& cell) {
    cells->Append(cell);
    return !existence_only && cells->bytes().size() <= end;
  }));
  return cells->bytes().size() > end ? RowTooBig(most_bytes) : absl::OkStatus();
}

absl::Status RowTooBig(size_t most_bytes) {
  return Error(
      ErrorKind::kRowTooBig,
      absl::StrCat("Max row size allowed: ", most_bytes,
                   ", but the row is bigger than that (hbase.table.max.rowsize); a scan with batches reads it"));
}

}  // namespace vaquita
