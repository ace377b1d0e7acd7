#include "model/filter_size.h"

#include <string>
#include <variant>
#include <vector>

namespace vaquita {
namespace {

constexpr int64_t kFilterBytes = 200;
constexpr int64_t kTextBytes = sizeof(std::string);
constexpr int64_t kRegexBytes = 4096;         // its tables and compiled code, and
constexpr int64_t kRegexBytesPerLetter = 64;  // in addition

// Adds up the filters that it is called with.
struct FilterMeasure {
  FilterSize size;

  void Add(const FilterSpec& spec) {
    ++size.parts;
    size.bytes += kFilterBytes;
    std::visit([this](const auto& kind) { (*this)(kind); }, spec.kind);
  }
  void Add(const std::vector<FilterSpec>& specs) {
    for (const FilterSpec& spec : specs) Add(spec);
  }
  void Text(const std::string& text) { size.bytes += kTextBytes + static_cast<int64_t>(text.size()); }
  void Parts(const std::vector<std::string>& texts) {
    size.parts += static_cast<int64_t>(texts.size());
    for (const std::string& text : texts) Text(text);
  }
  void Comparator(const ComparatorSpec& comparator) {
    Text(comparator.bytes);
    if (comparator.type != ComparatorSpec::Type::kRegex) return;
    const auto letters = static_cast<int64_t>(comparator.bytes.size());
    size.parts += kPartsOfARegex + letters;
    size.bytes += kRegexBytes + kRegexBytesPerLetter * letters;
  }

  void operator()(const FilterListSpec& list) { Add(list.filters); }
  void operator()(const SkipFilterSpec& skip) { Add(skip.filter); }
  void operator()(const WhileMatchFilterSpec& match) { Add(match.filter); }
  void operator()(const CompareFilterSpec& compare) { Comparator(compare.comparator); }
  void operator()(const SingleColumnValueFilterSpec& single) {
    Text(single.family);
    Text(single.qualifier);
    Comparator(single.comparator);
  }
  void operator()(const DependentColumnFilterSpec& dependent) {
    Text(dependent.family);
    Text(dependent.qualifier);
    for (const ComparatorSpec& comparator : dependent.comparator) Comparator(comparator);
  }
  void operator()(const ColumnValueFilterSpec& value) {
    Text(value.family);
    Text(value.qualifier);
    Comparator(value.comparator);
  }
  void operator()(const ColumnPrefixFilterSpec& prefix) { Text(prefix.prefix); }
  void operator()(const MultipleColumnPrefixFilterSpec& prefixes) { Parts(prefixes.prefixes); }
  void operator()(const ColumnRangeFilterSpec& range) {
    Text(range.min);
    Text(range.max);
  }
  void operator()(const ColumnPaginationFilterSpec& pages) { Parts(pages.column_offset); }
  void operator()(const PrefixFilterSpec& prefix) { Text(prefix.prefix); }
  void operator()(const InclusiveStopFilterSpec& stop) { Text(stop.stop_row); }
  void operator()(const FirstKeyValueMatchingQualifiersFilterSpec& first) { Parts(first.qualifiers); }
  void operator()(const TimestampsFilterSpec& timestamps) {
    const auto count = static_cast<int64_t>(timestamps.timestamps_ms.size());
    size.parts += count;
    size.bytes += 8 * count;
  }
  void operator()(const FuzzyRowFilterSpec& fuzzy) {
    for (const auto& [key, mask] : fuzzy.fuzzy_keys) {
      ++size.parts;
      Text(key);
      Text(mask);
      Text(key);  // the next row that could fit it
    }
  }
  void operator()(const MultiRowRangeFilterSpec& ranges) {
    for (const RowRange& range : ranges.ranges) {
      ++size.parts;
      Text(range.start);
      Text(range.stop);
    }
  }
  // An expression's shortest test has 6 letters, and becomes words, a node and its column's name.
  void operator()(const SparkSqlFilterSpec& spark) {
    const auto letters = static_cast<int64_t>(spark.expression.size());
    size.parts += letters / 6;
    size.bytes += 32 * letters;
    Parts(spark.values);
    for (const auto& column : spark.columns) Parts({column.family, column.qualifier, column.name});
  }
  // The others have numbers only.
  void operator()(const FilterAllSpec&) {}
  void operator()(const ColumnCountGetFilterSpec&) {}
  void operator()(const PageFilterSpec&) {}
  void operator()(const FirstKeyOnlyFilterSpec&) {}
  void operator()(const KeyOnlyFilterSpec&) {}
  void operator()(const RandomRowFilterSpec&) {}
};

}  // namespace

FilterSize SizeOf(const FilterSpec& spec) {
  FilterMeasure measure;
  measure.Add(spec);
  return measure.size;
}

}  // namespace vaquita
