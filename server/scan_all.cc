#include "server/scan_all.h"

#include "engine/status.h"

namespace vaquita {

absl::StatusOr<ResultBatch> ScanAll(Region& region, const Scan& scan) {
  VAQUITA_ASSIGN_OR_RETURN(std::unique_ptr<RegionScanner> scanner, region.NewScanner(scan));
  ResultBatch all;
  for (bool more = true; more;) {
    VAQUITA_ASSIGN_OR_RETURN(more, scanner->Next(ScanLimits{}, &all));
  }
  return all;
}

}  // namespace vaquita
