// region/filter/filter.h: a running filter: HBase's filter protocol over one scan.
//
// Per row the scanner calls, in HBase's order: FilterRowKey; per cell FilterCell (through
// the store scanner) and, for one that is in, TransformCell before the next FilterCell; then, with HasFilterRow,
// FilterRowCells over the cells that are in, and FilterRow if it leaves any; without HasFilterRow, FilterRow if the row
// has any cells (PrefixFilter and others have their say there too); at the row's end Reset, and then
// FilterAllRemaining. Source: org.apache.hadoop.hbase.filter.Filter, RegionScannerImpl (2.6). Threads: none of its own;
// one owner, one scan.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "model/cell_block.h"
#include "model/cell_filter.h"
#include "model/filter_spec.h"

namespace vaquita {

class Filter : public CellFilter {
 public:
  virtual void Reset() {}
  // True: the whole row is out. HBase's own wrapper around a scan's filter says so, too, when FilterAllRemaining.
  virtual bool FilterRowKey(std::string_view row) { return false; }
  // True: nothing more of this scan is of interest.
  bool FilterAllRemaining() override { return false; }
  FilterCode FilterCell(const CellView& cell) override { return FilterCode::kInclude; }
  bool GetNextCellHint(const CellView& cell, CellView* hint) override { return false; }
  // Whether FilterRow and FilterRowCells matter; such a filter needs whole rows, so it goes with no batch.
  virtual bool HasFilterRow() const { return false; }
  // May drop cells of the row: clears flags of `keep`, which has one per cell of `row_cells`.
  virtual void FilterRowCells(const std::vector<CellView>& row_cells, std::vector<bool>* keep) {}
  // True: the row is out after all.
  virtual bool FilterRow() { return false; }
  // Whether cells of `family` decide at all; families that do not are read only for rows that passed (HBase's
  // isFamilyEssential).
  virtual bool IsFamilyEssential(std::string_view family) const { return true; }
  // The first error of a comparison, also of one within a filter that this one holds. Whoever runs the filter looks at
  // it at the end of each row; the answers since an error are void.
  virtual absl::Status status() const { return absl::OkStatus(); }
  void set_reversed(bool reversed) { reversed_ = reversed; }

 protected:
  bool reversed_ = false;
};

// The filter that `spec` describes. kIllegalArgument, as HBase words it, for one HBase's constructor would refuse;
// kDoNotRetryIO for a regular expression that PCRE2 cannot compile.
absl::StatusOr<std::unique_ptr<Filter>> MakeFilter(const FilterSpec& spec, bool reversed = false);

}  // namespace vaquita
