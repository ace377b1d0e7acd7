#include "sql/plan/key_ranges.h"

#include <algorithm>

#include "model/row_after_prefix.h"
#include "sql/encoding/index_value.h"
#include "sql/encoding/value_codec.h"

namespace vaquita::sql {
namespace {

// Returns the rows that begin with `prefix`.
RowRange RowsWithPrefix(const std::string& prefix) { return {prefix, RowAfterPrefix(prefix)}; }

// Returns a bound's bytes as the column has them, without the separator.
std::string BoundBytes(const KeyColumn& column, const Value& value) {
  std::string bytes = EncodeKeyPart(column, value, /*last=*/true);
  if (column.descending && column.type.FixedWidth() == 0 && !bytes.empty()) bytes.pop_back();
  return bytes;
}

// Returns the rows under `prefix` whose next column is within the bounds.
RowRange RowsWithin(const std::string& prefix, const KeyColumn& column, const KeyCondition& condition, bool last) {
  RowRange range = RowsWithPrefix(prefix);
  const bool variable = column.type.FixedWidth() == 0;
  auto begin = std::pair(condition.low, condition.low_inclusive);
  auto end = std::pair(condition.high, condition.high_inclusive);
  if (column.descending) std::swap(begin, end);
  if (begin.first.has_value()) {
    range.start = prefix + BoundBytes(column, *begin.first);
    // A descending text is ended by ff: one that begins with the bound's bytes comes before it.
    if (!begin.second && !variable) range.start = RowAfterPrefix(range.start);
  }
  if (end.first.has_value()) {
    const std::string bound = prefix + BoundBytes(column, *end.first);
    if (!end.second && !(variable && column.descending)) {
      range.stop = bound;
    } else if (variable && last && !column.descending) {
      range.stop = bound + std::string(1, '\0');  // just that key
    } else if (variable && !column.descending) {
      range.stop = bound + '\1';  // the keys that go on after the separator
    } else {
      range.stop = RowAfterPrefix(bound);
    }
  }
  return range;
}

// Returns each prefix with each value of a column behind it.
std::vector<std::string> Extend(const std::vector<std::string>& prefixes, const KeyColumn& column,
                                const std::vector<Value>& values, bool last) {
  std::vector<std::string> parts;
  for (const Value& value : values) parts.push_back(EncodeKeyPart(column, value, last));
  std::ranges::sort(parts);
  parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
  std::vector<std::string> extended;
  for (const std::string& prefix : prefixes)
    for (const std::string& part : parts) extended.push_back(prefix + part);
  return extended;
}

// A text with a 00 byte looks like one that ends there, so ranges may overlap, and a row is to come once.
std::vector<RowRange> JoinOverlapping(std::vector<RowRange> ranges) {
  std::ranges::sort(ranges, {}, &RowRange::start);
  std::vector<RowRange> joined;
  for (RowRange& range : ranges) {
    if (joined.empty() || (!joined.back().stop.empty() && joined.back().stop <= range.start)) {
      joined.push_back(std::move(range));
    } else if (range.stop.empty() || (!joined.back().stop.empty() && joined.back().stop < range.stop)) {
      joined.back().stop = std::move(range.stop);
    }
  }
  return joined;
}

// Sets `*whole_keys` if each range is of one key: there may be too many, or they have nulls at their end.
std::vector<RowRange> WithoutSalt(const std::vector<KeyColumn>& columns, const std::vector<KeyCondition>& conditions,
                                  bool* whole_keys) {
  std::vector<std::string> prefixes = {""};
  size_t at = 0;
  for (; at < columns.size(); ++at) {
    const std::vector<Value>& values = conditions[at].equal;
    if (values.empty() || prefixes.size() * values.size() > kMostKeyRanges) break;
    // A null at the key's end may have left no trace, so it ends the prefix.
    if (std::ranges::any_of(values, &Value::is_null) && at > 0) break;
    prefixes = Extend(prefixes, columns[at], values, at + 1 == columns.size());
  }
  *whole_keys = at == columns.size();
  std::vector<RowRange> ranges;
  for (const std::string& prefix : prefixes) {
    if (at == columns.size()) {
      ranges.push_back({prefix, prefix + std::string(1, '\0')});
    } else if (conditions[at].low.has_value() || conditions[at].high.has_value()) {
      ranges.push_back(RowsWithin(prefix, columns[at], conditions[at], at + 1 == columns.size()));
    } else if (at > 0 && columns[at - 1].type.FixedWidth() == 0 && !columns[at - 1].descending) {
      // The key may end here, where nulls follow: then it lacks the separator.
      RowRange range = RowsWithPrefix(prefix);
      range.start.pop_back();
      ranges.push_back(range);
    } else {
      ranges.push_back(RowsWithPrefix(prefix));
    }
  }
  std::erase_if(ranges, [](const RowRange& range) { return !range.stop.empty() && range.start >= range.stop; });
  return JoinOverlapping(std::move(ranges));
}

}  // namespace

void AddKeyCondition(KeyOp op, const std::vector<Value>& values, const ColumnDef& column, KeyCondition* condition) {
  if (op == KeyOp::kIsNull) {
    condition->equal = {Value()};
    return;
  }
  const auto in_key = [&](const Value& value) {
    return column.type_in_key.has_value() ? ToIndexValue(column.type, *column.type_in_key, value) : value;
  };
  if (op == KeyOp::kEqual) {
    std::vector<Value> equal;
    for (const Value& value : values) {
      const auto fits = CoerceValue(column.type, column.type, value, "");
      if (fits.ok() && !fits->is_null()) equal.push_back(in_key(*fits));
    }
    if (equal.empty()) condition->never = true;
    if (condition->equal.empty()) condition->equal = std::move(equal);
    return;
  }
  if (values[0].is_null()) {
    condition->never = true;
    return;
  }
  const auto bound = CoerceValue(column.type, column.type, values[0], "");
  // The empty text is below every text.
  if (!bound.ok() || bound->is_null()) return;
  const bool low = op == KeyOp::kGreater || op == KeyOp::kGreaterOrEqual;
  auto& side = low ? condition->low : condition->high;
  if (side.has_value()) return;
  side = in_key(*bound);
  // A bound that was rounded may be a value of its own on the right side of the one that was asked for.
  (low ? condition->low_inclusive : condition->high_inclusive) =
      *bound != values[0] || op == KeyOp::kGreaterOrEqual || op == KeyOp::kLessOrEqual;
}

std::vector<RowRange> KeyRanges(const std::vector<KeyColumn>& columns, const std::vector<KeyCondition>& conditions,
                                int32_t salt_buckets) {
  for (const KeyCondition& condition : conditions)
    if (condition.never) return {};
  bool whole_keys = false;
  const std::vector<RowRange> found = WithoutSalt(columns, conditions, &whole_keys);
  std::vector<RowRange> ranges;
  VisitBuckets(found, salt_buckets, whole_keys, [&](const RowRange& range) { ranges.push_back(range); });
  return ranges;
}

void VisitBuckets(const std::vector<RowRange>& ranges, int32_t salt_buckets, bool whole_keys,
                  absl::FunctionRef<void(const RowRange&)> visit) {
  if (salt_buckets == 0) std::ranges::for_each(ranges, visit);
  for (int32_t bucket = 0; bucket < salt_buckets; ++bucket) {
    const std::string salt(1, static_cast<char>(bucket));
    for (const RowRange& range : ranges) {
      if (whole_keys && SaltOf(range.start, salt_buckets) != salt[0]) continue;
      visit({salt + range.start, range.stop.empty() ? RowAfterPrefix(salt) : salt + range.stop});
    }
  }
}

}  // namespace vaquita::sql
