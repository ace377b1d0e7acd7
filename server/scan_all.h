// server/scan_all.h: everything that one region has: for the master's own small regions.
#pragma once

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "region/operations.h"
#include "region/region.h"
#include "server/edit_clock.h"

namespace vaquita {

absl::StatusOr<ResultBatch> ScanAll(Region& region, const Scan& scan);

// Has `clock` give times after all that the region holds, also after its delete markers, which other scans do not give.
absl::Status ObserveAll(Region& region, EditClock* clock);

}  // namespace vaquita
