#include "lab/records/expression.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "base/absl_text.h"
#include "base/nesting.h"
#include "base/status.h"
#include "base/unicode.h"
#include "lab/records/time_text.h"

namespace vaquita::lab {
namespace {

constexpr int kDeepest = 20;   // parentheses and calls within each other; kDeepestStack in key_program.h rests on it
constexpr int kHighest = 200;  // with operators that follow one another

struct DurationUnit {
  std::string_view name;
  int64_t ms;
};
constexpr DurationUnit kDurationUnits[] = {{"ms", 1},        {"s", 1000},       {"m", 60'000},
                                           {"h", 3'600'000}, {"d", 86'400'000}, {"w", 604'800'000}};

bool StartsName(char c) { return absl::ascii_isalpha(c) || c == '_'; }
bool ContinuesName(char c) { return absl::ascii_isalnum(c) || c == '_' || c == '.'; }

int HexDigit(char c) {
  if (!absl::ascii_isxdigit(c)) return -1;
  return absl::ascii_isdigit(c) ? c - '0' : absl::ascii_tolower(c) - 'a' + 10;
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  absl::StatusOr<Expression> Whole() {
    VAQUITA_ASSIGN_OR_RETURN(Expression whole, Joined());
    SkipSpace();
    if (at_ < text_.size()) return Unexpected("an operator (+ joins) or the end");
    return whole;
  }

  absl::StatusOr<std::vector<NamedExpression>> NamedList() {
    std::vector<NamedExpression> list;
    do {
      NamedExpression& named = list.emplace_back();
      SkipSpace();
      named.name_begin = at_;
      VAQUITA_ASSIGN_OR_RETURN(named.name, Name());
      if (!Take('=')) return Unexpected("'=' after the field's name");
      VAQUITA_ASSIGN_OR_RETURN(named.expression, Joined());
    } while (Take(','));
    SkipSpace();
    if (at_ < text_.size()) return Unexpected("',' and the next field, or the end");
    return list;
  }

 private:
  using Operands = absl::StatusOr<Expression> (Parser::*)();

  absl::Status ErrorAt(size_t place, std::string_view message) const { return ExpressionError(message, text_, place); }

  absl::Status NotTooDeep() const { return nesting_.IsTooDeep() ? ErrorAt(at_, "nested too deep") : absl::OkStatus(); }

  // Counts an operator whose left operand was read.
  absl::Status Link() {
    nesting_.Link();
    return NotTooDeep();
  }

  absl::Status Unexpected(std::string_view wanted) {
    SkipSpace();
    const std::string found = at_ < text_.size() ? absl::StrCat("'", AbslText(text_.substr(at_, 1)), "'") : "the end";
    return ErrorAt(at_, absl::StrCat("found ", found, " where ", AbslText(wanted), " should be"));
  }

  void SkipSpace() {
    while (at_ < text_.size() && absl::ascii_isspace(text_[at_])) ++at_;
  }

  char Peek() {
    SkipSpace();
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  bool Take(char c) {
    if (at_ >= text_.size() || Peek() != c) return false;
    ++at_;
    return true;
  }

  Expression Operator(Expression::Kind kind, Expression left, Expression right) {
    Expression whole{.kind = kind, .begin = left.begin, .end = right.end};
    whole.arguments.push_back(std::move(left));
    whole.arguments.push_back(std::move(right));
    return whole;
  }

  absl::StatusOr<Expression> Joined() {
    VAQUITA_ASSIGN_OR_RETURN(Expression left, Difference());
    if (Peek() != '+') return left;
    Expression whole{.kind = Expression::Kind::kJoin, .begin = left.begin};
    whole.arguments.push_back(std::move(left));
    while (Take('+')) {
      VAQUITA_ASSIGN_OR_RETURN(Expression right, Difference());
      whole.arguments.push_back(std::move(right));
    }
    whole.end = whole.arguments.back().end;
    return whole;
  }

  absl::StatusOr<Expression> Difference() {
    const Nesting::Level level(&nesting_);
    VAQUITA_RETURN_IF_ERROR(NotTooDeep());
    VAQUITA_ASSIGN_OR_RETURN(Expression left, Product());
    while (Take('-')) {
      VAQUITA_RETURN_IF_ERROR(Link());
      VAQUITA_ASSIGN_OR_RETURN(Expression right, Product());
      left = Operator(Expression::Kind::kSubtract, std::move(left), std::move(right));
    }
    return left;
  }

  absl::StatusOr<Expression> Product() {
    VAQUITA_ASSIGN_OR_RETURN(Expression left, Signed());
    for (;;) {
      Expression::Kind kind;
      if (Take('*')) {
        kind = Expression::Kind::kMultiply;
      } else if (Take('/')) {
        kind = Expression::Kind::kDivide;
      } else if (Take('%')) {
        kind = Expression::Kind::kRemainder;
      } else {
        return left;
      }
      VAQUITA_RETURN_IF_ERROR(Link());
      VAQUITA_ASSIGN_OR_RETURN(Expression right, Signed());
      left = Operator(kind, std::move(left), std::move(right));
    }
  }

  absl::StatusOr<Expression> Signed() {
    SkipSpace();
    const size_t begin = at_;
    if (!Take('-')) return Operand();
    const Nesting::Level level(&nesting_);
    VAQUITA_RETURN_IF_ERROR(NotTooDeep());
    VAQUITA_ASSIGN_OR_RETURN(Expression operand, Signed());
    if (operand.kind == Expression::Kind::kNumber) {
      operand.number = static_cast<int64_t>(0 - static_cast<uint64_t>(operand.number));
      operand.begin = begin;
      return operand;
    }
    return Operator(Expression::Kind::kSubtract, Expression{.begin = begin, .end = begin}, std::move(operand));
  }

  absl::StatusOr<Expression> Operand() {
    const char c = Peek();
    const size_t begin = at_;
    if (c == '(' && Take('(')) {
      VAQUITA_ASSIGN_OR_RETURN(Expression inner, Joined());
      if (!Take(')')) return Unexpected("')'");
      inner.begin = begin;
      inner.end = at_;
      return inner;
    }
    if (c == '\'' || c == '"') return Text(c);
    if (absl::ascii_isdigit(c)) return Digits();
    if (!StartsName(c) && c != '`') return Unexpected("a field, a number, a 'text' or an operation");
    Expression named{.kind = Expression::Kind::kName, .begin = begin};
    VAQUITA_ASSIGN_OR_RETURN(named.text, Name());
    named.end = at_;
    if (c != '`' && Take('(')) VAQUITA_RETURN_IF_ERROR(Arguments(&named));
    return named;
  }

  absl::Status Arguments(Expression* call) {
    call->kind = Expression::Kind::kCall;
    if (!Take(')')) {
      do {
        VAQUITA_ASSIGN_OR_RETURN(Expression argument, Joined());
        if (Take(':')) {
          VAQUITA_ASSIGN_OR_RETURN(const Expression weight, Operand());
          if (weight.kind != Expression::Kind::kNumber) return ErrorAt(weight.begin, "a weight is a number");
          argument.weight = weight.number;
        }
        call->arguments.push_back(std::move(argument));
      } while (Take(','));
      if (!Take(')')) return Unexpected("',' or ')'");
    }
    call->end = at_;
    return absl::OkStatus();
  }

  absl::StatusOr<std::string> Name() {
    SkipSpace();
    const size_t begin = at_;
    if (Take('`')) {
      const size_t close = text_.find('`', at_);
      if (close == std::string_view::npos) return ErrorAt(begin, "this ` has no closing one");
      const std::string_view name = text_.substr(at_, close - at_);
      at_ = close + 1;
      return std::string(name);
    }
    if (at_ >= text_.size() || !StartsName(text_[at_])) return Unexpected("a name");
    while (at_ < text_.size() && ContinuesName(text_[at_])) ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }

  absl::StatusOr<Expression> Text(char quote) {
    Expression literal{.kind = Expression::Kind::kText, .begin = at_};
    for (++at_; at_ < text_.size() && text_[at_] != quote; ++at_) {
      if (text_[at_] == '\\') {
        VAQUITA_RETURN_IF_ERROR(Escape(&literal.text));
      } else {
        literal.text.push_back(text_[at_]);
      }
    }
    if (at_ >= text_.size()) return ErrorAt(literal.begin, "this text has no closing quote");
    literal.end = ++at_;
    return literal;
  }

  // Reads an escape; leaves `at_` on its last character.
  absl::Status Escape(std::string* out) {
    const size_t begin = at_;
    const char c = at_ + 1 < text_.size() ? text_[++at_] : '\0';
    if (c == 'n' || c == 't') {
      out->push_back(c == 'n' ? '\n' : '\t');
    } else if (c == '\\' || c == '\'' || c == '"') {
      out->push_back(c);
    } else if (c == 'x' && at_ + 2 < text_.size() && HexDigit(text_[at_ + 1]) >= 0 && HexDigit(text_[at_ + 2]) >= 0) {
      out->push_back(static_cast<char>(HexDigit(text_[at_ + 1]) << 4 | HexDigit(text_[at_ + 2])));
      at_ += 2;
    } else {
      return ErrorAt(begin, "unknown escape; use \\\\, \\', \\\", \\n, \\t and \\xNN");
    }
    return absl::OkStatus();
  }

  absl::StatusOr<Expression> Digits() {
    const size_t begin = at_;
    while (at_ < text_.size() && (ContinuesName(text_[at_]) || IsDateMark(begin))) ++at_;
    const std::string_view word = text_.substr(begin, at_ - begin);
    Expression literal{.kind = Expression::Kind::kNumber, .begin = begin, .end = at_};
    if (LooksLikeDate(word)) {
      literal.kind = Expression::Kind::kTime;
      if (ParseIsoTime(word, &literal.number)) return literal;
      return ErrorAt(begin,
                     absl::StrCat("'", AbslText(word), "' is not a date; write 2026-01-31 or 2026-01-31T10:30:00"));
    }
    const bool hex = word.starts_with("0x") || word.starts_with("0X");
    const char* last = word.data() + word.size();
    const auto [rest, error] = std::from_chars(word.data() + (hex ? 2 : 0), last, literal.number, hex ? 16 : 10);
    if (error == std::errc::result_out_of_range) {
      return ErrorAt(begin, absl::StrCat("'", AbslText(word), "' does not fit into 64 bits with a sign (MAX_LONG)"));
    }
    if (error != std::errc()) return ErrorAt(begin, absl::StrCat("'", AbslText(word), "' is not a number"));
    if (rest == last) return literal;
    if (!hex && *rest == '.' && absl::SimpleAtod(AbslText(word), &literal.decimal)) {
      literal.kind = Expression::Kind::kDecimal;
      return literal;
    }
    for (const DurationUnit& unit : kDurationUnits) {
      if (hex || unit.name != std::string_view(rest, last - rest)) continue;
      if (literal.number > std::numeric_limits<int64_t>::max() / unit.ms) return ErrorAt(begin, "too long a duration");
      literal.number *= unit.ms;
      return literal;
    }
    return ErrorAt(begin, absl::StrCat("'", AbslText(word),
                                       "' is neither a number nor a duration such as 500ms, 10s, 5m, 1h, 1d, 2w"));
  }

  static bool LooksLikeDate(std::string_view word) { return word.size() > 4 && word[4] == '-'; }

  // Returns whether the character at `at_` belongs to a date that began at `begin`: the - of 2026-01-31, the : of
  // T10:30.
  bool IsDateMark(size_t begin) const {
    const size_t length = at_ - begin;
    if (text_[at_] == '-') {
      const std::string_view four_digits = text_.substr(begin, 4);
      return (length == 4 || (length == 7 && text_[begin + 4] == '-')) &&
             std::all_of(four_digits.begin(), four_digits.end(), absl::ascii_isdigit) && at_ + 2 < text_.size() &&
             absl::ascii_isdigit(text_[at_ + 1]) && absl::ascii_isdigit(text_[at_ + 2]) &&
             (length == 7 || (at_ + 3 < text_.size() && text_[at_ + 3] == '-'));
    }
    return text_[at_] == ':' && (length == 13 || length == 16) && text_[begin + 10] == 'T';
  }

  const std::string_view text_;
  size_t at_ = 0;
  Nesting nesting_{kDeepest, kHighest};
};

}  // namespace

absl::StatusOr<Expression> ParseExpression(std::string_view text) { return Parser(text).Whole(); }

absl::StatusOr<std::vector<NamedExpression>> ParseNamedExpressions(std::string_view text) {
  return Parser(text).NamedList();
}

absl::StatusOr<std::string> NameSource(std::string_view name) {
  if (name.find('`') != std::string_view::npos) {
    return absl::InvalidArgumentError(
        absl::StrCat("the name \"", AbslText(name), "\" has a `, which stands around names in expressions"));
  }
  const bool plain = !name.empty() && StartsName(name[0]) && std::all_of(name.begin(), name.end(), ContinuesName);
  return plain ? std::string(name) : absl::StrCat("`", AbslText(name), "`");
}

absl::Status ExpressionError(std::string_view message, std::string_view text, size_t place) {
  std::string line;
  std::string caret;
  for (size_t i = 0; i < text.size(); ++i) {
    if (i < place && !ContinuesUtf8(text[i])) caret.push_back(' ');
    line.push_back(absl::ascii_iscntrl(text[i]) ? ' ' : text[i]);
  }
  return absl::InvalidArgumentError(absl::StrCat(AbslText(message), "\n  ", line, "\n  ", caret, "^"));
}

}  // namespace vaquita::lab
