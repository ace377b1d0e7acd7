// Rows of any of several ranges; the scan seeks from one range to the next.
// Source: MultiRowRangeFilter (2.6).

#include <algorithm>
#include <string>
#include <utility>

#include "base/status.h"
#include "region/filter/filter_makers.h"

namespace vaquita {
namespace {

bool IsValid(const RowRange& r) {
  return r.start.empty() || r.stop.empty() || r.start < r.stop || (r.start == r.stop && r.stop_inclusive);
}

// Returns whether `next`, which starts no earlier, overlaps `range` or follows it without a gap.
bool Touches(const RowRange& range, const RowRange& next) {
  return range.stop > next.start || (range.stop == next.start && (range.stop_inclusive || next.start_inclusive));
}

// Adds `next` to `range`. `grown`: this is not the first time that `range` reaches further. From then on HBase takes
// over the inclusive stop of any range within, even of one that stops earlier, so the row at the end may be in; that is
// kept.
void Merge(const RowRange& next, RowRange* range, bool* grown) {
  if (next.stop.empty()) {
    range->stop.clear();
    range->stop_inclusive = next.stop_inclusive;
  } else if (range->stop >= next.stop) {
    if (next.stop_inclusive && (*grown || range->stop == next.stop)) range->stop_inclusive = true;
  } else {
    range->stop = next.stop;
    range->stop_inclusive = next.stop_inclusive;
    *grown = true;
  }
}

// The ranges in order of their starts, those that overlap as one.
std::vector<RowRange> SortAndMerge(std::vector<RowRange> ranges) {
  std::stable_sort(ranges.begin(), ranges.end(),
                   [](const RowRange& a, const RowRange& b) { return a.start < b.start; });
  std::vector<RowRange> merged;
  bool grown = false;
  for (RowRange& range : ranges) {
    if (!merged.empty() && merged.back().stop.empty()) break;  // reaches to the last row
    if (!merged.empty() && Touches(merged.back(), range)) {
      Merge(range, &merged.back(), &grown);
    } else {
      merged.push_back(std::move(range));
      grown = false;
    }
  }
  return merged;
}

// Answers once per row, in FilterRowKey, and gives that answer for all of its cells.
class MultiRowRangeFilter : public Filter {
 public:
  explicit MultiRowRangeFilter(std::vector<RowRange> ranges) : ranges_(std::move(ranges)) {}

  bool FilterAllRemaining() override { return done_; }

  bool FilterRowKey(std::string_view row) override {
    if (done_) return true;
    if (found_first_ && At(current_).Contains(row)) {
      code_ = FilterCode::kInclude;
      return false;
    }
    const Place place = FindPlace(row);
    if (place.index == ranges_.size()) {
      done_ = true;
      code_ = FilterCode::kNextRow;
      return false;
    }
    current_ = place.index;
    if (place.at_excluded_start) {
      code_ = FilterCode::kNextRow;
    } else if (!found_first_) {
      found_first_ = true;
      code_ = place.before_first ? FilterCode::kSeekNextUsingHint : FilterCode::kInclude;
    } else {
      code_ = At(current_).Contains(row) ? FilterCode::kInclude : FilterCode::kSeekNextUsingHint;
    }
    return false;
  }

  FilterCode FilterCell(const CellView&) override { return code_; }

  bool GetNextCellHint(const CellView&, CellView* hint) override {
    *hint = {Entry(current_), {}, {}, kLatestTimestamp, CellType::kDeleteFamily, {}};
    return true;
  }

 private:
  // The place of a row: in or before the range `index`; ranges_.size() means after all ranges.
  struct Place {
    size_t index = 0;
    bool before_first = false;
    bool at_excluded_start = false;
  };

  // Ranges are counted in the scan's direction, and each is entered at its start or, reversed, at its stop.
  const RowRange& At(size_t i) const { return ranges_[reversed_ ? ranges_.size() - 1 - i : i]; }
  const std::string& Entry(size_t i) const { return reversed_ ? At(i).stop : At(i).start; }
  bool IsEntryInclusive(size_t i) const { return reversed_ ? At(i).stop_inclusive : At(i).start_inclusive; }

  // Java's binary search, step by step: reversed, a range to the last row counts as entered at the first, so the
  // entries need not be in order.
  Place FindPlace(std::string_view row) {
    size_t low = 0;
    size_t high = ranges_.size();
    while (low < high) {
      const size_t middle = low + (high - 1 - low) / 2;
      const int entry = reversed_ ? row.compare(Entry(middle)) : -row.compare(Entry(middle));
      if (entry == 0) return {middle, false, !IsEntryInclusive(middle)};
      if (entry < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    if (low > 0 && At(low - 1).Contains(row)) return {low - 1};
    if (low == 0 && !At(0).Contains(row)) return {0, true};
    found_first_ = true;
    return {low};
  }

  const std::vector<RowRange> ranges_;
  size_t current_ = 0;
  bool found_first_ = false;
  bool done_ = false;
  FilterCode code_ = FilterCode::kNextRow;  // inside SKIP, which never asks about a row, HBase fails
};

absl::Status CheckRanges(const std::vector<RowRange>& ranges) {
  if (ranges.empty()) return Error(ErrorKind::kIllegalArgument, "No ranges found.");
  std::string invalid;
  size_t count = 0;
  for (const RowRange& range : ranges) {
    if (IsValid(range)) continue;
    ++count;
    invalid += "Invalid range: start row => " + range.start + ", stop row => " + range.stop + "\n";
  }
  if (count == 0) return absl::OkStatus();
  return Error(ErrorKind::kIllegalArgument, std::to_string(count) + " invaild ranges.\n" + invalid);
}

}  // namespace

FilterOr MakeFilterOf(const MultiRowRangeFilterSpec& spec, const FilterMaking&) {
  VAQUITA_RETURN_IF_ERROR(CheckRanges(spec.ranges));
  return std::make_unique<MultiRowRangeFilter>(SortAndMerge(spec.ranges));
}

}  // namespace vaquita
