// server/master/meta/scan_all.h: reads all cells of a region, for the master's own small regions.
#pragma once

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "model/operations.h"
#include "region/region.h"
#include "server/master/meta/monotonic_timestamps.h"

namespace vaquita {

absl::StatusOr<ResultBatch> ScanAll(Region& region, const Scan& scan);
// Returns the scan of all cells that are still there: former and deleted ones and delete markers, too.
Scan HistoryScan();

// Makes `clock` give times after all cells of the region, delete markers included, which other scans leave out.
absl::Status ObserveAll(Region& region, MonotonicTimestamps* clock);

}  // namespace vaquita
