// region/filter/filter.h: a running filter: HBase's filter protocol over one scan.
//
// Per row the scanner calls, in HBase's order: FilterRowKey; per cell FilterCell (through the store scanner) and, for
// one that is in, TransformCell before the next FilterCell; then, with HasFilterRow, FilterRowCells over the cells that
// are in, and FilterRow if it leaves any; without HasFilterRow, FilterRow if the row has any cells (PrefixFilter and
// others decide there too); at the row's end Reset, and then FilterAllRemaining. Source:
// org.apache.hadoop.hbase.filter.Filter, RegionScannerImpl (2.6). Threads: one at a time; one scan.
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
  // Returns true if the whole row is filtered out. HBase's wrapper around a scan's filter also does so once
  // FilterAllRemaining.
  virtual bool FilterRowKey(std::string_view row) { return false; }
  // Returns true if the rest of the scan is of no interest.
  bool FilterAllRemaining() override { return false; }
  FilterCode FilterCell(const CellView& cell) override { return FilterCode::kInclude; }
  bool GetNextCellHint(const CellView& cell, CellView* hint) override { return false; }
  // Returns whether FilterRow and FilterRowCells matter. Such a filter needs whole rows, so it excludes a batch limit.
  virtual bool HasFilterRow() const { return false; }
  // May drop cells of the row: clears flags of `keep`, which has one per cell of `row_cells`.
  virtual void FilterRowCells(const std::vector<CellView>& row_cells, std::vector<bool>* keep) {}
  // Returns true if the row is filtered out after all.
  virtual bool FilterRow() { return false; }
  // Returns whether cells of a row that FilterRowKey refused matter for the rows after it. HBase shows them to all
  // filters.
  virtual bool LearnsFromRefusedRows() const { return false; }
  // Returns whether cells of `family` decide about rows. Other families are read only for rows that passed (HBase's
  // isFamilyEssential).
  virtual bool IsFamilyEssential(std::string_view family) const { return true; }
  // Returns the first error of a comparison, also in a filter that this one holds. The scan checks it after
  // some rows and at the end of its answer, which is void after an error. A filter that failed answers at once, and so
  // does a list with such a filter.
  virtual absl::Status status() const { return absl::OkStatus(); }
  void set_reversed(bool reversed) { reversed_ = reversed; }

 protected:
  bool reversed_ = false;
};

// Makes the filter that `spec` describes. Returns kIllegalArgument, as HBase words it, if HBase's constructor would
// refuse the spec; kDoNotRetryIO if PCRE2 cannot compile a regular expression, or if the filter has too many parts
// (model/filter_size.h).
absl::StatusOr<std::unique_ptr<Filter>> MakeFilter(const FilterSpec& spec, bool reversed = false);

}  // namespace vaquita
