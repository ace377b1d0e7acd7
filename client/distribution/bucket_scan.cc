#include "client/distribution/bucket_scan.h"

#include <variant>

#include "absl/strings/str_cat.h"
#include "base/absl_text.h"
#include "base/status.h"
#include "model/row_after_prefix.h"

namespace vaquita::client {
namespace {

absl::Status Refused(std::string_view filter, std::string_view why) {
  return Error(ErrorKind::kIllegalArgument,
               absl::StrCat(AbslText(filter), " cannot be used on distributed row keys: ", AbslText(why)));
}

// Changes a filter, in place, so that it decides on the key behind `prefix`.
class ToBucket {
 public:
  explicit ToBucket(std::string_view prefix) : prefix_(prefix) {}

  absl::Status operator()(PrefixFilterSpec& spec) const { return Prepend(&spec.prefix); }
  absl::Status operator()(InclusiveStopFilterSpec& spec) const { return Prepend(&spec.stop_row); }
  absl::Status operator()(FuzzyRowFilterSpec& spec) const {
    for (auto& [pattern, mask] : spec.fuzzy_keys) {
      pattern.insert(0, prefix_);
      mask.insert(0, prefix_.size(), '\0');
    }
    return absl::OkStatus();
  }
  absl::Status operator()(MultiRowRangeFilterSpec& spec) const {
    for (RowRange& range : spec.ranges) range = RangeOfBucket(range, /*reversed=*/false, prefix_);
    return absl::OkStatus();
  }
  absl::Status operator()(CompareFilterSpec& spec) const {
    if (spec.what != CompareFilterSpec::What::kRow) return absl::OkStatus();
    switch (spec.comparator.type) {
      case ComparatorSpec::Type::kBinary:
      case ComparatorSpec::Type::kBinaryPrefix:
        return Prepend(&spec.comparator.bytes);
      case ComparatorSpec::Type::kBinaryComponent:
        return MoveOffset(&spec.comparator.offset);
      default:
        return Refused("RowFilter",
                       "its comparator would see the prefix too; binary, binaryprefix and binarycomponent "
                       "can be used");
    }
  }
  absl::Status operator()(WhileMatchFilterSpec&) const {
    return Refused("WhileMatchFilter", "the row that ends it in one bucket does not end the other buckets");
  }
  absl::Status operator()(SparkSqlFilterSpec&) const {
    return Refused("SparkSQLPushDownFilter", "its expression would see the prefix, too");
  }
  absl::Status operator()(SkipFilterSpec& spec) const { return All(&spec.filter); }
  absl::Status operator()(FilterListSpec& spec) const { return All(&spec.filters); }
  template <typename Other>
  absl::Status operator()(Other&) const {
    return absl::OkStatus();
  }

 private:
  absl::Status MoveOffset(int32_t* offset) const {
    if (!__builtin_add_overflow(*offset, prefix_.size(), offset)) return absl::OkStatus();
    return Refused("RowFilter", absl::StrCat("the offset of its comparator, binarycomponent, grows by the prefix's ",
                                             prefix_.size(), " bytes, beyond 2147483647"));
  }
  absl::Status Prepend(std::string* bytes) const {
    bytes->insert(0, prefix_);
    return absl::OkStatus();
  }
  absl::Status All(std::vector<FilterSpec>* filters) const {
    for (FilterSpec& filter : *filters) VAQUITA_RETURN_IF_ERROR(std::visit(*this, filter.kind));
    return absl::OkStatus();
  }

  const std::string_view prefix_;
};

struct IgnoresRows {
  static absl::Status SeesRow(std::string_view filter) {
    return Refused(filter, "it looks at the row, whose bytes are in another order there");
  }

  absl::Status operator()(const PrefixFilterSpec&) const { return SeesRow("PrefixFilter"); }
  absl::Status operator()(const InclusiveStopFilterSpec&) const { return SeesRow("InclusiveStopFilter"); }
  absl::Status operator()(const FuzzyRowFilterSpec&) const { return SeesRow("FuzzyRowFilter"); }
  absl::Status operator()(const MultiRowRangeFilterSpec&) const { return SeesRow("MultiRowRangeFilter"); }
  absl::Status operator()(const WhileMatchFilterSpec&) const { return SeesRow("WhileMatchFilter"); }
  absl::Status operator()(const SparkSqlFilterSpec&) const { return SeesRow("SparkSQLPushDownFilter"); }
  absl::Status operator()(const CompareFilterSpec& spec) const {
    return spec.what == CompareFilterSpec::What::kRow ? SeesRow("RowFilter") : absl::OkStatus();
  }
  absl::Status operator()(const SkipFilterSpec& spec) const { return All(spec.filter); }
  absl::Status operator()(const FilterListSpec& spec) const { return All(spec.filters); }
  template <typename Other>
  absl::Status operator()(const Other&) const {
    return absl::OkStatus();
  }

  absl::Status All(const std::vector<FilterSpec>& filters) const {
    for (const FilterSpec& filter : filters) VAQUITA_RETURN_IF_ERROR(std::visit(*this, filter.kind));
    return absl::OkStatus();
  }
};

}  // namespace

RowRange RangeOfBucket(const RowRange& original, bool reversed, std::string_view prefix) {
  if (prefix.empty()) return original;
  RowRange range = original;
  range.start.insert(0, prefix);
  range.stop.insert(0, prefix);
  // The bucket's ends: its first row, and the row behind its last.
  const auto from_first_row = [&](bool* inclusive) { *inclusive = true; };
  const auto to_last_row = [&](std::string* row, bool* inclusive) {
    *row = RowAfterPrefix(prefix);
    *inclusive = row->empty();  // an empty row is the table's end, which is not a row
  };
  if (!reversed) {
    if (original.start.empty()) from_first_row(&range.start_inclusive);
    if (original.stop.empty()) to_last_row(&range.stop, &range.stop_inclusive);
  } else {
    if (original.start.empty()) to_last_row(&range.start, &range.start_inclusive);
    if (original.stop.empty()) from_first_row(&range.stop_inclusive);
  }
  return range;
}

absl::StatusOr<FilterSpec> FilterOfBucket(const FilterSpec& original, std::string_view prefix) {
  FilterSpec filter = original;
  if (!prefix.empty()) VAQUITA_RETURN_IF_ERROR(std::visit(ToBucket(prefix), filter.kind));
  return filter;
}

absl::StatusOr<Scan> ScanOfBucket(const Scan& original, std::string_view prefix) {
  Scan scan = original;
  scan.rows = RangeOfBucket(original.rows, original.reversed, prefix);
  if (original.filter) {
    VAQUITA_ASSIGN_OR_RETURN(scan.filter, FilterOfBucket(*original.filter, prefix));
  }
  return scan;
}

absl::Status CheckIgnoresRows(const FilterSpec& filter) { return std::visit(IgnoresRows(), filter.kind); }

}  // namespace vaquita::client
