// region/region_scanner.h: a RowScan of a region: it stops when the region closes, and counts the region's reads.
#pragma once

#include <memory>

#include "region/region.h"
#include "region/row_scan.h"

namespace vaquita {

class RegionScannerImpl final : public RegionScanner {
 public:
  RegionScannerImpl(std::shared_ptr<Region> region, std::unique_ptr<RowScan> rows);
  absl::StatusOr<bool> Next(const ScanLimits& limits, ResultBatch* batch) override;
  bool filter_finished() const override { return rows_->filter_finished(); }
  const ScanProgress& progress() const override { return rows_->progress(); }

 private:
  std::shared_ptr<Region> region_;
  std::unique_ptr<RowScan> rows_;
};

}  // namespace vaquita
