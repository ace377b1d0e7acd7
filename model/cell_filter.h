// model/cell_filter.h: the questions that a store scanner asks a filter, one cell at a time.
//
// The region layer's filters implement this; the engine knows only the questions. The store scanner asks after the
// cell's column, time range and delete markers have been checked, in HBase's order, and obeys the answer. Source:
// org.apache.hadoop.hbase.filter.Filter.ReturnCode, UserScanQueryMatcher.mergeFilterResponse (2.6).
#pragma once

#include <string>

#include "model/cell.h"

namespace vaquita {

enum class FilterCode {
  kInclude,
  kIncludeAndNextCol,      // include, then go to the next column
  kIncludeAndSeekNextRow,  // include, then leave this family's part of the row
  kSkip,
  kNextCol,
  kNextRow,            // leave this family's part of the row
  kSeekNextUsingHint,  // go to GetNextCellHint()
};

class CellFilter {
 public:
  virtual ~CellFilter() = default;
  // Returns true if no later cell of the scan is of interest, the rest of this row included. Asked before each cell.
  virtual bool FilterAllRemaining() { return false; }
  virtual FilterCode FilterCell(const CellView& cell) = 0;
  // After kSeekNextUsingHint for `cell`: sets `*hint` to the first cell that could be of interest (row, family and
  // qualifier; with a qualifier-less hint the row's start) and returns true; false means there is no hint, which counts
  // as kSkip. The bytes live until the next call of the filter.
  virtual bool GetNextCellHint(const CellView& cell, CellView* hint) = 0;
  // Lets the filter replace an included cell's value (KeyOnlyFilter). The bytes live until the next call.
  virtual CellView TransformCell(const CellView& cell) { return cell; }
};

}  // namespace vaquita
