#include "server/master/meta/scan_all.h"

#include <limits>

#include "base/status.h"

namespace vaquita {

absl::StatusOr<ResultBatch> ScanAll(Region& region, const Scan& scan) {
  VAQUITA_ASSIGN_OR_RETURN(std::unique_ptr<RegionScanner> scanner, region.NewScanner(scan));
  ResultBatch all;
  for (bool more = true; more;) {
    VAQUITA_ASSIGN_OR_RETURN(more, scanner->Next(ScanLimits{}, &all));
  }
  return all;
}

absl::Status ObserveAll(Region& region, MonotonicTimestamps* clock) {
  constexpr ScanLimits kPart{.max_bytes = int64_t{1} << 20};
  Scan scan;
  scan.raw = true;
  scan.max_versions = std::numeric_limits<int32_t>::max();
  VAQUITA_ASSIGN_OR_RETURN(std::unique_ptr<RegionScanner> scanner, region.NewScanner(scan));
  ResultBatch part;
  for (bool more = true; more; part.Clear()) {
    VAQUITA_ASSIGN_OR_RETURN(more, scanner->Next(kPart, &part));
    for (size_t i = 0; i < part.cells.size(); ++i) clock->Observe(part.cells[i].timestamp_ms);
  }
  return absl::OkStatus();
}

}  // namespace vaquita
