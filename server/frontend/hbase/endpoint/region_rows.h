// server/frontend/hbase/endpoint/region_rows.h: a region's rows one by one, as an endpoint's InternalScanner gives
// them.
//
// Threads: one at a time. Source: RegionScannerImpl.next (2.6).
#pragma once

#include <memory>

#include "absl/status/statusor.h"
#include "model/operations.h"
#include "region/region.h"

namespace vaquita::hbase {

class RegionRows {
 public:
  static absl::StatusOr<RegionRows> Open(Region& region, Scan scan, const CallContext& context) {
    // The region's scanner applies neither the limits of an answer nor those of the whole scan.
    scan.limit = scan.caching = -1;
    scan.max_result_bytes = -1;
    scan.allow_partial_results = false;
    VAQUITA_ASSIGN_OR_RETURN(std::unique_ptr<RegionScanner> scanner, region.NewScanner(scan, context));
    return RegionRows(std::move(scanner), context.watch);
  }

  // Reads the next row, or the part of it that the scan's batch allows, into cells(), which may stay empty. Returns
  // whether there may be more; as in HBase that is known only by looking: rows that the filter refuses may follow.
  absl::StatusOr<bool> Next() {
    batch_.Clear();
    return scanner_->Next({.max_results = 1, .watch = watch_}, &batch_);
  }
  const CellBlock& cells() const { return batch_.cells; }

 private:
  RegionRows(std::unique_ptr<RegionScanner> scanner, ReadWatch* watch) : scanner_(std::move(scanner)), watch_(watch) {}

  std::unique_ptr<RegionScanner> scanner_;
  ReadWatch* watch_;
  ResultBatch batch_;
};

}  // namespace vaquita::hbase
