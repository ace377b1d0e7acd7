// RegionScanner: a RowScan of a region.
#include <algorithm>
#include <utility>

#include "base/status.h"
#include "region/region.h"
#include "region/row_scan.h"

namespace vaquita {

RegionScanner::RegionScanner(std::shared_ptr<Region> region, std::unique_ptr<RowScan> rows)
    : region_(std::move(region)), rows_(std::move(rows)) {}

RegionScanner::~RegionScanner() = default;

absl::StatusOr<bool> RegionScanner::Next(const ScanLimits& limits, ResultBatch* batch) {
  if (region_->closed()) return region_->NotServing();
  const size_t results_before = batch->results.size();
  VAQUITA_ASSIGN_OR_RETURN(const bool more, rows_->Next(limits, batch));
  // As HBase counts: one for each result, and one for an answer without any.
  const int64_t results = static_cast<int64_t>(batch->results.size() - results_before);
  region_->CountReads(std::max<int64_t>(results, 1), rows_->progress().rows_filtered);
  return more;
}

bool RegionScanner::filter_finished() const { return rows_->filter_finished(); }

const ScanProgress& RegionScanner::progress() const { return rows_->progress(); }

}  // namespace vaquita
