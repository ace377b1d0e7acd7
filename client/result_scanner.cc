#include "client/result_scanner.h"

#include <deque>
#include <optional>
#include <tuple>
#include <utility>

#include "client/retries.h"
#include "engine/status.h"
#include "proto/data_codec.h"

namespace vaquita::client {
namespace {

// The order of a row's cells in an answer (engine/cell.h): timestamp and type descend.
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

// How far a scan has come: what is left of it, should it have to be asked for anew.
class Progress {
 public:
  explicit Progress(Scan scan) : rest_(std::move(scan)), limit_(rest_.limit) {}

  const Scan& rest() const { return rest_; }
  bool LimitReached() const { return limit_ > 0 && rows_ >= limit_; }

  // Takes note of `result`; drops cells of it that were seen before the scan was broken off in the middle of their row.
  // False if none is left.
  bool Take(Result* result);
  // The region's rows are done; the scan goes on at `next`.
  void GoTo(const v1::NextRegion& next) {
    if (last_cell_) CompleteRow();
    rest_.rows.start = next.start_row();
    rest_.rows.start_inclusive = next.inclusive();
  }
  // The stream broke off: what comes next may repeat cells of a row that is not complete.
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
  int32_t rows_ = 0;               // complete ones
  std::optional<Cell> last_cell_;  // of a row that is not complete
  bool repeats_ = false;
};

bool Progress::Take(Result* result) {
  std::vector<Cell>& cells = result->cells;
  if (cells.empty()) return false;
  if (last_cell_ && last_cell_->row != cells.front().row) CompleteRow();
  rest_.rows.start = cells.front().row;
  rest_.rows.start_inclusive = result->partial;  // whether the row would have to be read again
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

class ResultScannerImpl final : public ResultScanner {
 public:
  ResultScannerImpl(std::shared_ptr<Cluster> cluster, TableName table, const Scan& scan)
      : cluster_(std::move(cluster)), table_(std::move(table)), progress_(scan), retries_(cluster_->options) {}
  ~ResultScannerImpl() override { CloseStream(); }

  absl::StatusOr<std::optional<Result>> Next() override {
    if (ready_.empty()) retries_.Restart();  // time that the caller took for itself does not count
    while (ready_.empty() && !finished_) VAQUITA_RETURN_IF_ERROR(Read());
    if (ready_.empty()) return std::nullopt;
    Result result = std::move(ready_.front());
    ready_.pop_front();
    return result;
  }

 private:
  // The answers of one region.
  struct Stream {
    Located region;
    grpc::ClientContext context;
    std::unique_ptr<grpc::ClientReader<v1::ScanResponse>> reader;
    std::optional<v1::NextRegion> next_region;
  };

  // One step: opens a stream, reads an answer, or goes over to the next region.
  absl::Status Read() {
    CallOutcome outcome = stream_ == nullptr ? OpenStream() : CallOutcome();
    if (outcome.ok()) {
      if (stream_->reader->Read(&response_)) return TakeResponse();
      outcome = OutcomeOf(stream_->reader->Finish());
      if (outcome.ok()) {
        EndOfRegion();
        return absl::OkStatus();
      }
      outcome.status = cluster_->locator.Report(stream_->region, outcome.status, retries_.AttemptDeadline());
      stream_.reset();
    }
    return Recover(outcome);
  }

  CallOutcome OpenStream() {
    Located region;
    const TimePoint deadline = retries_.AttemptDeadline();
    if (CallOutcome located = Locate(deadline, &region); !located.ok()) return located;
    if (!cluster_->link.Connect(deadline)) return cluster_->link.NotConnected();
    stream_ = std::make_unique<Stream>();
    stream_->region = region;
    // A scan may take as long as its caller likes; a stream that is cut by this goes on in another.
    stream_->context.set_deadline(retries_.OperationDeadline());
    v1::ScanRequest request;
    request.set_region(region->encoded_name);
    ToProto(progress_.rest(), request.mutable_scan());
    request.set_cells_as_block(true);
    stream_->reader = cluster_->link.data().Scan(&stream_->context, request);
    return {};
  }

  CallOutcome Locate(TimePoint deadline, Located* region) {
    const RowRange& rows = progress_.rest().rows;
    const bool before = progress_.rest().reversed && (rows.start.empty() || !rows.start_inclusive);
    return before ? cluster_->locator.LocateBefore(table_, rows.start, deadline, region)
                  : cluster_->locator.Locate(table_, rows.start, deadline, region);
  }

  absl::Status TakeResponse() {
    retries_.Restart();
    for (const v1::Result& answer : response_.results()) {
      Result result{.partial = answer.partial(), .exists = true};
      VAQUITA_RETURN_IF_ERROR(FromProto(answer, &result.cells));
      if (progress_.Take(&result)) ready_.push_back(std::move(result));
      if (progress_.LimitReached()) {
        CloseStream();
        finished_ = true;
        return absl::OkStatus();
      }
    }
    if (response_.has_next_region()) stream_->next_region = response_.next_region();
    return absl::OkStatus();
  }

  void EndOfRegion() {
    if (stream_->next_region) {
      progress_.GoTo(*stream_->next_region);
    } else {
      finished_ = true;
    }
    stream_.reset();
  }

  absl::Status Recover(const CallOutcome& failed) {
    progress_.BrokenOff();
    if (SaysScannerIsGone(failed.status) && retries_.MayRepeat({absl::UnavailableError("")}, Repeatable::kYes)) {
      retries_.Pause();
      return absl::OkStatus();
    }
    return retries_.Again(failed, Repeatable::kYes) ? absl::OkStatus() : failed.status;
  }

  void CloseStream() {
    if (stream_ == nullptr) return;
    stream_->context.TryCancel();
    while (stream_->reader->Read(&response_)) {
    }
    (void)stream_->reader->Finish();  // CANCELLED, or whatever was faster
    stream_.reset();
  }

  const std::shared_ptr<Cluster> cluster_;
  const TableName table_;
  Progress progress_;
  Retries retries_;
  std::unique_ptr<Stream> stream_;  // null: to be opened
  v1::ScanResponse response_;
  std::deque<Result> ready_;
  bool finished_ = false;
};

}  // namespace

std::unique_ptr<ResultScanner> MakeResultScanner(std::shared_ptr<Cluster> cluster, const TableName& table,
                                                 const Scan& scan) {
  return std::make_unique<ResultScannerImpl>(std::move(cluster), table, scan);
}

}  // namespace vaquita::client
