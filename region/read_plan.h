// region/read_plan.h: which stores a read touches, and what it asks of each.
//
// Source: RegionScannerImpl.initializeScanners, StoreScanner's constructor (2.6).
#pragma once

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
  // In the order of their families: the layout's own, or those of `chosen`.
  std::span<const std::shared_ptr<Store>> stores;
  std::vector<StoreScanOptions> options;  // each store's
  std::vector<std::shared_ptr<Store>> chosen;
};

// The plan of `read`; `common` has what all stores share: rows, direction, raw, filter, time. kNoSuchColumnFamily for a
// family that is not there.
// The layout outlives the plan.
absl::StatusOr<ReadPlan> PlanRead(const RegionLayout& layout, const ReadOptions& read, StoreScanOptions common);

// The rows of `asked` that lie in `region`, in the same direction; nothing if there are none.
std::optional<RowRange> ClipRows(const RowRange& asked, bool reversed, const RowRange& region);

// The cells of one row of one store that `read` lets through, after its offset and within its limit
// (StoreScanner.next).
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
  // As in HBase, the limit is looked at after a cell, so a limit of 0 lets one through.
  bool AtLimit() const { return limit_ >= 0 && count_ > offset_ && count_ >= int64_t{limit_} + offset_; }

  StoreScanner* store_;
  int32_t limit_;
  int32_t offset_;
  int64_t count_ = 0;
};

// Shows the visible cells of `row` to `visit`, until it returns false. REQUIRES: no filter. `watch`: as ReadRow's.
absl::Status VisitRow(const StoreDb& db, const RegionLayout& layout, std::string_view row, const ReadOptions& read,
                      ReadWatch* watch, absl::FunctionRef<bool(const CellView&)> visit);

// Appends the visible cells of `row` to `*cells`; just the first one if `existence_only`. A filter is applied. `watch`
// (may be null) may end it with an error.
absl::Status ReadRow(const StoreDb& db, const RegionLayout& layout, std::string_view row, const ReadOptions& read,
                     bool existence_only, ReadWatch* watch, CellBlock* cells);

}  // namespace vaquita
