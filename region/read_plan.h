// region/read_plan.h: plans which stores a read touches, and with which options.
//
// Source: RegionScannerImpl.initializeScanners, StoreScanner's constructor (2.6).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/scanner_group.h"
#include "model/operations.h"
#include "region/region_layout.h"

namespace vaquita {

struct ReadPlan {
  // The stores in the order of their families: all of the layout's, or those of `chosen`.
  std::span<const std::shared_ptr<Store>> stores;
  std::vector<StoreScanOptions> options;  // each store's
  std::vector<std::shared_ptr<Store>> chosen;
};

// Plans `read`. `common` has the options that all stores share: rows, direction, raw, filter, time. Returns
// kNoSuchColumnFamily if the region does not have a family. The layout outlives the plan.
absl::StatusOr<ReadPlan> PlanRead(const RegionLayout& layout, const ReadOptions& read, StoreScanOptions common);

// Returns the rows of `asked` that lie in `region`, in the same direction; nullopt if none do. Its bounds are no longer
// than rows are, whatever was asked. REQUIRES: CheckScanRows for a region whose rows come in another order than bytes.
std::optional<RowRange> ClipRows(const RowRange& asked, bool reversed, const RegionInfo& region);

// Reads the cells of one row of one store, after the offset and within the limit of `read` (StoreScanner.next).
class StoreCells {
 public:
  StoreCells(StoreScanner* store, int32_t limit, int32_t offset) : store_(store), limit_(limit), offset_(offset) {}

  bool Next(CellView* cell) {
    while (!AtLimit() && store_->NextCell(cell)) {
      if (++count_ > offset_) return true;
    }
    return false;
  }

 private:
  // As in HBase, the limit is checked after a cell, so a limit of 0 lets one through.
  bool AtLimit() const { return limit_ >= 0 && count_ > offset_ && count_ >= int64_t{limit_} + offset_; }

  StoreScanner* store_;
  int32_t limit_;
  int32_t offset_;
  int64_t count_ = 0;
};

// Shows the visible cells of `row` to `visit`, until it returns false. REQUIRES: no filter. `watch`: as ReadRow's.
absl::Status VisitRow(const StoreDb& db, const RegionLayout& layout, std::string_view row, const ReadOptions& read,
                      ReadWatch* watch, absl::FunctionRef<bool(const CellView&)> visit);

// Appends the visible cells of `row` that the filter passes to `*cells`; just the first one if `existence_only`.
// `watch` (may be null) may end it with an error.
absl::Status ReadRow(const StoreDb& db, const RegionLayout& layout, std::string_view row, const ReadOptions& read,
                     bool existence_only, ReadWatch* watch, CellBlock* cells);
// Returns the error for a row of more bytes than hbase.table.max.rowsize. Source: StoreScanner.next (2.6).
absl::Status RowTooBig(size_t most_bytes);

}  // namespace vaquita
