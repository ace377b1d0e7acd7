// server/master/meta/scan_all.h: everything that one region has: for the master's own small regions.
#pragma once

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "model/operations.h"
#include "region/region.h"
#include "server/master/meta/monotonic_timestamps.h"

namespace vaquita {

absl::StatusOr<ResultBatch> ScanAll(Region& region, const Scan& scan);

// Has `clock` give times after all that the region holds, also after its delete markers, which other scans do not give.
absl::Status ObserveAll(Region& region, MonotonicTimestamps* clock);

}  // namespace vaquita
