#include "region/filter/filter_language.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "base/status.h"

namespace vaquita {
namespace {

// ---- One filter: Name (argument, argument, ...) ----

// An argument as written: its quotes are still on, doubled ones inside are single.
using Arguments = std::vector<std::string>;

// These read one argument. They return nullopt if it is malformed.
std::optional<std::string> Quoted(const std::string& argument) {
  if (argument.size() < 2 || argument.front() != '\'' || argument.back() != '\'') return std::nullopt;
  return argument.substr(1, argument.size() - 2);
}

// Java's loop, whose sum wraps around: only a sum that comes out negative is too large.
std::optional<int64_t> Long(const std::string& argument) {
  const bool negative = argument[0] == '-';
  uint64_t sum = 0;
  for (size_t i = negative; i < argument.size(); ++i) {
    if (argument[i] < '0' || argument[i] > '9') return std::nullopt;
    sum = sum * 10 + static_cast<uint64_t>(argument[i] - '0');
    if (static_cast<int64_t>(sum) < 0) return std::nullopt;
  }
  return negative ? -static_cast<int64_t>(sum) : static_cast<int64_t>(sum);
}

std::optional<int32_t> Int(const std::string& argument) {
  const std::optional<int64_t> value = Long(argument);
  if (!value || *value > std::numeric_limits<int32_t>::max() || *value < std::numeric_limits<int32_t>::min())
    return std::nullopt;
  return static_cast<int32_t>(*value);
}

std::optional<bool> Bool(const std::string& argument) {
  if (absl::EqualsIgnoreCase(argument, "true")) return true;
  if (absl::EqualsIgnoreCase(argument, "false")) return false;
  return std::nullopt;
}

std::optional<CompareOp> Operator(const std::string& argument) {
  static constexpr std::pair<std::string_view, CompareOp> kOperators[] = {
      {"<", CompareOp::kLess},      {"<=", CompareOp::kLessOrEqual},    {"=", CompareOp::kEqual},
      {"!=", CompareOp::kNotEqual}, {">=", CompareOp::kGreaterOrEqual}, {">", CompareOp::kGreater}};
  for (const auto& [text, op] : kOperators) {
    if (argument == text) return op;
  }
  return std::nullopt;
}

// 'binary:abc' and its like.
std::optional<ComparatorSpec> ReadComparator(const std::string& argument) {
  using Type = ComparatorSpec::Type;
  constexpr int32_t kDotAll = 0x20;
  constexpr int32_t kCaseInsensitive = 0x02;
  const std::optional<std::string> text = Quoted(argument);
  if (!text) return std::nullopt;
  const size_t colon = text->find(':');
  if (colon == text->npos) return std::nullopt;
  const std::string type = text->substr(0, colon);
  ComparatorSpec comparator;
  comparator.bytes = text->substr(colon + 1);
  if (type == "binary") {
    comparator.type = Type::kBinary;
  } else if (type == "binaryprefix") {
    comparator.type = Type::kBinaryPrefix;
  } else if (type == "regexstring" || type == "regexstringnocase") {
    comparator.type = Type::kRegex;
    comparator.regex_flags = type == "regexstring" ? kDotAll : kCaseInsensitive | kDotAll;
  } else if (type == "substring") {
    comparator.type = Type::kSubstring;
  } else {
    return std::nullopt;
  }
  return comparator;
}

// Comparators of matching text know equality alone, so they refuse operators of order.
bool FitTogether(CompareOp op, const ComparatorSpec& comparator) {
  const bool text =
      comparator.type == ComparatorSpec::Type::kRegex || comparator.type == ComparatorSpec::Type::kSubstring;
  return !text || op == CompareOp::kEqual || op == CompareOp::kNotEqual;
}

// The following are the classes' createFilterFromArguments. They return nullopt if the arguments do not fit.
using MadeSpec = std::optional<FilterSpec>;

MadeSpec MakeCompareFilter(CompareFilterSpec::What what, const Arguments& a) {
  if (a.size() != 2) return std::nullopt;
  const auto op = Operator(a[0]);
  const auto comparator = ReadComparator(a[1]);
  if (!op || !comparator || !FitTogether(*op, *comparator)) return std::nullopt;
  return FilterSpec{CompareFilterSpec{what, *op, *comparator}};
}

MadeSpec MakeRow(const Arguments& a) { return MakeCompareFilter(CompareFilterSpec::What::kRow, a); }
MadeSpec MakeFamily(const Arguments& a) { return MakeCompareFilter(CompareFilterSpec::What::kFamily, a); }
MadeSpec MakeQualifier(const Arguments& a) { return MakeCompareFilter(CompareFilterSpec::What::kQualifier, a); }
MadeSpec MakeValue(const Arguments& a) { return MakeCompareFilter(CompareFilterSpec::What::kValue, a); }

MadeSpec MakeSingleColumnValueOf(bool exclude_column, const Arguments& a) {
  if (a.size() != 4 && a.size() != 6) return std::nullopt;
  const auto family = Quoted(a[0]);
  const auto qualifier = Quoted(a[1]);
  const auto op = Operator(a[2]);
  const auto comparator = ReadComparator(a[3]);
  if (!family || !qualifier || !op || !comparator || !FitTogether(*op, *comparator)) return std::nullopt;
  SingleColumnValueFilterSpec spec{*family, *qualifier, *op, *comparator};
  spec.exclude_column = exclude_column;
  if (a.size() == 6) {
    const auto filter_if_missing = Bool(a[4]);
    const auto latest_version_only = Bool(a[5]);
    if (!filter_if_missing || !latest_version_only) return std::nullopt;
    spec.filter_if_missing = *filter_if_missing;
    spec.latest_version_only = *latest_version_only;
  }
  return FilterSpec{spec};
}

MadeSpec MakeSingleColumnValue(const Arguments& a) { return MakeSingleColumnValueOf(false, a); }
MadeSpec MakeSingleColumnValueExclude(const Arguments& a) { return MakeSingleColumnValueOf(true, a); }

MadeSpec MakeColumnValue(const Arguments& a) {
  if (a.size() != 4) return std::nullopt;
  const auto family = Quoted(a[0]);
  const auto qualifier = Quoted(a[1]);
  const auto op = Operator(a[2]);
  const auto comparator = ReadComparator(a[3]);
  if (!family || !qualifier || !op || !comparator || !FitTogether(*op, *comparator)) return std::nullopt;
  return FilterSpec{ColumnValueFilterSpec{*family, *qualifier, *op, *comparator}};
}

MadeSpec MakeDependentColumn(const Arguments& a) {
  if (a.size() != 2 && a.size() != 3 && a.size() != 5) return std::nullopt;
  const auto family = Quoted(a[0]);
  const auto qualifier = Quoted(a[1]);
  if (!family || !qualifier) return std::nullopt;
  DependentColumnFilterSpec spec{*family, *qualifier};
  if (a.size() >= 3) {
    const auto drop = Bool(a[2]);
    if (!drop) return std::nullopt;
    spec.drop_dependent_column = *drop;
  }
  if (a.size() == 5) {
    const auto op = Operator(a[3]);
    const auto comparator = ReadComparator(a[4]);
    if (!op || !comparator) return std::nullopt;
    spec.op = *op;
    spec.comparator = {*comparator};
  }
  return FilterSpec{spec};
}

MadeSpec MakeColumnPrefix(const Arguments& a) {
  const auto prefix = a.size() == 1 ? Quoted(a[0]) : std::nullopt;
  return prefix ? MadeSpec(FilterSpec{ColumnPrefixFilterSpec{*prefix}}) : std::nullopt;
}

MadeSpec MakeMultipleColumnPrefix(const Arguments& a) {
  MultipleColumnPrefixFilterSpec spec;
  for (const std::string& argument : a) {
    const auto prefix = Quoted(argument);
    if (!prefix || std::find(spec.prefixes.begin(), spec.prefixes.end(), *prefix) != spec.prefixes.end())
      return std::nullopt;
    spec.prefixes.push_back(*prefix);
  }
  return FilterSpec{spec};
}

MadeSpec MakeColumnRange(const Arguments& a) {
  if (a.size() != 4) return std::nullopt;
  const auto min = Quoted(a[0]);
  const auto min_inclusive = Bool(a[1]);
  const auto max = Quoted(a[2]);
  const auto max_inclusive = Bool(a[3]);
  if (!min || !min_inclusive || !max || !max_inclusive) return std::nullopt;
  return FilterSpec{ColumnRangeFilterSpec{!min->empty(), *min_inclusive, !max->empty(), *max_inclusive, *min, *max}};
}

MadeSpec MakeColumnCountGet(const Arguments& a) {
  const auto limit = a.size() == 1 ? Int(a[0]) : std::nullopt;
  return limit && *limit >= 0 ? MadeSpec(FilterSpec{ColumnCountGetFilterSpec{*limit}}) : std::nullopt;
}

MadeSpec MakeColumnPagination(const Arguments& a) {
  if (a.size() != 2) return std::nullopt;
  const auto limit = Int(a[0]);
  const auto offset = Int(a[1]);
  if (!limit || !offset || *limit < 0 || *offset < 0) return std::nullopt;
  return FilterSpec{ColumnPaginationFilterSpec{*limit, *offset, {}}};
}

MadeSpec MakePage(const Arguments& a) {
  const auto size = a.size() == 1 ? Long(a[0]) : std::nullopt;
  return size && *size >= 0 ? MadeSpec(FilterSpec{PageFilterSpec{*size}}) : std::nullopt;
}

MadeSpec MakePrefix(const Arguments& a) {
  const auto prefix = a.size() == 1 ? Quoted(a[0]) : std::nullopt;
  return prefix ? MadeSpec(FilterSpec{PrefixFilterSpec{*prefix}}) : std::nullopt;
}

MadeSpec MakeInclusiveStop(const Arguments& a) {
  const auto row = a.size() == 1 ? Quoted(a[0]) : std::nullopt;
  return row ? MadeSpec(FilterSpec{InclusiveStopFilterSpec{*row}}) : std::nullopt;
}

MadeSpec MakeFirstKeyOnly(const Arguments& a) {
  return a.empty() ? MadeSpec(FilterSpec{FirstKeyOnlyFilterSpec{}}) : std::nullopt;
}

MadeSpec MakeKeyOnly(const Arguments& a) {
  if (a.empty()) return FilterSpec{KeyOnlyFilterSpec{}};
  const auto length_as_value = a.size() == 1 ? Bool(a[0]) : std::nullopt;
  return length_as_value ? MadeSpec(FilterSpec{KeyOnlyFilterSpec{*length_as_value}}) : std::nullopt;
}

MadeSpec MakeTimestamps(const Arguments& a) {
  TimestampsFilterSpec spec;
  for (const std::string& argument : a) {
    const auto timestamp = Long(argument);
    if (!timestamp || *timestamp < 0) return std::nullopt;
    spec.timestamps_ms.push_back(*timestamp);
  }
  return FilterSpec{spec};
}

// ParseFilter.filterHashMap.
constexpr std::pair<std::string_view, MadeSpec (*)(const Arguments&)> kFilters[] = {
    {"KeyOnlyFilter", MakeKeyOnly},
    {"FirstKeyOnlyFilter", MakeFirstKeyOnly},
    {"PrefixFilter", MakePrefix},
    {"ColumnPrefixFilter", MakeColumnPrefix},
    {"MultipleColumnPrefixFilter", MakeMultipleColumnPrefix},
    {"ColumnCountGetFilter", MakeColumnCountGet},
    {"PageFilter", MakePage},
    {"ColumnPaginationFilter", MakeColumnPagination},
    {"InclusiveStopFilter", MakeInclusiveStop},
    {"TimestampsFilter", MakeTimestamps},
    {"RowFilter", MakeRow},
    {"FamilyFilter", MakeFamily},
    {"QualifierFilter", MakeQualifier},
    {"ValueFilter", MakeValue},
    {"ColumnRangeFilter", MakeColumnRange},
    {"SingleColumnValueFilter", MakeSingleColumnValue},
    {"SingleColumnValueExcludeFilter", MakeSingleColumnValueExclude},
    {"DependentColumnFilter", MakeDependentColumn},
    {"ColumnValueFilter", MakeColumnValue},
};

bool IsQuoteDoubled(std::string_view text, size_t at) { return at + 1 < text.size() && text[at + 1] == '\''; }
bool EndsArgument(char c) { return c == ' ' || c == ',' || c == ')'; }

// The quoted argument text[begin, end], both quotes included, doubled quotes inside made single.
std::string Unescape(std::string_view text, size_t begin, size_t end) {
  std::string argument = "'";
  for (size_t i = begin + 1; i < end; ++i) {
    argument.push_back(text[i]);
    if (text[i] == '\'' && i + 1 < end && text[i + 1] == '\'') ++i;
  }
  return argument + "'";
}

// The place of the quote that closes the one at `begin`, or npos if the text's end comes where there should be one.
// Sets `*at_end` if the last character was reached without one.
size_t FindClosingQuote(std::string_view text, size_t begin, bool* at_end) {
  for (size_t i = begin + 1; i < text.size(); ++i) {
    if (text[i] != '\'') {
      if (i + 1 == text.size()) *at_end = true;
      continue;
    }
    if (!IsQuoteDoubled(text, i)) return i;
    ++i;
  }
  return text.npos;
}

absl::StatusOr<Arguments> ReadArguments(std::string_view expression) {
  const size_t open = expression.find('(');
  if (open == expression.npos) return IllegalArgument("Incorrect argument list");
  Arguments arguments;
  for (size_t i = open + 1; i < expression.size(); ++i) {
    if (EndsArgument(expression[i])) continue;
    if (expression[i] == '\'') {
      bool at_end = false;
      const size_t close = FindClosingQuote(expression, i, &at_end);
      if (at_end) return IllegalArgument("Incorrect argument list");
      if (close == expression.npos) continue;
      arguments.push_back(Unescape(expression, i, close));
      i = close + 1;  // any character behind the quote ends the argument
    } else {
      size_t end = i;
      while (end < expression.size() && !EndsArgument(expression[end])) ++end;
      if (end == expression.size()) return IllegalArgument("Incorrect argument list");
      arguments.emplace_back(expression.substr(i, end - i));
      i = end;
    }
  }
  return arguments;
}

absl::StatusOr<FilterSpec> ReadFilter(std::string_view expression) {
  const size_t end = expression.find_first_of("( ");
  if (end == 0 || end == expression.npos) return IllegalArgument("Incorrect Filter Name");
  const std::string_view name = expression.substr(0, end);
  VAQUITA_ASSIGN_OR_RETURN(const Arguments arguments, ReadArguments(expression));
  const auto known =
      std::find_if(std::begin(kFilters), std::end(kFilters), [&](const auto& f) { return f.first == name; });
  if (known == std::end(kFilters)) return IllegalArgument("Filter Name " + std::string(name) + " not supported");
  MadeSpec spec = known->second(arguments);
  if (!spec) return IllegalArgument("Incorrect filter string " + std::string(expression));
  return std::move(*spec);
}

// ---- Filters and operators ----

enum class Token { kOpen, kSkip, kWhile, kAnd, kOr };

struct Word {
  std::string_view text;
  Token token;
  bool may_start;  // at the text's start or after '(': SKIP and WHILE, which stand before a filter
};
constexpr Word kWords[] = {{"OR", Token::kOr, false},
                           {"AND", Token::kAnd, false},
                           {"SKIP", Token::kSkip, true},
                           {"WHILE", Token::kWhile, true}};

// SKIP and WHILE bind more tightly than AND, AND than OR.
int Precedence(Token token) { return token == Token::kOr ? 3 : token == Token::kAnd ? 2 : 1; }

// HBase's parser: two stacks. Its habits are kept, the odd ones too: in parentheses, an operator that binds more
// tightly than one before it in the same parentheses leaves that one's operands apart, which ends as "Mismatched
// parenthesis" or "Incorrect Filter String".
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  absl::StatusOr<FilterSpec> Run() {
    for (at_ = 0; at_ < text_.size();) {
      VAQUITA_RETURN_IF_ERROR(Step());
    }
    while (!operators_.empty()) VAQUITA_RETURN_IF_ERROR(Apply());
    if (filters_.size() != 1) return IllegalArgument("Incorrect Filter String");
    return std::move(filters_.back().spec);
  }

 private:
  // The depth of nested filters is bounded, because all code that handles them is recursive.
  struct Parsed {
    FilterSpec spec;
    int depth = 1;
  };

  absl::Status Step() {
    const char c = text_[at_];
    if (c == '(') {
      operators_.push_back(Token::kOpen);
      ++at_;
      return absl::OkStatus();
    }
    if (c == ' ' || c == '\t') {
      ++at_;
      return absl::OkStatus();
    }
    for (const Word& word : kWords) {
      if (!Sees(word)) continue;
      at_ += word.text.size();
      return Push(word.token);
    }
    if (c == ')') {
      ++at_;
      return Close();
    }
    return Filter();
  }

  bool Sees(const Word& word) const {
    if (!text_.substr(at_).starts_with(word.text)) return false;
    const size_t end = at_ + word.text.size();
    if (end >= text_.size() || (text_[end] != ' ' && text_[end] != '(')) return false;
    if (at_ == 0) return word.may_start;
    const char before = text_[at_ - 1];
    return before == ' ' || before == ')' || (word.may_start && before == '(');
  }

  absl::Status Push(Token token) {
    while (!operators_.empty() && operators_.back() != Token::kOpen &&
           Precedence(operators_.back()) < Precedence(token)) {
      VAQUITA_RETURN_IF_ERROR(Apply());
    }
    operators_.push_back(token);
    return absl::OkStatus();
  }

  absl::Status Close() {
    if (operators_.empty()) return IllegalArgument("Mismatched parenthesis");
    Token top = operators_.back();
    if (top == Token::kOpen) {
      operators_.pop_back();
      return absl::OkStatus();
    }
    while (top != Token::kOpen) {
      VAQUITA_RETURN_IF_ERROR(Apply());
      if (operators_.empty()) return IllegalArgument("Mismatched parenthesis");
      top = operators_.back();
      operators_.pop_back();
    }
    return absl::OkStatus();
  }

  // A filter by name, up to its closing parenthesis outside of quotes.
  absl::Status Filter() {
    bool quoted = false;
    for (size_t i = at_; i < text_.size(); ++i) {
      if (text_[i] == '\'') {
        if (IsQuoteDoubled(text_, i)) {
          ++i;
        } else {
          quoted = !quoted;
        }
      }
      if (text_[i] != ')' || quoted) continue;
      VAQUITA_ASSIGN_OR_RETURN(FilterSpec spec, ReadFilter(text_.substr(at_, i - at_ + 1)));
      filters_.push_back({std::move(spec)});
      at_ = i + 1;
      return absl::OkStatus();
    }
    return IllegalArgument("Incorrect Filter String");
  }

  // Takes the operator on top, with those of its kind right below it, off the stack and puts its filter on.
  absl::Status Apply() {
    if (operators_.empty()) return IllegalArgument("Mismatched parenthesis");  // Java's stack throws
    switch (operators_.back()) {
      case Token::kOr:
        return ApplyList(Token::kOr, FilterListSpec::Operator::kMustPassOne,
                         "Incorrect input string - an OR needs two filters");
      case Token::kAnd:
        return ApplyList(Token::kAnd, FilterListSpec::Operator::kMustPassAll,
                         "Incorrect input string - an AND needs two filters");
      case Token::kSkip:
        return ApplyWrapper<SkipFilterSpec>("Incorrect input string - a SKIP wraps a filter");
      case Token::kWhile:
        return ApplyWrapper<WhileMatchFilterSpec>("Incorrect input string - a WHILE wraps a filter");
      case Token::kOpen:
        break;
    }
    if (filters_.empty()) return IllegalArgument("Incorrect Filter String");
    operators_.pop_back();
    return absl::OkStatus();
  }

  absl::Status ApplyList(Token token, FilterListSpec::Operator op, std::string_view error) {
    size_t count = 1;
    for (; !operators_.empty() && operators_.back() == token; operators_.pop_back()) ++count;
    if (filters_.size() < count) return IllegalArgument(error);
    FilterListSpec list{op, {}};
    int depth = 0;
    for (auto it = filters_.end() - static_cast<ptrdiff_t>(count); it != filters_.end(); ++it) {
      list.filters.push_back(std::move(it->spec));
      depth = std::max(depth, it->depth);
    }
    filters_.resize(filters_.size() - count);
    return PushFilter(FilterSpec{std::move(list)}, depth + 1);
  }

  template <typename Wrapper>
  absl::Status ApplyWrapper(std::string_view error) {
    if (filters_.empty()) return IllegalArgument(error);
    operators_.pop_back();
    Wrapper wrapper;
    wrapper.filter.push_back(std::move(filters_.back().spec));
    const int depth = filters_.back().depth;
    filters_.pop_back();
    return PushFilter(FilterSpec{std::move(wrapper)}, depth + 1);
  }

  absl::Status PushFilter(FilterSpec spec, int depth) {
    filters_.push_back({std::move(spec), depth});
    if (depth <= kMaxFilterDepth) return absl::OkStatus();
    return IllegalArgument("a filter holds filters more than " + std::to_string(kMaxFilterDepth) + " deep");
  }

  const std::string_view text_;
  size_t at_ = 0;
  std::vector<Token> operators_;
  std::vector<Parsed> filters_;
};

}  // namespace

absl::StatusOr<FilterSpec> ParseFilterLanguage(std::string_view text) { return Parser(text).Run(); }

}  // namespace vaquita
