#include "client/table_factory.h"

#include <deque>
#include <optional>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "client/retries.h"

namespace vaquita::client {
namespace {

// The order of a row's cells in an answer (model/cell.h): timestamp and type descend.
bool IsAtOrBefore(const Cell& a, const Cell& b) {
  const auto key = [](const Cell& cell) { return std::tie(cell.family, cell.qualifier); };
  if (key(a) != key(b)) return key(a) < key(b);
  return std::tie(a.timestamp_ms, a.type) >= std::tie(b.timestamp_ms, b.type);
}

// The scanner on the server is gone, but not the region.
bool SaysScannerIsGone(const absl::Status& status) {
  return IsError(status, ErrorKind::kUnknownScanner) || IsError(status, ErrorKind::kScannerReset) ||
         IsError(status, ErrorKind::kOutOfOrderScannerNext);
}

// The progress of a scan, with the rest of it for a new request.
class Progress {
 public:
  explicit Progress(Scan scan)
      : rest_(std::move(scan)), limit_(rest_.limit), region_start_{rest_.rows.start, rest_.rows.start_inclusive} {}

  const Scan& rest() const { return rest_; }
  bool LimitReached() const { return limit_ > 0 && rows_ >= limit_; }

  // Notes `result`, and drops those of its cells that came before the scan broke off in the middle of their row.
  // Returns false if none are left.
  bool Take(Result* result);
  // The region's rows are done; the scan goes on at `next`. Returns false if that is not behind the place where the
  // scan went on before: it would go round in a circle.
  bool GoTo(const ScanAnswer::Start& next);
  // Notes that the scan of a region broke off, so the next answer may repeat cells of an incomplete row.
  void BrokenOff() { repeats_ = last_cell_.has_value(); }

 private:
  void CompleteRow() {
    ++rows_;
    if (limit_ > 0) rest_.limit = limit_ - rows_;
    last_cell_.reset();
    repeats_ = false;
  }

  Scan rest_;
  const int32_t limit_;
  ScanAnswer::Start region_start_;  // where the scan went on in the present region
  int32_t rows_ = 0;                // complete ones
  std::optional<Cell> last_cell_;   // set if its row is not complete
  bool repeats_ = false;
};

bool Progress::Take(Result* result) {
  std::vector<Cell>& cells = result->cells;
  if (cells.empty()) return false;
  if (last_cell_ && last_cell_->row != cells.front().row) CompleteRow();
  rest_.rows.start = cells.front().row;
  rest_.rows.start_inclusive = result->partial;  // a partial row would have to be read again
  if (repeats_) {
    std::erase_if(cells, [this](const Cell& cell) { return IsAtOrBefore(cell, *last_cell_); });
  }
  if (!result->partial) {
    CompleteRow();
  } else if (!cells.empty()) {
    last_cell_ = cells.back();
  }
  return !cells.empty();
}

bool Progress::GoTo(const ScanAnswer::Start& next) {
  const ScanAnswer::Start& last = region_start_;
  const bool within_row = next.row == last.row && last.inclusive && !next.inclusive;
  const bool before = !next.row.empty() && (last.row.empty() || next.row < last.row || within_row);
  if (rest_.reversed ? !before : next.row <= last.row) return false;
  if (last_cell_) CompleteRow();
  region_start_ = next;
  rest_.rows.start = next.row;
  rest_.rows.start_inclusive = next.inclusive;
  return true;
}

class ResultScannerImpl final : public ResultScanner {
 public:
  ResultScannerImpl(std::shared_ptr<Cluster> cluster, TableName table, const Scan& scan)
      : cluster_(std::move(cluster)), table_(std::move(table)), progress_(scan), retries_(cluster_->options) {}

  absl::StatusOr<std::optional<Result>> Next() override {
    if (ready_.empty()) retries_.Restart();  // the caller's own time does not count
    while (ready_.empty() && !finished_) {
      // Answers without rows may come for hours.
      if (retries_.GivenUp()) return absl::CancelledError("nobody waits for the scan any more");
      VAQUITA_RETURN_IF_ERROR(Read());
    }
    if (ready_.empty()) return std::nullopt;
    Result result = std::move(ready_.front());
    ready_.pop_front();
    return result;
  }

 private:
  // One step: opens a region's scan, reads an answer, or goes over to the next region.
  absl::Status Read() {
    const TimePoint deadline = retries_.AttemptDeadline();
    CallOutcome outcome = scan_ == nullptr ? OpenScan(deadline) : CallOutcome();
    if (outcome.ok()) {
      ScanAnswer answer;
      outcome = scan_->Next(deadline, &answer);
      if (outcome.ok()) return Take(std::move(answer));
      outcome.status = cluster_->locator.Report(region_, outcome.status, deadline);
      scan_.reset();
    }
    return Recover(outcome);
  }

  CallOutcome OpenScan(TimePoint deadline) {
    if (CallOutcome located = Locate(deadline, &region_); !located.ok()) return located;
    // A scan may take as long as its caller likes; when this deadline cuts it, it goes on in a new one.
    scan_ = cluster_->link->OpenScan(region_, progress_.rest(), retries_.OperationDeadline());
    return {};
  }

  CallOutcome Locate(TimePoint deadline, Located* region) {
    const RowRange& rows = progress_.rest().rows;
    const bool before = progress_.rest().reversed && (rows.start.empty() || !rows.start_inclusive);
    return before ? cluster_->locator.LocateBefore(table_, rows.start, deadline, region)
                  : cluster_->locator.Locate(table_, rows.start, deadline, region);
  }

  absl::Status Take(ScanAnswer answer) {
    retries_.Restart();
    for (Result& result : answer.results) {
      if (progress_.Take(&result)) ready_.push_back(std::move(result));
      if (progress_.LimitReached()) return Finish();
    }
    if (!answer.region_done) return absl::OkStatus();
    if (!answer.next) return Finish();
    scan_.reset();
    if (progress_.GoTo(*answer.next)) return absl::OkStatus();
    return absl::InternalError(absl::StrCat("the scan would go round in a circle: after ",
                                            ToStringBinary(region_->name), " it goes on at '",
                                            ToStringBinary(answer.next->row), "'"));
  }

  absl::Status Finish() {
    scan_.reset();
    finished_ = true;
    return absl::OkStatus();
  }

  absl::Status Recover(const CallOutcome& failed) {
    progress_.BrokenOff();
    if (SaysScannerIsGone(failed.status) && retries_.MayRepeat({absl::UnavailableError("")}, Repeatable::kYes)) {
      retries_.Pause(failed.status);
      return absl::OkStatus();
    }
    return retries_.Again(failed, Repeatable::kYes) ? absl::OkStatus() : failed.status;
  }

  const std::shared_ptr<Cluster> cluster_;
  const TableName table_;
  Progress progress_;
  Retries retries_;
  Located region_;
  std::unique_ptr<RegionScan> scan_;  // scans region_; null if it must be opened
  std::deque<Result> ready_;
  bool finished_ = false;
};

}  // namespace

std::unique_ptr<ResultScanner> MakeResultScanner(std::shared_ptr<Cluster> cluster, const TableName& table,
                                                 const Scan& scan) {
  return std::make_unique<ResultScannerImpl>(std::move(cluster), table, scan);
}

}  // namespace vaquita::client
