#include "tests/semantics/filter_form.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "region/filter/filter_language.h"
#include "tests/semantics/words.h"

namespace vaquita::semantics {
namespace {

using Words = std::vector<std::string>;
using Form = std::function<absl::StatusOr<FilterSpec>(const Words&)>;

// java.util.regex.Pattern's flags, which a regex comparator carries.
constexpr int kDotAll = 32;
constexpr int kCaseInsensitive = 2;

Words Inside(std::string_view group) { return SplitWords(group.substr(1, group.size() - 2)); }

bool Has(const Words& words, std::string_view flag) {
  return std::find(words.begin(), words.end(), flag) != words.end();
}

const std::string& At(const Words& words, size_t index) {
  if (index >= words.size()) throw ScriptError("a filter's form lacks a word");
  return words[index];
}

ComparatorSpec BitComparator(std::string_view bytes, ComparatorSpec::BitOp op) {
  ComparatorSpec spec{.type = ComparatorSpec::Type::kBit, .bytes = std::string(bytes)};
  spec.bit_op = op;
  return spec;
}

ComparatorSpec Regex(std::string_view pattern, int flags) {
  ComparatorSpec spec{.type = ComparatorSpec::Type::kRegex, .bytes = std::string(pattern)};
  spec.regex_flags = flags;
  return spec;
}

ComparatorSpec Component(std::string_view word) {
  const size_t colon = word.find(':');
  ComparatorSpec spec{.type = ComparatorSpec::Type::kBinaryComponent, .bytes = std::string(word.substr(colon + 1))};
  spec.offset = static_cast<int32_t>(ParseNumber(word.substr(0, colon)));
  return spec;
}

ComparatorSpec ParseComparator(std::string_view word) {
  using Type = ComparatorSpec::Type;
  if (word == "null") return {.type = Type::kNull};
  const auto [kind, rest] = SplitColumn(word);
  if (kind == "binary") return {.type = Type::kBinary, .bytes = ValueOf(rest)};
  if (kind == "prefix") return {.type = Type::kBinaryPrefix, .bytes = rest};
  if (kind == "regex") return Regex(rest, kDotAll);
  if (kind == "regex-i") return Regex(rest, kDotAll | kCaseInsensitive);
  if (kind == "substring") return {.type = Type::kSubstring, .bytes = rest};
  if (kind == "bit-and") return BitComparator(rest, ComparatorSpec::BitOp::kAnd);
  if (kind == "bit-or") return BitComparator(rest, ComparatorSpec::BitOp::kOr);
  if (kind == "bit-xor") return BitComparator(rest, ComparatorSpec::BitOp::kXor);
  if (kind == "long") return {.type = Type::kLong, .bytes = LongBytes(ParseNumber(rest))};
  if (kind == "decimal") return {.type = Type::kBigDecimal, .bytes = DecimalBytes(rest)};
  if (kind == "component") return Component(rest);
  throw ScriptError("unknown comparator: " + std::string(word));
}

Form Compare(CompareFilterSpec::What what) {
  return [what](const Words& words) {
    return FilterSpec{CompareFilterSpec{what, ParseOp(At(words, 0)), ParseComparator(At(words, 1))}};
  };
}

Form List(FilterListSpec::Operator op) {
  return [op](const Words& words) -> absl::StatusOr<FilterSpec> {
    FilterListSpec list{op, {}};
    for (const std::string& word : words) {
      VAQUITA_ASSIGN_OR_RETURN(FilterSpec filter, ParseFilter(word));
      list.filters.push_back(std::move(filter));
    }
    return FilterSpec{std::move(list)};
  };
}

template <typename Spec>
absl::StatusOr<FilterSpec> Around(const Words& words) {
  VAQUITA_ASSIGN_OR_RETURN(FilterSpec inner, ParseFilter(At(words, 0)));
  Spec spec;
  spec.filter.push_back(std::move(inner));
  return FilterSpec{std::move(spec)};
}

Form SingleColumn(bool exclude) {
  return [exclude](const Words& words) {
    SingleColumnValueFilterSpec spec;
    std::tie(spec.family, spec.qualifier) = SplitColumn(At(words, 0));
    spec.op = ParseOp(At(words, 1));
    spec.comparator = ParseComparator(At(words, 2));
    spec.filter_if_missing = Has(words, "if-missing");
    spec.latest_version_only = !Has(words, "all-versions");
    spec.exclude_column = exclude;
    return FilterSpec{std::move(spec)};
  };
}

absl::StatusOr<FilterSpec> ColumnValue(const Words& words) {
  ColumnValueFilterSpec spec;
  std::tie(spec.family, spec.qualifier) = SplitColumn(At(words, 0));
  spec.op = ParseOp(At(words, 1));
  spec.comparator = ParseComparator(At(words, 2));
  return FilterSpec{std::move(spec)};
}

absl::StatusOr<FilterSpec> DependentColumn(const Words& words) {
  DependentColumnFilterSpec spec;
  std::tie(spec.family, spec.qualifier) = SplitColumn(At(words, 0));
  spec.drop_dependent_column = Has(words, "drop");
  if (words.size() >= 3) {
    spec.op = ParseOp(words[1]);
    spec.comparator.push_back(ParseComparator(words[2]));
  }
  return FilterSpec{std::move(spec)};
}

// (KEY MASK) pairs; the mask has 0 where the key's byte must match and 1 where any byte does.
absl::StatusOr<FilterSpec> Fuzzy(const Words& words) {
  FuzzyRowFilterSpec spec;
  for (const std::string& word : words) {
    const Words pair = Inside(word);
    std::string mask = At(pair, 1);
    for (char& c : mask) c = static_cast<char>(c - '0');
    spec.fuzzy_keys.emplace_back(At(pair, 0), mask);
  }
  return FilterSpec{std::move(spec)};
}

absl::StatusOr<FilterSpec> MultiRowRange(const Words& words) {
  MultiRowRangeFilterSpec spec;
  for (const std::string& word : words) {
    const Words range = Inside(word);
    spec.ranges.push_back({At(range, 0), At(range, 1), !Has(range, "start-exclusive"), Has(range, "stop-inclusive")});
  }
  return FilterSpec{std::move(spec)};
}

absl::StatusOr<FilterSpec> Timestamps(const Words& words) {
  TimestampsFilterSpec spec;
  for (const std::string& word : words) {
    if (word == "hint") {
      spec.can_hint = true;
    } else {
      spec.timestamps_ms.push_back(ParseTimestamp(word));
    }
  }
  return FilterSpec{std::move(spec)};
}

absl::StatusOr<FilterSpec> Pagination(const Words& words) {
  ColumnPaginationFilterSpec spec;
  spec.limit = static_cast<int32_t>(ParseNumber(At(words, 0)));
  spec.column_offset.push_back(At(words, 1));
  return FilterSpec{std::move(spec)};
}

const std::map<std::string, Form, std::less<>>& Forms() {
  using What = CompareFilterSpec::What;
  static const auto* const forms = new std::map<std::string, Form, std::less<>>{
      {"and", List(FilterListSpec::Operator::kMustPassAll)},
      {"or", List(FilterListSpec::Operator::kMustPassOne)},
      {"language", [](const Words& words) { return ParseFilterLanguage(At(words, 0)); }},
      {"skip", Around<SkipFilterSpec>},
      {"while", Around<WhileMatchFilterSpec>},
      {"row", Compare(What::kRow)},
      {"family", Compare(What::kFamily)},
      {"qualifier", Compare(What::kQualifier)},
      {"value", Compare(What::kValue)},
      {"column-value", ColumnValue},
      {"single-column", SingleColumn(false)},
      {"single-column-exclude", SingleColumn(true)},
      {"dependent-column", DependentColumn},
      {"fuzzy", Fuzzy},
      {"multi-row-range", MultiRowRange},
      {"pagination", Pagination},
      {"key-only", [](const Words& words) { return FilterSpec{KeyOnlyFilterSpec{Has(words, "length")}}; }},
      {"timestamps", Timestamps},
      {"random",
       [](const Words& words) { return FilterSpec{RandomRowFilterSpec{std::strtof(At(words, 0).c_str(), nullptr)}}; }},
      {"first-key-matching",
       [](const Words& words) { return FilterSpec{FirstKeyValueMatchingQualifiersFilterSpec{words}}; }},
  };
  return *forms;
}

}  // namespace

CompareOp ParseOp(std::string_view word) {
  static constexpr std::pair<std::string_view, CompareOp> kOps[] = {
      {"<", CompareOp::kLess},      {"<=", CompareOp::kLessOrEqual},    {"=", CompareOp::kEqual},
      {"!=", CompareOp::kNotEqual}, {">=", CompareOp::kGreaterOrEqual}, {">", CompareOp::kGreater},
      {"no-op", CompareOp::kNoOp}};
  for (const auto& [name, op] : kOps) {
    if (name == word) return op;
  }
  throw ScriptError("unknown operator: " + std::string(word));
}

absl::StatusOr<FilterSpec> ParseFilter(std::string_view text) {
  // The filter language starts a parenthesis with a filter's class name; a form starts it with a word in lower case.
  if (!text.starts_with('(') || text.size() < 2 || text[1] < 'a' || text[1] > 'z') return ParseFilterLanguage(text);
  Words words = Inside(text);
  const auto form = Forms().find(words.front());
  if (form == Forms().end()) throw ScriptError("unknown filter: " + std::string(text));
  words.erase(words.begin());
  return form->second(words);
}

}  // namespace vaquita::semantics
