// Filters that choose columns, versions or keys, without looking at values.
// Source: ColumnPrefixFilter, MultipleColumnPrefixFilter, ColumnRangeFilter, ColumnCountGetFilter,
// ColumnPaginationFilter, FirstKeyOnlyFilter, FirstKeyValueMatchingQualifiersFilter, KeyOnlyFilter, TimestampsFilter
// (2.6).

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <utility>

#include "base/status.h"
#include "region/filter/filter_makers.h"

namespace vaquita {
namespace {

// Returns the start of the column `qualifier` in the cell's row and family.
CellView StartOfColumn(const CellView& cell, std::string_view qualifier) {
  return {cell.row, cell.family, qualifier, kLatestTimestamp, CellType::kDeleteFamily, {}};
}

class ColumnPrefixFilter : public Filter {
 public:
  explicit ColumnPrefixFilter(std::string prefix) : prefix_(std::move(prefix)) {}
  FilterCode FilterCell(const CellView& cell) override {
    if (cell.qualifier.starts_with(prefix_)) return FilterCode::kInclude;
    return cell.qualifier < prefix_ ? FilterCode::kSeekNextUsingHint : FilterCode::kNextRow;
  }
  bool GetNextCellHint(const CellView& cell, CellView* hint) override {
    *hint = StartOfColumn(cell, prefix_);
    return true;
  }

 private:
  const std::string prefix_;
};

class MultipleColumnPrefixFilter : public Filter {
 public:
  // `prefixes` are sorted and distinct.
  explicit MultipleColumnPrefixFilter(std::vector<std::string> prefixes) : prefixes_(std::move(prefixes)) {}
  FilterCode FilterCell(const CellView& cell) override {
    if (prefixes_.empty()) return FilterCode::kInclude;
    const auto after = std::upper_bound(prefixes_.begin(), prefixes_.end(), cell.qualifier);
    if (after != prefixes_.begin() && cell.qualifier.starts_with(*(after - 1))) return FilterCode::kInclude;
    if (after == prefixes_.end()) return FilterCode::kNextRow;
    next_ = &*after;
    return FilterCode::kSeekNextUsingHint;
  }
  bool GetNextCellHint(const CellView& cell, CellView* hint) override {
    if (next_ == nullptr) return false;
    *hint = StartOfColumn(cell, *next_);
    return true;
  }

 private:
  const std::vector<std::string> prefixes_;
  const std::string* next_ = nullptr;  // in prefixes_: where the last answer seeks to
};

class ColumnRangeFilter : public Filter {
 public:
  explicit ColumnRangeFilter(const ColumnRangeFilterSpec& spec) : range_(spec) {}
  FilterCode FilterCell(const CellView& cell) override {
    if (range_.has_min) {
      const int from_min = cell.qualifier.compare(range_.min);
      if (from_min < 0) return FilterCode::kSeekNextUsingHint;
      if (from_min == 0 && !range_.min_inclusive) return FilterCode::kNextCol;
    }
    if (!range_.has_max) return FilterCode::kInclude;
    const int from_max = cell.qualifier.compare(range_.max);
    return from_max < 0 || (from_max == 0 && range_.max_inclusive) ? FilterCode::kInclude : FilterCode::kNextRow;
  }
  bool GetNextCellHint(const CellView& cell, CellView* hint) override {
    *hint = StartOfColumn(cell, range_.min);
    return true;
  }

 private:
  const ColumnRangeFilterSpec range_;
};

class ColumnCountGetFilter : public Filter {
 public:
  explicit ColumnCountGetFilter(int32_t limit) : limit_(limit) {}
  void Reset() override { count_ = 0; }
  bool FilterAllRemaining() override { return count_ > limit_; }
  bool FilterRowKey(std::string_view) override { return FilterAllRemaining(); }
  FilterCode FilterCell(const CellView&) override {
    ++count_;
    return FilterAllRemaining() ? FilterCode::kNextCol : FilterCode::kIncludeAndNextCol;
  }

 private:
  const int64_t limit_;
  int64_t count_ = 0;
};

class ColumnPaginationFilter : public Filter {
 public:
  explicit ColumnPaginationFilter(const ColumnPaginationFilterSpec& spec)
      : limit_(spec.limit),
        offset_(spec.offset),
        // Java's sum, which wraps around: the largest limit with an offset gives nothing.
        end_(static_cast<int32_t>(static_cast<uint32_t>(spec.limit) + static_cast<uint32_t>(spec.offset))),
        from_column_(!spec.column_offset.empty()),
        column_(from_column_ ? spec.column_offset.front() : "") {}

  void Reset() override { count_ = 0; }
  FilterCode FilterCell(const CellView& cell) override {
    if (from_column_) {
      if (count_ >= limit_) return FilterCode::kNextRow;
      if (count_ == 0 && cell.qualifier < column_) return FilterCode::kSeekNextUsingHint;
      ++count_;
      return FilterCode::kIncludeAndNextCol;
    }
    if (count_ >= end_) return FilterCode::kNextRow;
    return count_++ < offset_ ? FilterCode::kNextCol : FilterCode::kIncludeAndNextCol;
  }
  bool GetNextCellHint(const CellView& cell, CellView* hint) override {
    if (!from_column_) return false;
    *hint = StartOfColumn(cell, column_);
    return true;
  }

 private:
  const int32_t limit_;
  const int32_t offset_;
  const int32_t end_;
  const bool from_column_;
  const std::string column_;
  int32_t count_ = 0;
};

// The first cell of each row; or, with qualifiers, all until the first cell of one of those.
class FirstKeyFilter : public Filter {
 public:
  FirstKeyFilter() = default;
  explicit FirstKeyFilter(std::vector<std::string> qualifiers) : any_(false), qualifiers_(std::move(qualifiers)) {}
  void Reset() override { found_ = false; }
  FilterCode FilterCell(const CellView& cell) override {
    if (found_) return FilterCode::kNextRow;
    found_ = any_ || std::find(qualifiers_.begin(), qualifiers_.end(), cell.qualifier) != qualifiers_.end();
    return FilterCode::kInclude;
  }

 private:
  const bool any_ = true;
  const std::vector<std::string> qualifiers_{};
  bool found_ = false;
};

class KeyOnlyFilter : public Filter {
 public:
  explicit KeyOnlyFilter(bool length_as_value) : length_as_value_(length_as_value) {}
  CellView TransformCell(const CellView& cell) override {
    CellView key = cell;
    key.value = {};
    if (length_as_value_) {
      const auto length = static_cast<uint32_t>(cell.value.size());
      length_ = {static_cast<char>(length >> 24), static_cast<char>(length >> 16), static_cast<char>(length >> 8),
                 static_cast<char>(length)};
      key.value = {length_.data(), length_.size()};
    }
    return key;
  }

 private:
  const bool length_as_value_;
  std::array<char, 4> length_{};  // the length of the last cell's value, big-endian
};

class TimestampsFilter : public Filter {
 public:
  // `timestamps` are sorted.
  TimestampsFilter(std::vector<int64_t> timestamps, bool can_hint)
      : timestamps_(std::move(timestamps)), can_hint_(can_hint) {}
  FilterCode FilterCell(const CellView& cell) override {
    if (std::binary_search(timestamps_.begin(), timestamps_.end(), cell.timestamp_ms)) return FilterCode::kInclude;
    const int64_t least = timestamps_.empty() ? std::numeric_limits<int64_t>::max() : timestamps_.front();
    if (cell.timestamp_ms < least) return FilterCode::kNextCol;
    return can_hint_ ? FilterCode::kSeekNextUsingHint : FilterCode::kSkip;
  }
  // The next version to look at, or the column's end.
  bool GetNextCellHint(const CellView& cell, CellView* hint) override {
    if (!can_hint_) return false;
    const auto at = std::lower_bound(timestamps_.begin(), timestamps_.end(), cell.timestamp_ms);
    *hint = StartOfColumn(cell, cell.qualifier);
    if (at == timestamps_.begin()) {
      hint->timestamp_ms = std::numeric_limits<int64_t>::min();
      hint->type = CellType::kPut;
    } else {
      hint->timestamp_ms = *(at - 1);
    }
    return true;
  }

 private:
  const std::vector<int64_t> timestamps_;
  const bool can_hint_;
};

}  // namespace

FilterOr MakeFilterOf(const ColumnPrefixFilterSpec& spec, const FilterMaking&) {
  return std::make_unique<ColumnPrefixFilter>(spec.prefix);
}

FilterOr MakeFilterOf(const MultipleColumnPrefixFilterSpec& spec, const FilterMaking&) {
  std::vector<std::string> prefixes = spec.prefixes;
  std::sort(prefixes.begin(), prefixes.end());
  if (std::adjacent_find(prefixes.begin(), prefixes.end()) != prefixes.end())
    return IllegalArgument("prefixes must be distinct");
  return std::make_unique<MultipleColumnPrefixFilter>(std::move(prefixes));
}

FilterOr MakeFilterOf(const ColumnRangeFilterSpec& spec, const FilterMaking&) {
  return std::make_unique<ColumnRangeFilter>(spec);
}

FilterOr MakeFilterOf(const ColumnCountGetFilterSpec& spec, const FilterMaking&) {
  if (spec.limit < 0) return IllegalArgument("limit be positive " + std::to_string(spec.limit));
  return std::make_unique<ColumnCountGetFilter>(spec.limit);
}

FilterOr MakeFilterOf(const ColumnPaginationFilterSpec& spec, const FilterMaking&) {
  if (spec.limit < 0) return IllegalArgument("limit must be positive " + std::to_string(spec.limit));
  if (spec.column_offset.empty() && spec.offset < 0)
    return IllegalArgument("offset must be positive " + std::to_string(spec.offset));
  return std::make_unique<ColumnPaginationFilter>(spec);
}

FilterOr MakeFilterOf(const FirstKeyOnlyFilterSpec&, const FilterMaking&) { return std::make_unique<FirstKeyFilter>(); }

FilterOr MakeFilterOf(const FirstKeyValueMatchingQualifiersFilterSpec& spec, const FilterMaking&) {
  return std::make_unique<FirstKeyFilter>(spec.qualifiers);
}

FilterOr MakeFilterOf(const KeyOnlyFilterSpec& spec, const FilterMaking&) {
  return std::make_unique<KeyOnlyFilter>(spec.length_as_value);
}

FilterOr MakeFilterOf(const TimestampsFilterSpec& spec, const FilterMaking&) {
  std::vector<int64_t> timestamps = spec.timestamps_ms;
  for (const int64_t t : timestamps) {
    if (t < 0) return IllegalArgument("must be positive " + std::to_string(t));
  }
  std::sort(timestamps.begin(), timestamps.end());
  return std::make_unique<TimestampsFilter>(std::move(timestamps), spec.can_hint);
}

}  // namespace vaquita
