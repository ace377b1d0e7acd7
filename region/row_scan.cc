#include "region/row_scan.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/status.h"
#include "model/request_check.h"

namespace vaquita {
namespace {

constexpr size_t kNoLimit = std::numeric_limits<size_t>::max();

// A filter that failed answers at once, so a few rows more cost less than its status for each row.
constexpr int kRowsBetweenFilterChecks = 64;

// HBase counts this much for the Java object around a cell, in addition to its bytes.
constexpr size_t kCellObjectBytes = 28;

size_t AnswerBytes(const CellBlock& cells) { return cells.bytes().size() + kCellObjectBytes * cells.size(); }

// The smaller of two limits, where only positive ones count; 0 if neither does.
int64_t SmallerLimit(int64_t a, int64_t b) {
  if (a <= 0) return std::max<int64_t>(b, 0);
  return b <= 0 ? a : std::min(a, b);
}

// Every family is read in every row here; but a scan that HBase refuses must fail here too.
absl::Status CheckFamiliesAreEssential(std::span<const std::shared_ptr<Store>> stores, const Filter& filter) {
  for (const auto& store : stores) {
    if (filter.IsFamilyEssential(store->spec().family.name)) continue;
    return Error(ErrorKind::kDoNotRetryIO, "Reverse scan with loading CFs on demand is not supported");
  }
  return absl::OkStatus();
}

}  // namespace

RowScan::RowScan(const StoreDb& db, const Scan& scan, KeyHeat* heat)
    : clock_(db.clock()),
      store_limit_(scan.store_limit),
      store_offset_(scan.store_offset),
      cells_per_result_(scan.batch > 0 ? scan.batch : -1),
      results_per_answer_(scan.caching),
      reversed_(scan.reversed),
      max_row_bytes_(static_cast<size_t>(db.options().max_row_bytes)),
      rows_left_(scan.limit > 0 ? scan.limit : -1),
      stop_(clock_),
      store_cells_(nullptr, -1, 0),
      reads_(heat, scan.reversed) {}

RowScan::~RowScan() = default;

absl::StatusOr<std::unique_ptr<RowScan>> RowScan::Open(const StoreDb& db, const RegionLayout& layout, const Scan& scan,
                                                       KeyHeat* heat) {
  std::unique_ptr<RowScan> rows(new RowScan(db, scan, heat));
  if (scan.filter.has_value()) {
    VAQUITA_ASSIGN_OR_RETURN(rows->filter_, MakeFilter(*scan.filter, scan.reversed));
    if (rows->cells_per_result_ > 0 && rows->filter_->HasFilterRow()) {
      return Error(ErrorKind::kDoNotRetryIO,
                   "Cannot set batch on a scan using a filter that returns true for filter.hasFilterRow");
    }
  }
  // A filter that judges whole rows gets whole rows.
  rows->cuts_rows_ = scan.allow_partial_results && (rows->filter_ == nullptr || !rows->filter_->HasFilterRow());
  rows->whole_stores_ =
      !rows->cuts_rows_ && rows->cells_per_result_ < 0 && rows->store_limit_ < 0 && rows->store_offset_ <= 0;
  rows->max_answer_bytes_ = SmallerLimit(scan.max_result_bytes, db.options().scanner_max_result_bytes);
  VAQUITA_RETURN_IF_ERROR(rows->OpenStores(db, layout, scan));
  return rows;
}

absl::Status RowScan::OpenStores(const StoreDb& db, const RegionLayout& layout, const Scan& scan) {
  StoreScanOptions common;
  common.reversed = scan.reversed;
  common.now_ms = clock_->NowMs();
  common.query.raw = scan.raw;
  common.query.filter = filter_.get();
  common.stop = &stop_;
  const RowOrder order = RowOrderOf(layout.info.table);
  if (order != RowOrder::kBytes) VAQUITA_RETURN_IF_ERROR(CheckScanRows(scan.rows.start, scan.rows.stop));
  const auto rows = ClipRows(scan.rows, scan.reversed, layout.info);
  VAQUITA_ASSIGN_OR_RETURN(ReadPlan plan, PlanRead(layout, scan, std::move(common)));
  if (scan.reversed && scan.load_families_on_demand && filter_ != nullptr) {
    VAQUITA_RETURN_IF_ERROR(CheckFamiliesAreEssential(plan.stores, *filter_));
  }
  if (!rows.has_value()) {
    done_ = true;
    return absl::OkStatus();
  }
  StoreDb::IteratorBounds bounds = BoundsOfRows(order, *rows, reversed_);
  bounds.cache_blocks = scan.cache_blocks;
  VAQUITA_RETURN_IF_ERROR(scanners_.Open(db, plan.stores, std::move(bounds), std::move(plan.options)));
  if (scanners_.size() == 1) row_stores_ = {0};
  given_up_.resize(scanners_.size());
  done_ = !FindRow() || filter_finished();
  return absl::OkStatus();
}

absl::StatusOr<bool> RowScan::Next(const ScanLimits& limits, ResultBatch* batch) {
  Answer answer = StartAnswer(limits, *batch);
  progress_ = {};
  stop_.Begin(limits.deadline_ms, cuts_rows_, limits.watch);
  for (int rows = 1; !done_ && !answer.full; ++rows) {
    if (in_row_ || EnterRow(&answer)) ReadResult(&answer, batch);
    if (rows % kRowsBetweenFilterChecks == 0 && filter_ != nullptr && !filter_->status().ok()) break;
  }
  reads_.Flush();
  if (filter_ != nullptr) VAQUITA_RETURN_IF_ERROR(filter_->status());
  VAQUITA_RETURN_IF_ERROR(stop_.status());
  VAQUITA_RETURN_IF_ERROR(scanners_.status());
  if (too_big_) return RowTooBig(max_row_bytes_);
  return !done_;
}

RowScan::Answer RowScan::StartAnswer(const ScanLimits& limits, const ResultBatch& batch) const {
  Answer answer;
  answer.first_cell = batch.cells.size();
  const int64_t bytes = SmallerLimit(limits.max_bytes, max_answer_bytes_);
  answer.max_bytes = bytes > 0 ? AnswerBytes(batch.cells) + bytes : kNoLimit;
  answer.results_left = limits.max_results >= 0 ? limits.max_results : results_per_answer_;
  answer.rows_left = limits.max_rows;
  answer.full = answer.results_left == 0;
  return answer;
}

// Begins the row that FindRow found. Returns false if the filter refuses it by its key.
bool RowScan::EnterRow(Answer* answer) {
  row_returned_ = false;
  if (filter_ != nullptr && filter_->FilterRowKey(row())) {
    done_ = filter_finished();
    if (!done_) ++progress_.rows_scanned;
    if (!done_ && filter_->LearnsFromRefusedRows()) ShowRow();
    EndRow(false, answer);
    return false;
  }
  in_row_ = true;
  row_store_ = 0;
  StartStore();
  return true;
}

// Shows the row's cells to the filter, and drops them.
void RowScan::ShowRow() {
  CellView cell;
  for (const size_t store : row_stores_) {
    while (scanners_[store].NextCell(&cell)) {
    }
  }
}

// Finds the first row among the stores, and the stores that stand on it. Returns false if there is none.
bool RowScan::FindRow() {
  if (scanners_.size() == 1) return HasRows(0);
  row_stores_.clear();
  for (size_t i = 0; i < scanners_.size(); ++i) {
    if (!HasRows(i)) continue;
    int order = 0;
    if (!row_stores_.empty()) {
      order = scanners_[i].row_position().compare(scanners_[row_stores_.front()].row_position());
      if (reversed_) order = -order;
    }
    if (order < 0) row_stores_.clear();
    if (order <= 0) row_stores_.push_back(i);
  }
  return !row_stores_.empty();
}

void RowScan::StartStore() {
  store_cells_ = StoreCells(&scanners_[row_stores_[row_store_]], store_limit_, store_offset_);
}

void RowScan::ReadResult(Answer* answer, ResultBatch* batch) {
  const size_t first = batch->cells.size();
  const size_t bytes_before = batch->cells.bytes().size();
  const ResultEnd end = ReadCells(*answer, &batch->cells);
  const bool cut = end != ResultEnd::kRowEnd;
  if (end == ResultEnd::kStopped) Stop(answer);
  if (end == ResultEnd::kTooBig) {
    too_big_ = done_ = true;
    return;
  }
  if (batch->cells.size() > first && (cut || PassesRowFilter(first, &batch->cells))) {
    row_returned_ = true;
    batch->results.push_back({first, batch->cells.size() - first, cut});
    if (answer->results_left > 0 && --answer->results_left == 0) answer->full = true;
    if (AnswerBytes(batch->cells) >= answer->max_bytes) answer->full = true;
  }
  row_bytes_ += static_cast<int64_t>(batch->cells.bytes().size() - bytes_before);
  if (cut) return;
  ++progress_.rows_scanned;
  EndRow(row_returned_, answer);
}

// Appends the row's cells.
RowScan::ResultEnd RowScan::ReadCells(const Answer& answer, CellBlock* cells) {
  const size_t result_end = cells_per_result_ > 0 ? cells->size() + cells_per_result_ : kNoLimit;
  const size_t most_bytes = cells->bytes().size() + max_row_bytes_;
  for (;;) {
    CellView cell;
    if (whole_stores_) {
      StoreScanner& store = scanners_[row_stores_[row_store_]];
      while (store.NextCell(&cell)) {
        cells->Append(cell);
        if (cells->bytes().size() > most_bytes) return ResultEnd::kTooBig;
      }
    } else {
      while (NextCell(&cell)) {
        const bool answer_full =
            cuts_rows_ && cells->size() > answer.first_cell && AnswerBytes(*cells) >= answer.max_bytes;
        if (answer_full || cells->size() == result_end) {
          pending_ = cell;
          has_pending_ = true;
          return ResultEnd::kCut;
        }
        cells->Append(cell);
        if (cells->bytes().size() > most_bytes) return ResultEnd::kTooBig;
      }
    }
    if (stop_.StoppedAtCell()) return ResultEnd::kStopped;
    if (filter_finished()) given_up_[row_stores_[row_store_]] = true;
    if (++row_store_ == row_stores_.size()) return ResultEnd::kRowEnd;
    StartStore();
  }
}

bool RowScan::NextCell(CellView* cell) {
  if (!has_pending_) return store_cells_.Next(cell);
  *cell = pending_;
  has_pending_ = false;
  return true;
}

// Asks the filter about the row whose cells start at `first`, and drops what it refuses. False if nothing is left.
bool RowScan::PassesRowFilter(size_t first, CellBlock* cells) {
  if (filter_ == nullptr) return true;
  if (filter_->HasFilterRow()) {
    std::vector<CellView> row_cells;
    row_cells.reserve(cells->size() - first);
    for (size_t i = first; i < cells->size(); ++i) row_cells.push_back((*cells)[i]);
    std::vector<bool> keep(row_cells.size(), true);
    filter_->FilterRowCells(row_cells, &keep);
    if (std::find(keep.begin(), keep.end(), false) != keep.end()) cells->Retain(first, keep);
    if (cells->size() == first) return false;
  }
  if (!filter_->FilterRow()) return true;
  cells->Truncate(first);
  return false;
}

// Leaves the row, unless the scan is over.
void RowScan::EndRow(bool returned, Answer* answer) {
  in_row_ = false;
  reads_.Add(row(), std::exchange(row_bytes_, 0));
  ++progress_.rows_ended;
  if (!returned) ++progress_.rows_filtered;
  if (returned && answer->rows_left > 0 && --answer->rows_left == 0) {
    progress_.at_row_limit = true;
    answer->full = true;
  }
  if (returned && rows_left_ > 0 && --rows_left_ == 0) {
    done_ = true;
    return;
  }
  for (size_t store : row_stores_) scanners_[store].NextRow();
  // A filter that counts cells of a row starts anew before it is asked whether all is done, as in HBase.
  if (filter_ != nullptr) filter_->Reset();
  done_ = done_ || !FindRow() || filter_finished();
  if (!done_ && stop_.AfterRow()) Stop(answer);
}

// Ends the answer where it stands.
void RowScan::Stop(Answer* answer) {
  answer->full = true;
  progress_.at_deadline = true;
  progress_.next_row = row();
}

}  // namespace vaquita
