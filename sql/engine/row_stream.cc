#include "sql/engine/row_stream.h"

#include <algorithm>
#include <atomic>
#include <string>
#include <thread>
#include <utility>

#include "base/status.h"

namespace vaquita::sql {
namespace {

constexpr size_t kMostThreads = 8;               // open lanes at once
constexpr int64_t kBytesOfAllLanes = 8 << 20;    // in one answer to each
constexpr int64_t kLeastBytesOfLane = 64 << 10;  // in one answer
constexpr int64_t kGrowth = 8;                   // multiplies a scan's limit when the rows were not all that was wanted
constexpr int64_t kMostLimitedRows = 100'000;    // a longer scan has no limit

}  // namespace

// The ranges of one bucket, or of the whole table, one after the other.
class RowStream::Lane {
 public:
  Lane(client::Table* table, const Scan& scan, int64_t likely_rows) : table_(table), scan_(scan), limit_(likely_rows) {}

  void Add(RowRange range) { ranges_.push_back(std::move(range)); }

  // Reads the next row into row().
  absl::Status Advance() {
    for (;;) {
      if (scanner_ == nullptr) {
        if (at_ == ranges_.size()) {
          row_.reset();
          return absl::OkStatus();
        }
        VAQUITA_RETURN_IF_ERROR(Open());
      }
      VAQUITA_ASSIGN_OR_RETURN(std::optional<client::Result> next, scanner_->Next());
      if (next.has_value()) {
        if (scan_.limit > 0) last_row_ = next->cells.front().row;
        ++rows_;
        row_ = std::move(next);
        return absl::OkStatus();
      }
      scanner_.reset();
      if (scan_.limit <= 0 || rows_ < scan_.limit) {
        ++at_;
        continue;
      }
      // The range may have more rows. They begin behind the last one.
      RowRange& range = ranges_[at_];
      (scan_.reversed ? range.stop : range.start) = last_row_;
      (scan_.reversed ? range.stop_inclusive : range.start_inclusive) = false;
      limit_ = limit_ > kMostLimitedRows ? 0 : limit_ * kGrowth;
    }
  }

  const std::optional<client::Result>& row() const { return row_; }
  client::Result TakeRow() { return *std::move(row_); }
  std::string_view key() const { return std::string_view(row_->cells.front().row).substr(1); }

 private:
  absl::Status Open() {
    scan_.rows = ranges_[at_];
    if (scan_.reversed) {
      std::swap(scan_.rows.start, scan_.rows.stop);
      std::swap(scan_.rows.start_inclusive, scan_.rows.stop_inclusive);
    }
    scan_.limit = limit_ > 0 ? static_cast<int32_t>(limit_) : -1;
    rows_ = 0;
    VAQUITA_ASSIGN_OR_RETURN(scanner_, table_->GetScanner(scan_));
    return absl::OkStatus();
  }

  client::Table* const table_;
  Scan scan_;
  int64_t limit_;  // the next scan's; 0: none
  std::vector<RowRange> ranges_;
  size_t at_ = 0;
  std::unique_ptr<client::ResultScanner> scanner_;  // scans ranges_[at_]; null: not open
  int64_t rows_ = 0;                                // that the scanner gave
  std::string last_row_;                            // set for a scan with a limit
  std::optional<client::Result> row_;
};

RowStream::RowStream(std::shared_ptr<client::Table> table, RowsToRead rows)
    : table_(std::move(table)), reversed_(rows.scan.reversed) {
  std::vector<RowRange>& ranges = rows.ranges;
  const auto bucket_of = [](const RowRange& range) { return range.start.empty() ? '\0' : range.start[0]; };
  std::vector<size_t> firsts;  // the first range of each lane
  for (size_t i = 0; i < ranges.size(); ++i)
    if (i == 0 || (rows.salted && bucket_of(ranges[i]) != bucket_of(ranges[i - 1]))) firsts.push_back(i);
  if (firsts.size() > 1) {
    const auto lanes = static_cast<int64_t>(firsts.size());
    rows.scan.max_result_bytes = std::max(kBytesOfAllLanes / lanes, kLeastBytesOfLane);
  }
  for (size_t lane = 0; lane < firsts.size(); ++lane) {
    const size_t end = lane + 1 < firsts.size() ? firsts[lane + 1] : ranges.size();
    lanes_.push_back(std::make_unique<Lane>(table_.get(), rows.scan, rows.likely_rows));
    if (reversed_)
      std::reverse(ranges.begin() + static_cast<int64_t>(firsts[lane]), ranges.begin() + static_cast<int64_t>(end));
    for (size_t i = firsts[lane]; i < end; ++i) lanes_.back()->Add(std::move(ranges[i]));
  }
}

RowStream::~RowStream() = default;

bool RowStream::IsAfter(const Lane* a, const Lane* b) const {
  return reversed_ ? a->key() < b->key() : a->key() > b->key();
}

// Reads the first row of each lane.
absl::Status RowStream::Start() {
  started_ = true;
  std::vector<absl::Status> outcomes(lanes_.size());
  std::atomic<size_t> next = 0;
  const auto work = [&] {
    for (size_t lane = next++; lane < lanes_.size(); lane = next++) outcomes[lane] = lanes_[lane]->Advance();
  };
  {
    std::vector<std::jthread> helpers;
    for (size_t i = 1; i < std::min(lanes_.size(), kMostThreads); ++i) helpers.emplace_back(work);
    work();
  }
  for (const absl::Status& outcome : outcomes) VAQUITA_RETURN_IF_ERROR(outcome);
  for (const auto& lane : lanes_)
    if (lane->row().has_value()) heap_.push_back(lane.get());
  std::ranges::make_heap(heap_, [this](const Lane* a, const Lane* b) { return IsAfter(a, b); });
  return absl::OkStatus();
}

absl::StatusOr<std::optional<client::Result>> RowStream::Next() {
  if (!started_) VAQUITA_RETURN_IF_ERROR(Start());
  const auto after = [this](const Lane* a, const Lane* b) { return IsAfter(a, b); };
  // The lane reads on only when its row was not the last one that the caller wants.
  if (Lane* const lane = std::exchange(taken_, nullptr); lane != nullptr) {
    VAQUITA_RETURN_IF_ERROR(lane->Advance());
    if (lane->row().has_value()) {
      heap_.push_back(lane);
      std::ranges::push_heap(heap_, after);
    }
  }
  if (heap_.empty()) return std::nullopt;
  std::ranges::pop_heap(heap_, after);
  taken_ = heap_.back();
  heap_.pop_back();
  return taken_->TakeRow();
}

}  // namespace vaquita::sql
