#include "tools/workshop/table_facts.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <numeric>
#include <thread>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "client/admin.h"
#include "client/table.h"

namespace vaquita::workshop {

size_t TableFacts::rows() const {
  size_t count = 0;
  for (size_t i = 0; i < cells.size(); ++i) count += i == 0 || cells[i].row != cells[i - 1].row;
  return count;
}

std::vector<int64_t> TableFacts::CellsOfRegions() const {
  std::vector<int64_t> counts(regions.size());
  for (const FactsOfCell& cell : cells) ++counts[cell.region];
  return counts;
}

double HottestShare(const std::vector<int64_t>& counts) {
  const int64_t total = std::accumulate(counts.begin(), counts.end(), int64_t{0});
  if (total == 0) return 0;
  const int64_t most = *std::max_element(counts.begin(), counts.end());
  return static_cast<double>(most) * static_cast<double>(counts.size()) / static_cast<double>(total);
}

double HottestAtATime(const TableFacts& facts, size_t slices) {
  std::vector<const FactsOfCell*> in_time;
  for (const FactsOfCell& cell : facts.cells) in_time.push_back(&cell);
  std::stable_sort(in_time.begin(), in_time.end(),
                   [](const FactsOfCell* a, const FactsOfCell* b) { return a->time_ms < b->time_ms; });
  double sum = 0;
  for (size_t slice = 0; slice < slices; ++slice) {
    std::vector<int64_t> counts(facts.regions.size());
    for (size_t i = in_time.size() * slice / slices; i < in_time.size() * (slice + 1) / slices; ++i) {
      ++counts[in_time[i]->region];
    }
    sum += HottestShare(counts);
  }
  return sum / static_cast<double>(slices);
}

namespace {

// Servers report what they serve after a moment. Waits for that, unless regions are served nowhere.
absl::StatusOr<std::vector<RegionMetrics>> ReportedRegions(client::Admin* admin, const TableName& table) {
  constexpr std::chrono::seconds kPatience{5};
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (true) {
    VAQUITA_ASSIGN_OR_RETURN(const auto regions, admin->GetRegions(table));
    VAQUITA_ASSIGN_OR_RETURN(auto reported, admin->GetRegionMetrics(table));
    if (reported.size() >= regions.size() || std::chrono::steady_clock::now() >= end) return reported;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
}

}  // namespace

absl::StatusOr<TableFacts> ReadTable(client::Connection* connection, const std::string& name, bool raw,
                                     const TableBounds& most) {
  const auto admin = connection->GetAdmin();
  VAQUITA_ASSIGN_OR_RETURN(const TableName table_name, TableName::Parse(name));
  VAQUITA_ASSIGN_OR_RETURN(const bool exists, admin->TableExists(table_name));
  if (!exists) return absl::FailedPreconditionError(absl::StrCat("there is no table '", name, "'"));
  TableFacts facts{.name = name};
  VAQUITA_ASSIGN_OR_RETURN(facts.descriptor, admin->GetDescriptor(table_name));
  VAQUITA_ASSIGN_OR_RETURN(facts.regions, ReportedRegions(admin.get(), table_name));
  std::sort(facts.regions.begin(), facts.regions.end(),
            [](const RegionMetrics& a, const RegionMetrics& b) { return a.info.start_key < b.info.start_key; });
  Scan scan;
  scan.raw = raw;
  if (raw) scan.max_versions = std::numeric_limits<int32_t>::max();
  VAQUITA_ASSIGN_OR_RETURN(const auto scanner, connection->GetTable(table_name)->GetScanner(scan));
  size_t region = 0;
  size_t bytes = 0;
  while (true) {
    VAQUITA_ASSIGN_OR_RETURN(const auto result, scanner->Next());
    if (!result.has_value()) break;
    for (const Cell& cell : result->cells) {
      while (region + 1 < facts.regions.size() && facts.regions[region + 1].info.start_key <= cell.row) ++region;
      facts.cells.push_back({.row = std::string(cell.row),
                             .column = std::string(cell.family) + ":" + std::string(cell.qualifier),
                             .value = std::string(cell.value),
                             .time_ms = cell.timestamp_ms,
                             .region = region});
      bytes += cell.row.size() + cell.family.size() + cell.qualifier.size() + cell.value.size();
      if (facts.cells.size() > most.cells || bytes > most.bytes) {
        return absl::FailedPreconditionError(absl::StrCat("table '", name, "' is too large to check: it has more than ",
                                                          most.cells, " cells or ", most.bytes, " bytes"));
      }
    }
  }
  return facts;
}

}  // namespace vaquita::workshop
