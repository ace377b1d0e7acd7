#include "server/regionserver/meta_scanner.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"

namespace vaquita {
namespace {

constexpr char kDelimiter = ',';

// "table,startkey,id", or a table's name alone.
struct MetaRowParts {
  explicit MetaRowParts(std::string_view row) {
    const size_t first = row.find(kDelimiter);
    table = row.substr(0, first);
    is_region = first != row.npos;
    if (!is_region) return;
    row.remove_prefix(first + 1);
    const size_t last = row.rfind(kDelimiter);
    start_key = row.substr(0, last);
    has_id = last != row.npos;
    if (has_id) id = row.substr(last + 1);
  }
  std::string_view table;
  std::string_view start_key;
  std::string_view id;
  bool is_region = false;
  bool has_id = false;
};

// The rows between two rows, in meta's order.
class MetaRange {
 public:
  explicit MetaRange(const Scan& scan)
      : low_(scan.reversed ? scan.rows.stop : scan.rows.start),
        high_(scan.reversed ? scan.rows.start : scan.rows.stop),
        with_low_(scan.reversed ? scan.rows.stop_inclusive : scan.rows.start_inclusive),
        with_high_(scan.reversed ? scan.rows.start_inclusive : scan.rows.stop_inclusive) {}

  bool Contains(std::string_view row) const {
    if (!low_.empty()) {
      const int order = CompareMetaRows(row, low_);
      if (order < 0 || (order == 0 && !with_low_)) return false;
    }
    if (high_.empty()) return true;
    const int order = CompareMetaRows(row, high_);
    return order < 0 || (order == 0 && with_high_);
  }

  // A bytewise range that has all of them: from the first row of the lowest table to the last one of the highest.
  RowRange InStore() const {
    RowRange rows;
    rows.start = MetaRowParts(low_).table;
    constexpr char kAfterDelimiter = kDelimiter + 1;
    std::string_view table = MetaRowParts(high_).table;
    // "t " stands for the end of table "t": no name has a character below that of "t,"'s end.
    const auto below = std::find_if(table.begin(), table.end(), [](unsigned char c) { return c < kAfterDelimiter; });
    table = table.substr(0, static_cast<size_t>(below - table.begin()));
    if (!table.empty()) rows.stop = std::string(table) + kAfterDelimiter;
    return rows;
  }

 private:
  const std::string_view low_;
  const std::string_view high_;
  const bool with_low_;
  const bool with_high_;
};

class MetaScanner : public RegionScanner {
 public:
  absl::Status Read(Region& meta, const Scan& scan, ReadWatch* watch);

  absl::StatusOr<bool> Next(const ScanLimits& limits, ResultBatch* batch) override;
  bool filter_finished() const override { return filter_finished_ && next_ == order_.size(); }
  const ScanProgress& progress() const override { return progress_; }

 private:
  std::string_view RowOf(size_t result) const { return all_.cells[all_.results[result].first].row; }
  void Append(const ResultRange& result, ResultBatch* batch) const;

  ResultBatch all_;
  std::vector<size_t> order_;  // indexes into all_.results, in the order to give them
  size_t next_ = 0;
  bool filter_finished_ = false;
  ScanProgress progress_;
};

absl::Status MetaScanner::Read(Region& meta, const Scan& scan, ReadWatch* watch) {
  const MetaRange range(scan);
  Scan in_store = scan;
  in_store.rows = range.InStore();
  in_store.reversed = false;
  in_store.limit = -1;
  in_store.allow_partial_results = false;
  VAQUITA_ASSIGN_OR_RETURN(const auto scanner, meta.NewScanner(in_store));
  for (bool more = true; more;) {
    VAQUITA_ASSIGN_OR_RETURN(more, scanner->Next({.watch = watch}, &all_));
  }
  filter_finished_ = scanner->filter_finished();
  for (size_t i = 0; i < all_.results.size(); ++i) {
    if (range.Contains(RowOf(i))) order_.push_back(i);
  }
  // Stable: the results of one row, cut by `batch`, stay in order.
  std::stable_sort(order_.begin(), order_.end(), [&](size_t a, size_t b) {
    const int order = CompareMetaRows(RowOf(a), RowOf(b));
    return scan.reversed ? order > 0 : order < 0;
  });
  return absl::OkStatus();
}

absl::StatusOr<bool> MetaScanner::Next(const ScanLimits& limits, ResultBatch* batch) {
  progress_ = {};
  int32_t results = 0;
  size_t bytes = 0;
  while (next_ < order_.size()) {
    const ResultRange& result = all_.results[order_[next_]];
    const bool ends_row = next_ + 1 == order_.size() || RowOf(order_[next_ + 1]) != RowOf(order_[next_]);
    Append(result, batch);
    ++next_;
    ++results;
    bytes += all_.cells.Encoded(result.first, result.count).size();
    if (ends_row) ++progress_.rows_ended;
    progress_.rows_scanned = progress_.rows_ended;
    progress_.at_row_limit = limits.max_rows >= 0 && progress_.rows_ended >= limits.max_rows;
    const bool full = (limits.max_results >= 0 && results >= limits.max_results) ||
                      (limits.max_bytes >= 0 && bytes >= static_cast<size_t>(limits.max_bytes));
    if (full || progress_.at_row_limit) break;
  }
  return next_ < order_.size();
}

void MetaScanner::Append(const ResultRange& result, ResultBatch* batch) const {
  ResultRange copy = result;
  copy.first = batch->cells.size();
  for (size_t i = 0; i < result.count; ++i) batch->cells.AppendFrom(all_.cells, result.first + i);
  batch->results.push_back(copy);
}

}  // namespace

int CompareMetaRows(std::string_view a, std::string_view b) {
  const MetaRowParts left(a);
  const MetaRowParts right(b);
  if (const int order = left.table.compare(right.table); order != 0) return order;
  if (left.is_region != right.is_region) return left.is_region ? 1 : -1;
  if (const int order = left.start_key.compare(right.start_key); order != 0) return order;
  if (left.has_id != right.has_id) return left.has_id ? 1 : -1;
  return left.id.compare(right.id);
}

absl::StatusOr<std::unique_ptr<RegionScanner>> NewMetaScanner(Region& meta, const Scan& scan, ReadWatch* watch) {
  auto scanner = std::make_unique<MetaScanner>();
  VAQUITA_RETURN_IF_ERROR(scanner->Read(meta, scan, watch));
  return scanner;
}

}  // namespace vaquita
