// region/row_scan.h: reads a range of a region's rows: merges its stores by row, runs the filter, cuts results at the
// limits.
//
// Every cell goes straight from its store's scanner into the answer's CellBlock; a row that the filter refuses at its
// end is cut off again. Filters are asked in HBase's order (region/filter/filter.h); once a filter says that the scan
// is done, the rest of the row is not read either. Threads: one at a time. Source: RegionScannerImpl.nextInternal,
// RSRpcServices.scan (2.6).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "base/read_watch.h"
#include "engine/scanner_group.h"
#include "model/operations.h"
#include "region/filter/filter.h"
#include "region/heat/key_heat.h"
#include "region/read_plan.h"
#include "region/region.h"
#include "region/region_layout.h"

namespace vaquita {

class RowScan {
 public:
  // kNoSuchColumnFamily; kIllegalArgument for a bad filter; kDoNotRetryIO for a batch with a filter that needs whole
  // rows, and for families on demand in reverse.
  // `heat` counts the rows; it outlives the scan. Null: nobody counts.
  static absl::StatusOr<std::unique_ptr<RowScan>> Open(const StoreDb& db, const RegionLayout& layout, const Scan& scan,
                                                       KeyHeat* heat = nullptr);
  ~RowScan();

  // Works as RegionScanner's. Returns kRowTooBig for a row that has more bytes than Options allow, and ends the scan.
  absl::StatusOr<bool> Next(const ScanLimits& limits, ResultBatch* batch);
  bool filter_finished() const { return filter_ != nullptr && filter_->FilterAllRemaining(); }
  const ScanProgress& progress() const { return progress_; }

 private:
  // The limits of one answer.
  struct Answer {
    size_t first_cell = 0;
    size_t max_bytes = 0;  // bytes of the whole block
    int32_t results_left = -1;
    int32_t rows_left = -1;
    bool full = false;
  };

  // Where the cells of a result end.
  enum class ResultEnd {
    kRowEnd,
    kCut,      // in front of a cell, because the result or the answer is full
    kStopped,  // by stop_, perhaps with no cell
    kTooBig,   // the row has more bytes than may be read at once
  };

  RowScan(const StoreDb& db, const Scan& scan, KeyHeat* heat);
  absl::Status OpenStores(const StoreDb& db, const RegionLayout& layout, const Scan& scan);

  Answer StartAnswer(const ScanLimits& limits, const ResultBatch& batch) const;
  bool EnterRow(Answer* answer);
  void ShowRow();
  bool FindRow();
  bool HasRows(size_t store) const { return scanners_[store].Valid() && !given_up_[store]; }
  std::string_view row() const { return scanners_[row_stores_.front()].row(); }
  void StartStore();
  void ReadResult(Answer* answer, ResultBatch* batch);
  ResultEnd ReadCells(const Answer& answer, CellBlock* cells);
  bool NextCell(CellView* cell);
  bool PassesRowFilter(size_t first, CellBlock* cells);
  void EndRow(bool returned, Answer* answer);
  void Stop(Answer* answer);

  Clock* const clock_;
  const int32_t store_limit_;
  const int32_t store_offset_;
  const int32_t cells_per_result_;  // -1: no limit
  const int32_t results_per_answer_;
  const bool reversed_;
  const size_t max_row_bytes_;
  int64_t max_answer_bytes_;
  int32_t rows_left_;       // -1: no limit
  bool cuts_rows_ = false;  // a row may end where its answer is full
  bool whole_stores_;       // reads never stop in the middle of a store's row

  std::unique_ptr<Filter> filter_;
  ReadStop stop_;
  ScannerGroup scanners_;  // ask filter_ and stop_

  // Stores that are read no further, because the filter said that the scan is done while their part of a row was read.
  // HBase closes such a store for good, even if the filter's Reset takes it back.
  std::vector<bool> given_up_;
  std::vector<size_t> row_stores_;  // the scanners that stand on it
  size_t row_store_ = 0;            // the place in row_stores_ that is being read
  StoreCells store_cells_;
  bool in_row_ = false;
  bool row_returned_ = false;  // in part
  bool has_pending_ = false;   // the row was cut, and goes on with
  CellView pending_;
  bool done_ = false;
  bool too_big_ = false;  // its last row was
  ScanProgress progress_;
  KeyHeat::Reads reads_;
  int64_t row_bytes_ = 0;  // the row's cells' so far
};

}  // namespace vaquita
