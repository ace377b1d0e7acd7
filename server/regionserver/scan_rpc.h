// server/regionserver/scan_rpc.h: runs one call of a scan: checks its sequence number, keeps its limits, and decides
// whether the scan is over.
//
// Source: RSRpcServices.scan (2.6).
#pragma once

#include "absl/status/statusor.h"
#include "model/operations.h"
#include "model/region_info.h"
#include "server/regionserver/open_scanners.h"
#include "server/regionserver/region_server.h"

namespace vaquita {

// Returns true if `scan` wants rows beyond `region` as well, in the direction that it reads.
bool GoesOnElsewhere(const Scan& scan, const RegionInfo& region);

// Runs `request` on the scanner that `call` has entered; closes it when the scan is over, after an error, or when the
// request says so. `may_stay`: the answer, if it is an error and the scanner would stay open.
absl::StatusOr<ScanResponse> RunScanRpc(OpenScanners::Call call, const ScanRequest& request,
                                        const absl::Status& may_stay, const Options& options, Clock* clock);

}  // namespace vaquita
