#include "server/master/meta/scan_all.h"

#include <limits>
#include <string>

#include "base/log.h"
#include "base/status.h"
#include "model/encoded_names.h"

namespace vaquita {

absl::StatusOr<ResultBatch> ScanAll(Region& region, const Scan& scan) {
  VAQUITA_ASSIGN_OR_RETURN(std::unique_ptr<RegionScanner> scanner, region.NewScanner(scan));
  ResultBatch all;
  for (bool more = true; more;) {
    VAQUITA_ASSIGN_OR_RETURN(more, scanner->Next(ScanLimits{}, &all));
  }
  return all;
}

Scan HistoryScan() {
  Scan scan;
  scan.raw = true;
  scan.max_versions = std::numeric_limits<int32_t>::max();
  return scan;
}

absl::Status ObserveAll(Region& region, MonotonicTimestamps* clock) {
  constexpr int64_t kDayMs = int64_t{24} * 60 * 60 * 1000;
  const std::string table = region.info().table.ToString();
  constexpr ScanLimits kPart{.max_bytes = int64_t{1} << 20};
  VAQUITA_ASSIGN_OR_RETURN(std::unique_ptr<RegionScanner> scanner, region.NewScanner(HistoryScan()));
  ResultBatch part;
  for (bool more = true; more; part.Clear()) {
    VAQUITA_ASSIGN_OR_RETURN(more, scanner->Next(kPart, &part));
    for (size_t i = 0; i < part.cells.size(); ++i) {
      const CellView cell = part.cells[i];
      if (clock->Observe(cell.timestamp_ms)) continue;
      spdlog::error(
          "{} row {}, column {}:{} has a timestamp that no clock has shown yet, {}: it hides what the master "
          "writes there",
          table, ToStringBinary(cell.row), ToStringBinary(cell.family), ToStringBinary(cell.qualifier),
          cell.timestamp_ms);
    }
  }
  if (const int64_t ahead_ms = clock->AheadMs(); ahead_ms > kDayMs) {
    spdlog::warn(
        "{} has a cell that is {} ms ahead of the clock: the master's edits come after it, and clients that "
        "read what was written before now do not find them",
        table, ahead_ms);
  }
  return absl::OkStatus();
}

}  // namespace vaquita
