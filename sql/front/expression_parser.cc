#include "sql/front/expression_parser.h"

#include <limits>
#include <utility>

#include "base/status.h"
#include "sql/encoding/date_text.h"
#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"

namespace vaquita::sql {
namespace {

constexpr int kDeepest = 200;             // parentheses and calls within each other
constexpr int kHighest = 1'000;           // with operators that follow one another, as in 1 - 2 - 3
constexpr int64_t kMostLeaves = 500'000;  // columns, literals and calls, with those that are repeated
constexpr size_t kLeafBytes = 64;         // so many bytes of text are a leaf, too

ExprPtr Make(ExprKind kind, std::vector<ExprPtr> children = {}, std::string text = "") {
  auto expr = std::make_shared<Expr>();
  expr->kind = kind;
  expr->children = std::move(children);
  expr->text = std::move(text);
  return expr;
}

ExprPtr MakeLiteral(SqlType type, Value value, std::string text) {
  ExprPtr expr = Make(ExprKind::kLiteral, {}, std::move(text));
  expr->type = type;
  expr->literal = std::move(value);
  return expr;
}

}  // namespace

ExpressionParser::ExpressionParser(TokenReader* tokens) : tokens_(*tokens), nesting_(kDeepest, kHighest) {}

absl::Status ExpressionParser::NotTooDeep() const {
  if (!nesting_.IsTooDeep()) return absl::OkStatus();
  return NotSupported(nesting_.levels() > kDeepest
                          ? Concat("An expression nested more than ", kDeepest, " deep")
                          : Concat("An expression of more than ", kHighest, " operators that follow one another"));
}

absl::Status ExpressionParser::Repeat(int64_t leaves, int64_t times) {
  if (__builtin_mul_overflow(leaves, times, &leaves) || __builtin_add_overflow(leaves_, leaves, &leaves_)) {
    leaves_ = kMostLeaves + 1;
  }
  if (leaves_ <= kMostLeaves) return absl::OkStatus();
  return NotSupported(Concat("A statement whose expressions have more than ", kMostLeaves,
                             " parts, with those that CASE, BETWEEN, LIKE and rows repeat; ", kLeafBytes,
                             " bytes of text are a part"));
}

absl::Status ExpressionParser::CountText(const std::string& text) {
  return Repeat(static_cast<int64_t>(text.size() / kLeafBytes), 1);
}

absl::Status ExpressionParser::Link() {
  nesting_.Link();
  return NotTooDeep();
}

absl::StatusOr<ExprPtr> ExpressionParser::Expression() {
  VAQUITA_ASSIGN_OR_RETURN(ExprPtr left, And());
  std::vector<ExprPtr> terms = {left};
  while (tokens_.TakeWord("OR")) {
    VAQUITA_ASSIGN_OR_RETURN(ExprPtr right, And());
    terms.push_back(right);
  }
  return terms.size() == 1 ? left : Make(ExprKind::kOr, std::move(terms));
}

absl::StatusOr<ExprPtr> ExpressionParser::And() {
  VAQUITA_ASSIGN_OR_RETURN(ExprPtr left, Not());
  std::vector<ExprPtr> terms = {left};
  while (tokens_.TakeWord("AND")) {
    VAQUITA_ASSIGN_OR_RETURN(ExprPtr right, Not());
    terms.push_back(right);
  }
  return terms.size() == 1 ? left : Make(ExprKind::kAnd, std::move(terms));
}

absl::StatusOr<ExprPtr> ExpressionParser::Not() {
  bool negated = false;
  while (tokens_.TakeWord("NOT")) negated = !negated;
  VAQUITA_ASSIGN_OR_RETURN(ExprPtr condition, Condition());
  return negated ? Make(ExprKind::kNot, {condition}) : condition;
}

absl::StatusOr<ExprPtr> ExpressionParser::Condition() {
  if (tokens_.IsWord("EXISTS")) {
    tokens_.Take();
    VAQUITA_RETURN_IF_ERROR(tokens_.ExpectSymbol("(", "LPAREN"));
    ExprPtr exists = Make(ExprKind::kExists);
    VAQUITA_ASSIGN_OR_RETURN(exists->subquery, Subquery());
    return exists;
  }
  const int64_t before = leaves_;
  VAQUITA_ASSIGN_OR_RETURN(ExprPtr value, Operand());
  return ConditionOn(std::move(value), leaves_ - before);
}

absl::StatusOr<ExprPtr> ExpressionParser::ConditionOn(ExprPtr value, int64_t leaves) {
  for (const std::string_view op : {"=", "!=", "<>", "<=", ">=", "<", ">"}) {
    if (!tokens_.TakeSymbol(op)) continue;
    if ((tokens_.IsWord("ANY") || tokens_.IsWord("ALL")) && tokens_.IsSymbol("(", 1)) {
      return Quantified(std::move(value), op == "<>" ? "!=" : op);
    }
    const int64_t before = leaves_;
    VAQUITA_ASSIGN_OR_RETURN(ExprPtr right, RightSide());
    // Rows are compared column by column, each up to three times.
    if (value->kind == ExprKind::kRow) VAQUITA_RETURN_IF_ERROR(Repeat(leaves + leaves_ - before, 2));
    return Make(ExprKind::kCompare, {value, right}, op == "<>" ? "!=" : std::string(op));
  }
  if (tokens_.TakeWord("IS")) {
    ExprPtr is_null = Make(ExprKind::kIsNull, {value});
    is_null->negated = tokens_.TakeWord("NOT");
    VAQUITA_RETURN_IF_ERROR(tokens_.ExpectWord("NULL"));
    return is_null;
  }
  const bool negated = tokens_.IsWord("NOT") && (tokens_.IsWord("IN", 1) || tokens_.IsWord("LIKE", 1) ||
                                                 tokens_.IsWord("ILIKE", 1) || tokens_.IsWord("BETWEEN", 1));
  if (negated) tokens_.Take();
  if (tokens_.TakeWord("IN")) return In(std::move(value), leaves, negated);
  if (tokens_.IsWord("LIKE") || tokens_.IsWord("ILIKE")) {
    const bool ignores_case = tokens_.Take().text == "ILIKE";
    const int64_t before = leaves_;
    VAQUITA_ASSIGN_OR_RETURN(ExprPtr pattern, Operand());
    VAQUITA_RETURN_IF_ERROR(Repeat(leaves_ - before, 2));  // for the bounds of a scan
    ExprPtr like = Make(ExprKind::kLike, {value, pattern});
    like->negated = negated;
    like->ignores_case = ignores_case;
    return like;
  }
  if (tokens_.TakeWord("BETWEEN")) {
    VAQUITA_RETURN_IF_ERROR(Repeat(leaves, value->kind == ExprKind::kRow ? 5 : 1));
    VAQUITA_ASSIGN_OR_RETURN(ExprPtr low, Operand());
    VAQUITA_RETURN_IF_ERROR(tokens_.ExpectWord("AND"));
    VAQUITA_ASSIGN_OR_RETURN(ExprPtr high, Operand());
    ExprPtr between = Make(ExprKind::kBetween, {value, low, high});
    between->negated = negated;
    return between;
  }
  return value;
}

// Reads the right side of a comparison, the one place where a sub-query may be a value.
absl::StatusOr<ExprPtr> ExpressionParser::RightSide() {
  if (!tokens_.IsSymbol("(") || !tokens_.IsWord("SELECT", 1)) return Operand();
  tokens_.Take();
  ExprPtr subquery = Make(ExprKind::kSubquery);
  VAQUITA_ASSIGN_OR_RETURN(subquery->subquery, Subquery());
  return subquery;
}

// Reads ANY(array), ALL(array), or a sub-query in place of the array.
absl::StatusOr<ExprPtr> ExpressionParser::Quantified(ExprPtr value, std::string_view op) {
  ExprPtr quantified = Make(ExprKind::kQuantified, {std::move(value)}, std::string(op));
  quantified->negated = tokens_.Take().text == "ALL";
  tokens_.Take();
  if (tokens_.IsWord("SELECT")) {
    VAQUITA_ASSIGN_OR_RETURN(quantified->subquery, Subquery());
    return quantified;
  }
  VAQUITA_ASSIGN_OR_RETURN(ExprPtr array, Operand());
  quantified->children.push_back(std::move(array));
  VAQUITA_RETURN_IF_ERROR(tokens_.ExpectSymbol(")", "RPAREN"));
  return quantified;
}

absl::StatusOr<ExprPtr> ExpressionParser::In(ExprPtr value, int64_t leaves, bool negated) {
  VAQUITA_RETURN_IF_ERROR(tokens_.ExpectSymbol("(", "LPAREN"));
  ExprPtr in = Make(ExprKind::kIn, {std::move(value)});
  in->negated = negated;
  if (tokens_.IsWord("SELECT")) {
    in->kind = ExprKind::kInSubquery;
    VAQUITA_ASSIGN_OR_RETURN(in->subquery, Subquery());
    return in;
  }
  VAQUITA_ASSIGN_OR_RETURN(std::vector<ExprPtr> items, List(")", "RPAREN"));
  if (in->children[0]->kind == ExprKind::kRow) {
    VAQUITA_RETURN_IF_ERROR(Repeat(leaves, static_cast<int64_t>(items.size())));
  }
  in->children.insert(in->children.end(), items.begin(), items.end());
  return in;
}

absl::StatusOr<std::vector<ExprPtr>> ExpressionParser::ExpressionList() {
  std::vector<ExprPtr> items;
  do {
    VAQUITA_ASSIGN_OR_RETURN(ExprPtr item, Expression());
    items.push_back(std::move(item));
  } while (tokens_.TakeSymbol(","));
  return items;
}

absl::StatusOr<std::vector<ExprPtr>> ExpressionParser::List(std::string_view end, std::string_view end_name) {
  VAQUITA_ASSIGN_OR_RETURN(std::vector<ExprPtr> items, ExpressionList());
  VAQUITA_RETURN_IF_ERROR(tokens_.ExpectSymbol(end, end_name));
  return items;
}

// Phoenix reads all operands of + as one list. So it does with -, which binds tighter: A + B - C is A + (B - C).
absl::StatusOr<ExprPtr> ExpressionParser::Sum() {
  const Nesting::Level level(&nesting_);
  VAQUITA_RETURN_IF_ERROR(NotTooDeep());
  return Operands("+", &ExpressionParser::Difference);
}

absl::StatusOr<ExprPtr> ExpressionParser::Difference() { return Operands("-", &ExpressionParser::Concatenation); }

absl::StatusOr<ExprPtr> ExpressionParser::Operands(std::string_view op, Reader operand) {
  VAQUITA_ASSIGN_OR_RETURN(ExprPtr left, (this->*operand)());
  for (bool first = true; tokens_.TakeSymbol(op); first = false) {
    VAQUITA_RETURN_IF_ERROR(Link());
    VAQUITA_ASSIGN_OR_RETURN(ExprPtr right, (this->*operand)());
    left = Make(ExprKind::kArithmetic, {left, right}, std::string(op));
    left->continues = !first;
  }
  return left;
}

absl::StatusOr<ExprPtr> ExpressionParser::Concatenation() {
  VAQUITA_ASSIGN_OR_RETURN(ExprPtr left, Product());
  if (!tokens_.IsSymbol("||")) return left;
  left = Make(ExprKind::kConcat, {left});
  while (tokens_.TakeSymbol("||")) {
    VAQUITA_ASSIGN_OR_RETURN(ExprPtr right, Product());
    left->children.push_back(std::move(right));
  }
  return left;
}

absl::StatusOr<ExprPtr> ExpressionParser::Product() {
  VAQUITA_ASSIGN_OR_RETURN(ExprPtr left, Unary());
  while (tokens_.IsSymbol("*") || tokens_.IsSymbol("/") || tokens_.IsSymbol("%")) {
    const std::string op = tokens_.Take().text;
    VAQUITA_RETURN_IF_ERROR(Link());
    VAQUITA_ASSIGN_OR_RETURN(ExprPtr right, Unary());
    left = Make(ExprKind::kArithmetic, {left, right}, op);
  }
  return left;
}

absl::StatusOr<ExprPtr> ExpressionParser::Unary() {
  if (tokens_.IsSymbol("+") && tokens_.Peek(1).kind == TokenKind::kNumber) tokens_.Take();
  if (!tokens_.IsSymbol("-")) return Postfix();
  tokens_.Take();
  // The smallest BIGINT has no positive counterpart, so the sign belongs to the number.
  if (tokens_.Peek().kind == TokenKind::kNumber && tokens_.Peek().text == "9223372036854775808") {
    tokens_.Take();
    return MakeLiteral(TypeId::kBigint, std::numeric_limits<int64_t>::min(), "-9223372036854775808");
  }
  const Nesting::Level level(&nesting_);
  VAQUITA_RETURN_IF_ERROR(NotTooDeep());
  VAQUITA_ASSIGN_OR_RETURN(ExprPtr operand, Unary());
  if (operand->kind != ExprKind::kLiteral || !IsNumber(operand->type)) return Make(ExprKind::kNegate, {operand});
  if (auto* integer = std::get_if<int64_t>(&operand->literal)) {
    if (*integer == std::numeric_limits<int64_t>::min()) return operand;  // as in Java
    *integer = -*integer;
  } else if (auto* real = std::get_if<double>(&operand->literal)) {
    *real = -*real;
  } else {
    operand->literal = operand->literal.decimal().Negated();
  }
  operand->text.insert(0, "-");
  // Phoenix multiplies by -1, which makes a BIGINT.
  if (operand->type.kind() == ValueKind::kInteger) operand->type = TypeId::kBigint;
  return operand;
}

absl::StatusOr<ExprPtr> ExpressionParser::Postfix() {
  VAQUITA_ASSIGN_OR_RETURN(ExprPtr value, Primary());
  while (tokens_.TakeSymbol("[")) {
    VAQUITA_ASSIGN_OR_RETURN(ExprPtr index, Expression());
    VAQUITA_RETURN_IF_ERROR(tokens_.ExpectSymbol("]", "RSQUARE"));
    VAQUITA_RETURN_IF_ERROR(Link());
    value = Make(ExprKind::kElement, {value, index});
  }
  return value;
}

absl::StatusOr<ExprPtr> ExpressionParser::Primary() {
  VAQUITA_RETURN_IF_ERROR(Repeat(1, 1));
  const Token& token = tokens_.Peek();
  switch (token.kind) {
    case TokenKind::kNumber:
      return Number();
    case TokenKind::kString: {
      // The empty string is NULL.
      const std::string text = tokens_.Take().text;
      VAQUITA_RETURN_IF_ERROR(CountText(text));
      return MakeLiteral(TypeId::kVarchar, text.empty() ? Value() : Value(text), "");
    }
    case TokenKind::kSymbol:
      if (tokens_.TakeSymbol("(")) return Parenthesis();
      if (tokens_.IsSymbol("?") || tokens_.IsSymbol(":")) return Parameter();
      return tokens_.Unexpected();
    case TokenKind::kWord:
    case TokenKind::kQuotedName:
      return Word();
    case TokenKind::kEnd:
      return tokens_.Mismatched("LPAREN");
  }
  return tokens_.Unexpected();
}

namespace {

// Returns the number as Phoenix labels it: 0.5 for .5 and 00.5.
std::string WithOneZero(std::string_view number) {
  while (number.size() > 1 && number.front() == '0' && number[1] != '.') number.remove_prefix(1);
  return Concat(number.front() == '.' ? "0" : "", number);
}

}  // namespace

absl::StatusOr<ExprPtr> ExpressionParser::Number() {
  const std::string text = tokens_.Take().text;
  VAQUITA_RETURN_IF_ERROR(CountText(text));
  if (text.find_first_of("eE") != std::string::npos) {
    double value = 0;
    (void)ReadNumber(text, &value);
    return MakeLiteral(TypeId::kDouble, value, "");
  }
  int64_t integer = 0;
  if (text.find('.') == std::string::npos && ReadNumber(text, &integer)) {
    return MakeLiteral(integer <= std::numeric_limits<int32_t>::max() ? TypeId::kInteger : TypeId::kBigint, integer,
                       WithOneZero(text));
  }
  VAQUITA_ASSIGN_OR_RETURN(const Decimal decimal, Decimal::Parse(text));
  return MakeLiteral(TypeId::kDecimal, decimal, WithOneZero(text));
}

absl::StatusOr<ExprPtr> ExpressionParser::Parameter() {
  ExprPtr parameter = Make(ExprKind::kParameter);
  if (tokens_.TakeSymbol("?")) {
    parameter->parameter = parameters_++;
    return parameter;
  }
  tokens_.Take();
  int32_t number = 0;
  if (tokens_.Peek().kind != TokenKind::kNumber || !ReadNumber(tokens_.Peek().text, &number) || number < 1 ||
      number > 10'000) {
    return tokens_.Unexpected();
  }
  tokens_.Take();
  parameter->parameter = number - 1;
  parameters_ = std::max(parameters_, number);
  return parameter;
}

// Reads a whole number or a parameter.
absl::StatusOr<ExprPtr> ExpressionParser::LimitValue() {
  if (tokens_.IsSymbol("?") || tokens_.IsSymbol(":")) {
    VAQUITA_ASSIGN_OR_RETURN(ExprPtr parameter, Parameter());
    parameter->type = TypeId::kInteger;
    return parameter;
  }
  if (tokens_.Peek().kind != TokenKind::kNumber || tokens_.Peek().text.find_first_of(".eE") != std::string::npos) {
    return tokens_.Unexpected();
  }
  if (int64_t large = 0; ReadNumber(tokens_.Peek().text, &large) && large > std::numeric_limits<int32_t>::max()) {
    return SqlError(ErrorCode::kIllegalData,
                    Concat("BIGINT value ", large, " cannot be cast to Integer without changing its value"));
  }
  VAQUITA_ASSIGN_OR_RETURN(const int32_t number, SmallNumber());
  return MakeLiteral(TypeId::kInteger, int64_t{number}, Concat(number));
}

// Reads one expression, or a row of several.
absl::StatusOr<ExprPtr> ExpressionParser::Parenthesis() {
  if (tokens_.IsWord("SELECT")) return tokens_.Mismatched("LPAREN");
  VAQUITA_ASSIGN_OR_RETURN(std::vector<ExprPtr> items, List(")", "RPAREN"));
  return items.size() == 1 ? items[0] : Make(ExprKind::kRow, std::move(items));
}

absl::StatusOr<ExprPtr> ExpressionParser::Word() {
  if (tokens_.Peek().kind == TokenKind::kWord) {
    if (tokens_.TakeWord("NULL")) return MakeLiteral(TypeId::kNull, Value(), "");
    if (tokens_.TakeWord("TRUE")) return MakeLiteral(TypeId::kBoolean, int64_t{1}, "true");
    if (tokens_.TakeWord("FALSE")) return MakeLiteral(TypeId::kBoolean, int64_t{0}, "false");
    if (tokens_.TakeWord("CASE")) return Case();
    if (tokens_.TakeWord("CAST")) return Cast();
    if (tokens_.IsWord("ARRAY") && tokens_.IsSymbol("[", 1)) {
      tokens_.Take();
      tokens_.Take();
      VAQUITA_ASSIGN_OR_RETURN(std::vector<ExprPtr> items, List("]", "RSQUARE"));
      return Make(ExprKind::kArray, std::move(items));
    }
    if (tokens_.Peek(1).kind == TokenKind::kString) {
      const std::string type = tokens_.Peek().text;
      if (type == "DATE" || type == "TIME" || type == "TIMESTAMP") return DateLiteral(*FindType(type));
      if (type == "X" || type == "B") return BinaryLiteral();
    }
    const bool many = tokens_.Peek(1).kind == TokenKind::kNumber && tokens_.IsWord("VALUES", 2);
    if (tokens_.IsWord("NEXT") && (many || tokens_.IsWord("VALUE", 1))) return Sequence();
    if (tokens_.IsWord("CURRENT") && tokens_.IsWord("VALUE", 1)) return Sequence();
  }
  if (tokens_.IsSymbol("(", 1) && tokens_.IsName()) {
    std::string name = tokens_.Take().text;
    tokens_.Take();
    return Function(std::move(name));
  }
  if (!tokens_.IsName()) return tokens_.Unexpected();
  ExprPtr column = Make(ExprKind::kColumn, {}, tokens_.Take().text);
  while (tokens_.IsSymbol(".") && !tokens_.IsSymbol("*", 1)) {
    tokens_.Take();
    AppendText(&column->qualifier, column->qualifier.empty() ? "" : ".", column->text);
    VAQUITA_ASSIGN_OR_RETURN(column->text, tokens_.ExpectName());
  }
  return column;
}

// Reads NEXT VALUE FOR, NEXT 5 VALUES FOR or CURRENT VALUE FOR.
absl::StatusOr<ExprPtr> ExpressionParser::Sequence() {
  ExprPtr sequence = Make(ExprKind::kSequence);
  sequence->type = TypeId::kBigint;
  if (tokens_.Take().text == "NEXT") sequence->literal = int64_t{1};
  if (tokens_.Peek().kind == TokenKind::kNumber) {
    int64_t count = 0;
    if (!ReadNumber(tokens_.Peek().text, &count)) return tokens_.Unexpected();
    tokens_.Take();
    sequence->literal = count;
  }
  tokens_.Take();
  VAQUITA_RETURN_IF_ERROR(tokens_.ExpectWord("FOR"));
  VAQUITA_ASSIGN_OR_RETURN(const TableIdent name, Table());
  sequence->qualifier = name.schema;
  sequence->text = name.name;
  return sequence;
}

absl::StatusOr<ExprPtr> ExpressionParser::DateLiteral(TypeId type) {
  tokens_.Take();
  VAQUITA_ASSIGN_OR_RETURN(const Timestamp moment, ParseTimestamp(tokens_.Take().text));
  if (type == TypeId::kTimestamp) return MakeLiteral(type, moment, "");
  return MakeLiteral(type, moment.ms, "");
}

// Reads X'0aff' or B'00001111', whose digits may have blanks between them.
absl::StatusOr<ExprPtr> ExpressionParser::BinaryLiteral() {
  const bool hex = tokens_.Take().text == "X";
  std::string digits;
  for (const char c : tokens_.Peek().text) {
    if (c == ' ') continue;
    const bool fits = hex ? absl::ascii_isxdigit(static_cast<unsigned char>(c)) : c == '0' || c == '1';
    if (!fits) return SqlError(ErrorCode::kSyntax, "Unexpected char: '''");
    digits += c;
  }
  VAQUITA_RETURN_IF_ERROR(CountText(digits));
  const size_t width = hex ? 2 : 8;
  if (digits.size() % width != 0) {
    return SqlError(ErrorCode::kSyntax, hex ? "Hex literals must have an even number of digits"
                                            : "Binary literals must have a multiple of 8 digits");
  }
  tokens_.Take();
  std::string bytes;
  for (size_t i = 0; i < digits.size(); i += width) {
    bytes += static_cast<char>(std::stoi(digits.substr(i, width), nullptr, hex ? 16 : 2));
  }
  const auto size = static_cast<int32_t>(bytes.size());
  return MakeLiteral({TypeId::kBinary, size}, bytes.empty() ? Value() : Value(std::move(bytes)), "");
}

// CASE x WHEN 1 becomes CASE WHEN x = 1, as in Phoenix.
absl::StatusOr<ExprPtr> ExpressionParser::Case() {
  ExprPtr subject;
  const int64_t before = leaves_;
  if (!tokens_.IsWord("WHEN")) {
    VAQUITA_ASSIGN_OR_RETURN(subject, Expression());
  }
  const int64_t leaves = leaves_ - before;
  ExprPtr result = Make(ExprKind::kCase);
  do {
    VAQUITA_RETURN_IF_ERROR(tokens_.ExpectWord("WHEN"));
    VAQUITA_ASSIGN_OR_RETURN(ExprPtr when, Expression());
    VAQUITA_RETURN_IF_ERROR(Repeat(leaves, 1));
    if (subject != nullptr) when = Make(ExprKind::kCompare, {subject, when}, "=");
    VAQUITA_RETURN_IF_ERROR(tokens_.ExpectWord("THEN"));
    VAQUITA_ASSIGN_OR_RETURN(ExprPtr then, Expression());
    result->children.push_back(std::move(when));
    result->children.push_back(std::move(then));
  } while (tokens_.IsWord("WHEN"));
  if (tokens_.TakeWord("ELSE")) {
    VAQUITA_ASSIGN_OR_RETURN(ExprPtr rest, Expression());
    result->children.push_back(std::move(rest));
  }
  VAQUITA_RETURN_IF_ERROR(tokens_.ExpectWord("END"));
  return result;
}

absl::StatusOr<ExprPtr> ExpressionParser::Cast() {
  VAQUITA_RETURN_IF_ERROR(tokens_.ExpectSymbol("(", "LPAREN"));
  VAQUITA_ASSIGN_OR_RETURN(ExprPtr value, Expression());
  VAQUITA_RETURN_IF_ERROR(tokens_.ExpectWord("AS"));
  ExprPtr cast = Make(ExprKind::kCast, {value});
  VAQUITA_ASSIGN_OR_RETURN(cast->type, Type(nullptr, ""));
  VAQUITA_RETURN_IF_ERROR(tokens_.ExpectSymbol(")", "RPAREN"));
  return cast;
}

absl::StatusOr<ExprPtr> ExpressionParser::Function(std::string name) {
  ExprPtr call = Make(ExprKind::kFunction, {}, std::move(name));
  if (tokens_.TakeSymbol(")")) {
    if (call->text != "COUNT") return call;
    return SqlError(ErrorCode::kUnknownFunction, "functionName=[COUNT]");
  }
  if (call->text == "COUNT" && tokens_.IsSymbol("*") && tokens_.IsSymbol(")", 1)) {
    tokens_.Take();
    tokens_.Take();
    return call;
  }
  call->distinct = tokens_.TakeWord("DISTINCT");
  VAQUITA_ASSIGN_OR_RETURN(call->children, List(")", "RPAREN"));
  if (tokens_.TakeWords("WITHIN", "GROUP")) VAQUITA_RETURN_IF_ERROR(WithinGroup(call.get()));
  return call;
}

// Reads (ORDER BY X ASC). The order and its direction become the call's first arguments.
absl::Status ExpressionParser::WithinGroup(Expr* call) {
  VAQUITA_RETURN_IF_ERROR(tokens_.ExpectSymbol("(", "LPAREN"));
  VAQUITA_RETURN_IF_ERROR(tokens_.ExpectWord("ORDER"));
  VAQUITA_RETURN_IF_ERROR(tokens_.ExpectWord("BY"));
  VAQUITA_ASSIGN_OR_RETURN(std::vector<ExprPtr> arguments, ExpressionList());
  const bool ascending = tokens_.IsWord("ASC");
  if (!ascending && !tokens_.IsWord("DESC")) return tokens_.Unexpected();
  tokens_.Take();
  arguments.push_back(MakeLiteral(TypeId::kBoolean, int64_t{ascending}, ascending ? "true" : "false"));
  arguments.insert(arguments.end(), call->children.begin(), call->children.end());
  call->children = std::move(arguments);
  return tokens_.ExpectSymbol(")", "RPAREN");
}

absl::StatusOr<int32_t> ExpressionParser::SmallNumber() {
  const std::string text = tokens_.Take().text;
  int32_t number = 0;
  if (ReadNumber(text, &number)) return number;
  return SqlError(ErrorCode::kSyntax, Concat("For input string: \"", text, "\""));
}

absl::StatusOr<SqlType> ExpressionParser::Type(int32_t* array_size, std::string_view column) {
  VAQUITA_ASSIGN_OR_RETURN(const std::string name, tokens_.ExpectName());
  const std::optional<TypeId> id = FindType(name);
  if (!id.has_value()) return SqlError(ErrorCode::kIllegalData, Concat("Unsupported sql type: ", name));
  SqlType type(*id);
  const std::string place = column.empty() ? "" : Concat("columnName=", column);
  if (tokens_.TakeSymbol("(")) {
    for (std::optional<int32_t>* number : {&type.length, &type.scale}) {
      if (tokens_.Peek().kind != TokenKind::kNumber) return tokens_.Unexpected();
      VAQUITA_ASSIGN_OR_RETURN(*number, SmallNumber());
      if (!tokens_.TakeSymbol(",")) break;
    }
    VAQUITA_RETURN_IF_ERROR(tokens_.ExpectSymbol(")", "RPAREN"));
    const bool is_column = !column.empty();  // a cast may name any precision
    if (type.id == TypeId::kDecimal && is_column && (*type.length < 1 || *type.length > kMaxDecimalDigits)) {
      return SqlError(ErrorCode::kDecimalPrecision, place);
    }
    if (*type.length < 1) return SqlError(ErrorCode::kNonpositiveMaxLength, place);
    if (RowOf(*id).width < 0 && *type.length > kMostFixedBytes) {
      return NotSupported(
          Concat(RowOf(*id).name, "(", *type.length, "), because it has at most ", kMostFixedBytes, " bytes"));
    }
    if (type.id == TypeId::kDecimal && !type.scale.has_value()) type.scale = 0;
    type = type.WithinDecimal();
  }
  if (RowOf(*id).width < 0 && !type.length.has_value()) return SqlError(ErrorCode::kMissingMaxLength, place);
  const bool bracket = tokens_.IsSymbol("[");
  if (!tokens_.TakeWord("ARRAY") && !bracket) return type;
  type.array = true;
  if (!tokens_.TakeSymbol("[")) return type;
  if (tokens_.Peek().kind == TokenKind::kNumber) {
    VAQUITA_ASSIGN_OR_RETURN(const int32_t size, SmallNumber());
    if (array_size != nullptr) *array_size = size;
  }
  VAQUITA_RETURN_IF_ERROR(tokens_.ExpectSymbol("]", "RSQUARE"));
  return type;
}

}  // namespace vaquita::sql
