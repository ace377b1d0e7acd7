// server/scan_all.h: everything a scan of one region gives, in memory: for the master's own small regions.
#pragma once

#include "absl/status/statusor.h"
#include "region/operations.h"
#include "region/region.h"

namespace vaquita {

absl::StatusOr<ResultBatch> ScanAll(Region& region, const Scan& scan);

}  // namespace vaquita
