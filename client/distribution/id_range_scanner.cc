#include "client/distribution/id_range_scanner.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "client/distribution/bucket_scan.h"

namespace vaquita::client {
namespace {

constexpr size_t kMaxIdBytes = 8;
constexpr int32_t kMaxGets = 1000;  // at a time: callers of scans may ask for INT32_MAX rows in an answer

uint64_t IdOf(std::string_view key) {
  uint64_t id = 0;
  for (const char byte : key) id = id << 8 | static_cast<uint8_t>(byte);
  return id;
}

std::string KeyOf(uint64_t id, size_t bytes) {
  std::string key(bytes, '\0');
  for (size_t i = bytes; i > 0; --i, id >>= 8) key[i - 1] = static_cast<char>(id & 0xff);
  return key;
}

// The ids [first, last].
struct IdRange {
  uint64_t first = 0, last = 0;
  size_t key_bytes = 0;
  bool empty = false;
};

absl::StatusOr<IdRange> RangeOf(const Scan& scan, const RowKeyDistributor& distributor) {
  const RowRange& rows = scan.rows;
  const std::string& low = scan.reversed ? rows.stop : rows.start;
  const std::string& high = scan.reversed ? rows.start : rows.stop;
  if (high.empty() || high.size() > kMaxIdBytes || (!low.empty() && low.size() != high.size())) {
    return Error(
        ErrorKind::kIllegalArgument,
        absl::StrCat(distributor.ToText(),
                     " does not keep the order of rows: a scan needs the largest row of its range, of at most ",
                     kMaxIdBytes, " bytes, and a smallest of the same length or none"));
  }
  const bool low_in = low.empty() || (scan.reversed ? rows.stop_inclusive : rows.start_inclusive);
  const bool high_in = scan.reversed ? rows.start_inclusive : rows.stop_inclusive;
  IdRange range{IdOf(low), IdOf(high), high.size()};
  range.empty = range.first > range.last || (range.first == range.last && !(low_in && high_in));
  if (!range.empty && !low_in) ++range.first;
  if (!range.empty && !high_in) range.empty = range.first > --range.last;
  return range;
}

class IdRangeScanner final : public ResultScanner {
 public:
  IdRangeScanner(std::shared_ptr<Table> table, RowKeyDistributorPtr distributor, const Scan& scan, const IdRange& range)
      : table_(std::move(table)),
        distributor_(std::move(distributor)),
        options_(scan),
        reversed_(scan.reversed),
        gets_(std::min(scan.caching, kMaxGets)),
        limit_(scan.limit),
        rest_(range) {}

  absl::StatusOr<std::optional<Result>> Next() override {
    VAQUITA_RETURN_IF_ERROR(status_);
    while (next_ == ready_.size()) {
      if (rest_.empty || (limit_ > 0 && rows_ == limit_)) return std::nullopt;
      status_ = Read();
      VAQUITA_RETURN_IF_ERROR(status_);
    }
    if (limit_ > 0 && rows_ == limit_) return std::nullopt;
    ++rows_;
    return std::move(ready_[next_++]);
  }

 private:
  // Gets the next ids of the range.
  absl::Status Read() {
    IdRange ids = rest_;
    if (rest_.last - rest_.first < static_cast<uint64_t>(gets_)) {
      rest_.empty = true;
    } else if (reversed_) {
      ids.first = rest_.last - gets_ + 1;
      rest_.last -= gets_;
    } else {
      ids.last = rest_.first + gets_ - 1;
      rest_.first += gets_;
    }
    std::vector<Action> actions;
    for (uint64_t i = 0; i <= ids.last - ids.first; ++i) {
      vaquita::Get get;
      static_cast<ReadOptions&>(get) = options_;
      get.row = distributor_->DistributedKey(KeyOf(reversed_ ? ids.last - i : ids.first + i, ids.key_bytes));
      actions.emplace_back(std::move(get));
    }
    ready_.clear();
    next_ = 0;
    for (ActionResult& got : table_->Batch(actions)) {
      VAQUITA_RETURN_IF_ERROR(got.status);
      if (!got.result.empty()) VAQUITA_RETURN_IF_ERROR(Add(std::move(got.result)));
    }
    return absl::OkStatus();
  }

  absl::Status Add(Result result) {
    VAQUITA_ASSIGN_OR_RETURN(const std::string row, distributor_->OriginalKey(result.cells.front().row));
    for (Cell& cell : result.cells) cell.row = row;
    ready_.push_back(std::move(result));
    return absl::OkStatus();
  }

  const std::shared_ptr<Table> table_;
  const RowKeyDistributorPtr distributor_;
  const ReadOptions options_;
  const bool reversed_;
  const int32_t gets_;  // at a time
  const int32_t limit_;
  int32_t rows_ = 0;
  IdRange rest_;
  absl::Status status_;  // the first error: going on after it would leave out rows
  std::vector<Result> ready_;
  size_t next_ = 0;
};

}  // namespace

absl::StatusOr<std::unique_ptr<ResultScanner>> MakeIdRangeScanner(std::shared_ptr<Table> table,
                                                                  RowKeyDistributorPtr distributor, const Scan& scan) {
  if (scan.raw || scan.batch > 0) {
    return Error(
        ErrorKind::kIllegalArgument,
        absl::StrCat(distributor->ToText(), ": a scan, which is made of gets, can be neither raw nor batched"));
  }
  if (scan.filter) VAQUITA_RETURN_IF_ERROR(CheckIgnoresRows(*scan.filter));
  VAQUITA_ASSIGN_OR_RETURN(const IdRange range, RangeOf(scan, *distributor));
  return std::make_unique<IdRangeScanner>(std::move(table), std::move(distributor), scan, range);
}

}  // namespace vaquita::client
