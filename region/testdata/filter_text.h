// region/testdata/filter_text.h: for tests: filters from and to the text that the case files have.
#pragma once

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <variant>

#include "model/filter_spec.h"
#include "region/testdata/case_text.h"

namespace vaquita::cases {

inline constexpr const char* kOperators[] = {"LESS",    "LESS_OR_EQUAL", "EQUAL", "NOT_EQUAL", "GREATER_OR_EQUAL",
                                             "GREATER", "NO_OP"};

inline CompareOp ReadOperator(const std::string& text) {
  const auto* at = std::find(std::begin(kOperators), std::end(kOperators), text);
  EXPECT_NE(at, std::end(kOperators)) << text;
  return static_cast<CompareOp>(at - std::begin(kOperators));
}

inline ComparatorSpec ReadComparator(const Node& n) {
  using Type = ComparatorSpec::Type;
  ComparatorSpec c;
  if (n.name() == "null") {
    c.type = Type::kNull;
    return c;
  }
  c.bytes = n.bytes(1);
  if (n.name() == "binary") c.type = Type::kBinary;
  if (n.name() == "binaryprefix") c.type = Type::kBinaryPrefix;
  if (n.name() == "substring") c.type = Type::kSubstring;
  if (n.name() == "long") c.type = Type::kLong;
  if (n.name() == "bigdecimal") c.type = Type::kBigDecimal;
  if (n.name() == "component") {
    c.type = Type::kBinaryComponent;
    c.offset = static_cast<int32_t>(n.number(2));
  }
  if (n.name() == "regex") {
    c.type = Type::kRegex;
    c.regex_flags = static_cast<int32_t>(n.number(2));
    c.charset = n.bytes(3);
  }
  if (n.name() == "bit") {
    c.type = Type::kBit;
    c.bit_op = n.text(1) == "AND"  ? ComparatorSpec::BitOp::kAnd
               : n.text(1) == "OR" ? ComparatorSpec::BitOp::kOr
                                   : ComparatorSpec::BitOp::kXor;
    c.bytes = n.bytes(2);
  }
  return c;
}

inline FilterSpec ReadFilter(const Node& n);

inline std::vector<FilterSpec> ReadFilters(const Node& n) {
  std::vector<FilterSpec> filters;
  for (size_t i = 1; i < n.list.size(); ++i) filters.push_back(ReadFilter(n.list[i]));
  return filters;
}

inline std::vector<std::string> ReadAll(const Node& n) {
  std::vector<std::string> all;
  for (size_t i = 1; i < n.list.size(); ++i) all.push_back(n.bytes(i));
  return all;
}

inline FilterSpec ReadColumnRange(const Node& n) {
  ColumnRangeFilterSpec spec{n.text(1) != "null", n.flag(2), n.text(3) != "null", n.flag(4)};
  if (spec.has_min) spec.min = n.bytes(1);
  if (spec.has_max) spec.max = n.bytes(3);
  return {spec};
}

inline FilterSpec ReadFilter(const Node& n) {
  using What = CompareFilterSpec::What;
  const std::string& name = n.name();
  if (name == "AND") return {FilterListSpec{FilterListSpec::Operator::kMustPassAll, ReadFilters(n)}};
  if (name == "OR") return {FilterListSpec{FilterListSpec::Operator::kMustPassOne, ReadFilters(n)}};
  if (name == "Skip") return {SkipFilterSpec{ReadFilters(n)}};
  if (name == "While") return {WhileMatchFilterSpec{ReadFilters(n)}};
  static constexpr std::pair<const char*, What> kWhats[] = {
      {"Row", What::kRow}, {"Family", What::kFamily}, {"Qualifier", What::kQualifier}, {"Value", What::kValue}};
  for (const auto& [text, what] : kWhats) {
    if (name == text) return {CompareFilterSpec{what, ReadOperator(n.text(1)), ReadComparator(n.list.at(2))}};
  }
  if (name == "SingleColumnValue") {
    return {SingleColumnValueFilterSpec{n.bytes(1), n.bytes(2), ReadOperator(n.text(3)), ReadComparator(n.list.at(4)),
                                        n.flag(5), n.flag(6), n.flag(7)}};
  }
  if (name == "DependentColumn") {
    DependentColumnFilterSpec spec{n.bytes(1), n.bytes(2), n.flag(3), ReadOperator(n.text(4)), {}};
    if (n.list.size() > 5) spec.comparator.push_back(ReadComparator(n.list[5]));
    return {spec};
  }
  if (name == "ColumnValue") {
    return {ColumnValueFilterSpec{n.bytes(1), n.bytes(2), ReadOperator(n.text(3)), ReadComparator(n.list.at(4))}};
  }
  if (name == "ColumnPrefix") return {ColumnPrefixFilterSpec{n.bytes(1)}};
  if (name == "MultipleColumnPrefix") return {MultipleColumnPrefixFilterSpec{ReadAll(n)}};
  if (name == "ColumnRange") return ReadColumnRange(n);
  if (name == "ColumnCountGet") return {ColumnCountGetFilterSpec{static_cast<int32_t>(n.number(1))}};
  if (name == "ColumnPagination") {
    return {ColumnPaginationFilterSpec{static_cast<int32_t>(n.number(1)), static_cast<int32_t>(n.number(2)), {}}};
  }
  if (name == "ColumnPaginationFrom")
    return {ColumnPaginationFilterSpec{static_cast<int32_t>(n.number(1)), -1, {n.bytes(2)}}};
  if (name == "Page") return {PageFilterSpec{n.number(1)}};
  if (name == "Prefix") return {PrefixFilterSpec{n.bytes(1)}};
  if (name == "FirstKeyOnly") return {FirstKeyOnlyFilterSpec{}};
  if (name == "FirstKeyMatching") return {FirstKeyValueMatchingQualifiersFilterSpec{ReadAll(n)}};
  if (name == "KeyOnly") return {KeyOnlyFilterSpec{n.flag(1)}};
  if (name == "InclusiveStop") return {InclusiveStopFilterSpec{n.bytes(1)}};
  if (name == "FuzzyRow") {
    FuzzyRowFilterSpec spec;
    for (size_t i = 1; i < n.list.size(); i += 2) spec.fuzzy_keys.emplace_back(n.bytes(i), n.bytes(i + 1));
    return {spec};
  }
  if (name == "MultiRowRange") {
    MultiRowRangeFilterSpec spec;
    for (size_t i = 1; i < n.list.size(); i += 4)
      spec.ranges.push_back({n.bytes(i), n.bytes(i + 2), n.flag(i + 1), n.flag(i + 3)});
    return {spec};
  }
  if (name == "Timestamps") {
    TimestampsFilterSpec spec{{}, n.flag(1)};
    for (size_t i = 2; i < n.list.size(); ++i) spec.timestamps_ms.push_back(n.number(i));
    return {spec};
  }
  ADD_FAILURE() << "no filter " << name;
  return {};
}

inline FilterSpec ReadFilter(std::string_view text) { return ReadFilter(TakeNode(&text)); }

// Writes a filter as text, for the filters that the filter language makes.
struct FilterWriter {
  static std::string Flag(bool flag) { return flag ? " true" : " false"; }
  static std::string Op(CompareOp op) { return std::string(" ") + kOperators[static_cast<int>(op)]; }
  static std::string Column(const auto& spec) { return " " + Token(spec.family) + " " + Token(spec.qualifier); }
  static std::string Comparator(const ComparatorSpec& c) {
    using Type = ComparatorSpec::Type;
    if (c.type == Type::kRegex)
      return " (regex " + Token(c.bytes) + " " + std::to_string(c.regex_flags) + " " + Token(c.charset) + ")";
    const char* name = c.type == Type::kBinary         ? "binary"
                       : c.type == Type::kBinaryPrefix ? "binaryprefix"
                                                       : "substring";
    std::string bytes = c.bytes;
    // HBase's substring comparator gives its text in lower case.
    if (c.type == Type::kSubstring)
      std::transform(bytes.begin(), bytes.end(), bytes.begin(), [](char x) { return std::tolower(x); });
    return std::string(" (") + name + " " + Token(bytes) + ")";
  }
  static std::string All(const char* name, const std::vector<FilterSpec>& filters) {
    std::string text = std::string("(") + name;
    for (const FilterSpec& f : filters) text += " " + std::visit(FilterWriter{}, f.kind);
    return text + ")";
  }

  std::string operator()(const FilterListSpec& s) const {
    return All(s.op == FilterListSpec::Operator::kMustPassAll ? "AND" : "OR", s.filters);
  }
  std::string operator()(const SkipFilterSpec& s) const { return All("Skip", s.filter); }
  std::string operator()(const WhileMatchFilterSpec& s) const { return All("While", s.filter); }
  std::string operator()(const CompareFilterSpec& s) const {
    static constexpr const char* kNames[] = {"(Row", "(Family", "(Qualifier", "(Value"};
    return kNames[static_cast<int>(s.what)] + Op(s.op) + Comparator(s.comparator) + ")";
  }
  std::string operator()(const SingleColumnValueFilterSpec& s) const {
    return "(SingleColumnValue" + Column(s) + Op(s.op) + Comparator(s.comparator) + Flag(s.filter_if_missing) +
           Flag(s.latest_version_only) + Flag(s.exclude_column) + ")";
  }
  std::string operator()(const DependentColumnFilterSpec& s) const {
    return "(DependentColumn" + Column(s) + Flag(s.drop_dependent_column) + Op(s.op) +
           (s.comparator.empty() ? "" : Comparator(s.comparator.front())) + ")";
  }
  std::string operator()(const ColumnValueFilterSpec& s) const {
    return "(ColumnValue" + Column(s) + Op(s.op) + Comparator(s.comparator) + ")";
  }
  std::string operator()(const ColumnPrefixFilterSpec& s) const { return "(ColumnPrefix " + Token(s.prefix) + ")"; }
  std::string operator()(const MultipleColumnPrefixFilterSpec& s) const {
    std::vector<std::string> prefixes = s.prefixes;
    std::sort(prefixes.begin(), prefixes.end());
    std::string text = "(MultipleColumnPrefix";
    for (const std::string& p : prefixes) text += " " + Token(p);
    return text + ")";
  }
  std::string operator()(const ColumnRangeFilterSpec& s) const {
    return "(ColumnRange " + (s.has_min ? Token(s.min) : "null") + Flag(s.min_inclusive) + " " +
           (s.has_max ? Token(s.max) : "null") + Flag(s.max_inclusive) + ")";
  }
  std::string operator()(const ColumnCountGetFilterSpec& s) const {
    return "(ColumnCountGet " + std::to_string(s.limit) + ")";
  }
  std::string operator()(const ColumnPaginationFilterSpec& s) const {
    return "(ColumnPagination " + std::to_string(s.limit) + " " + std::to_string(s.offset) + ")";
  }
  std::string operator()(const PageFilterSpec& s) const { return "(Page " + std::to_string(s.page_size) + ")"; }
  std::string operator()(const PrefixFilterSpec& s) const { return "(Prefix " + Token(s.prefix) + ")"; }
  std::string operator()(const FirstKeyOnlyFilterSpec&) const { return "(FirstKeyOnly)"; }
  std::string operator()(const KeyOnlyFilterSpec& s) const { return "(KeyOnly" + Flag(s.length_as_value) + ")"; }
  std::string operator()(const InclusiveStopFilterSpec& s) const { return "(InclusiveStop " + Token(s.stop_row) + ")"; }
  std::string operator()(const TimestampsFilterSpec& s) const {
    std::vector<int64_t> timestamps = s.timestamps_ms;
    std::sort(timestamps.begin(), timestamps.end());
    timestamps.erase(std::unique(timestamps.begin(), timestamps.end()), timestamps.end());
    std::string text = "(Timestamps" + Flag(s.can_hint);
    for (const int64_t t : timestamps) text += " " + std::to_string(t);
    return text + ")";
  }
  std::string operator()(const auto&) const { return "(not of the language)"; }
};

inline std::string WriteFilter(const FilterSpec& spec) { return std::visit(FilterWriter{}, spec.kind); }

}  // namespace vaquita::cases
