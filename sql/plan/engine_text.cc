#include "sql/plan/engine_text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <span>
#include <utility>

#include "absl/strings/str_join.h"
#include "base/status.h"
#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"
#include "sql/encoding/value_codec.h"
#include "sql/plan/engine_function_text.h"
#include "sql/plan/expression_parts.h"
#include "sql/plan/functions.h"
#include "sql/plan/resolver.h"

namespace vaquita::sql {
namespace {

constexpr std::string_view kDayMs = "86400000";

using Text = absl::StatusOr<std::string>;

// Parts of an expression stand several times in SQLite's text: a large literal would make it large without bound.
absl::Status CheckSize(const std::string& text) {
  constexpr size_t kMostBytes = 32 << 20;
  if (text.size() <= kMostBytes) return absl::OkStatus();
  return NotSupported(Concat("A query that becomes more than ", kMostBytes, " bytes of SQLite's SQL"));
}

std::string LiteralForm(const SqlType& type, const Value& value) {
  if (value.is_null()) return "NULL";
  if (type.array) return Concat("x'", Hex(EncodeValue(type, value)), "'");
  switch (type.kind()) {
    case ValueKind::kReal: {
      if (std::isnan(value.real())) return "NULL";
      if (std::isinf(value.real())) return value.real() > 0 ? "9e999" : "(-9e999)";  // too large for any but infinity
      char text[40];
      snprintf(text, sizeof(text), "%.17e", value.real());
      return text;
    }
    case ValueKind::kText:  // the bytes, because a literal of SQLite ends at a 00
      return Concat("CAST(x'", Hex(value.text()), "' AS TEXT)");
    case ValueKind::kBytes:
    case ValueKind::kDecimal:
    case ValueKind::kTimestamp:
      return Concat("x'", Hex(EncodeValue(type.InQuery(), value)), "'");
    default:
      return value.integer() == std::numeric_limits<int64_t>::min() ? "(-9223372036854775807-1)"
                                                                    : Concat(value.integer());
  }
}

// Returns the expressions from `first` on, as values of `type`.
absl::StatusOr<std::vector<std::string>> FormsOf(const std::vector<ExprPtr>& parts, const SqlType& type,
                                                 size_t first = 0) {
  std::vector<std::string> forms;
  for (size_t i = first; i < parts.size(); ++i) {
    VAQUITA_ASSIGN_OR_RETURN(forms.emplace_back(), EngineExpressionAs(*parts[i], type));
  }
  return forms;
}

Text CompareForm(const Expr& left, const std::string& op, const Expr& right);

// (a, b) >= (x, y): a > x OR (a = x AND b >= y); a >= x is added for the key's ranges.
Text RowCompareForm(const Expr& left, const std::string& op, const Expr& right) {
  const size_t size = left.children.size();
  if (op == "=" || op == "!=") {
    std::string all;
    for (size_t i = 0; i < size; ++i) {
      VAQUITA_ASSIGN_OR_RETURN(const std::string one, CompareForm(*left.children[i], "=", *right.children[i]));
      AppendText(&all, i == 0 ? "" : " AND ", one);
    }
    return op == "=" ? Concat("(", all, ")") : Concat("(NOT (", all, "))");
  }
  std::string nested;
  for (size_t i = size; i-- > 0;) {
    const Expr& a = *left.children[i];
    const Expr& b = *right.children[i];
    VAQUITA_ASSIGN_OR_RETURN(const std::string strict, CompareForm(a, i + 1 == size ? op : op.substr(0, 1), b));
    VAQUITA_ASSIGN_OR_RETURN(const std::string equal, CompareForm(a, "=", b));
    nested = nested.empty() ? strict : Concat("(", strict, " OR (", equal, " AND ", nested, "))");
  }
  VAQUITA_ASSIGN_OR_RETURN(const std::string first,
                           CompareForm(*left.children[0], op.substr(0, 1) + "=", *right.children[0]));
  return Concat("(", first, " AND ", nested, ")");
}

Text CompareForm(const Expr& left, const std::string& op, const Expr& right) {
  if (left.kind == ExprKind::kRow) return RowCompareForm(left, op, right);
  const SqlType type = ComparedType(left, right).value_or(left.type);
  VAQUITA_ASSIGN_OR_RETURN(const std::string a, EngineExpressionAs(left, type));
  VAQUITA_ASSIGN_OR_RETURN(const std::string b, EngineExpressionAs(right, type));
  return Concat("(", a, " ", op, " ", b, ")");
}

// Returns + - * of whole numbers, from the left to the right: `ops` has one operator for each operand behind the first.
// They wrap around as Java's long does. The operators of SQLite make a double of what does not fit.
std::string WholeForm(std::string_view ops, std::string_view operands) {
  return Concat("px_chain('", ops, "', ", operands, ")");
}
std::string Negated(std::string_view whole) { return WholeForm("*", Concat(whole, ", -1")); }

// Returns the ms of so many days. Beyond a BIGINT only a BIGINT of days wraps around.
Text DaysInMs(const Expr& days) {
  VAQUITA_ASSIGN_OR_RETURN(const std::string number, EngineExpression(days));
  if (days.type.kind() == ValueKind::kInteger) return WholeForm("*", Concat(number, ", ", kDayMs));
  const std::string decimal = ConvertedForm(number, days.type, TypeId::kDecimal);
  return Concat("px_whole(px_multiply(", decimal, ", px_decimal(", kDayMs, ")))");
}

// A time and a number of days, or what is between two times: days between dates, a TIMESTAMP between TIMESTAMPs.
Text TimeArithmeticForm(const Expr& expr) {
  const bool time_first = IsTime(expr.children[0]->type);
  const Expr& left = *expr.children[time_first ? 0 : 1];
  const Expr& right = *expr.children[time_first ? 1 : 0];
  VAQUITA_ASSIGN_OR_RETURN(const std::string time, EngineExpression(left));
  if (IsTime(right.type)) {
    VAQUITA_ASSIGN_OR_RETURN(const std::string before, EngineExpression(right));
    if (expr.type.kind() == ValueKind::kTimestamp) {
      return Concat("px_timestamp(", WholeForm("-", Concat("px_millis(", time, "), px_millis(", before, ")")), ")");
    }
    const std::string difference = Concat("px_add(px_decimal(", time, "), px_negate(px_decimal(", before, ")))");
    return Concat("px_divide(", difference, ", px_decimal(", kDayMs, "))");
  }
  VAQUITA_ASSIGN_OR_RETURN(const std::string ms, DaysInMs(right));
  if (left.type.kind() == ValueKind::kMillis) return WholeForm(expr.text, Concat(time, ", ", ms));
  return Concat("px_add_ms(", time, ", ", expr.text == "-" ? Negated(ms) : ms, ")");
}

bool IsTimeArithmetic(const Expr& expr) { return IsTime(expr.children[0]->type) || IsTime(expr.children[1]->type); }

bool IsSum(const Expr& arithmetic) { return arithmetic.text == "+" || arithmetic.text == "-"; }

// Returns whether `left`, the left operand of `expr`, can stand before it without parentheses.
bool IsChained(const Expr& left, const Expr& expr) {
  if (left.kind != ExprKind::kArithmetic || left.type.kind() != expr.type.kind() || IsTimeArithmetic(left))
    return false;
  return left.text == expr.text || (IsSum(left) && IsSum(expr));
}

// Whole numbers cut the digits of others off.
Text OperandForm(const Expr& operand, const SqlType& type) {
  if (type.kind() != ValueKind::kInteger || operand.type.kind() != ValueKind::kReal) {
    return EngineExpressionAs(operand, type);
  }
  VAQUITA_ASSIGN_OR_RETURN(const std::string number, EngineExpression(operand));
  return Concat("px_cut_off(", number, ")");
}

// Writes + - *, and what stands left of them, from the left to the right: the parser of SQLite nests its text, and that
// of its functions' arguments, only some thirty to a hundred times.
Text ChainForm(const Expr& expr) {
  std::vector<const Expr*> chain = {&expr};
  while (IsChained(*chain.back()->children[0], *chain.back())) chain.push_back(chain.back()->children[0].get());
  VAQUITA_ASSIGN_OR_RETURN(std::string text, OperandForm(*chain.back()->children[0], expr.type));
  const bool whole = expr.type.kind() == ValueKind::kInteger;
  const bool decimal = expr.type.kind() == ValueKind::kDecimal;
  const std::string_view name = IsSum(expr) ? "px_add(" : "px_multiply(";
  std::string ops;                        // for whole numbers
  constexpr size_t kMostArguments = 100;  // SQLite's functions have at most 127
  for (size_t i = chain.size(); i-- > 0;) {
    VAQUITA_ASSIGN_OR_RETURN(const std::string operand, OperandForm(*chain[i]->children[1], expr.type));
    const std::string& op = chain[i]->text;
    if (whole) {
      ops += op;
      AppendText(&text, ", ", operand);
      if (i % kMostArguments == 0) text = WholeForm(std::exchange(ops, ""), text);
    } else if (decimal) {
      AppendText(&text, ", ", op == "-" ? Concat("px_negate(", operand, ")") : operand);
      if (i % kMostArguments == 0) text = Concat(name, text, ")");
    } else {
      AppendText(&text, " ", op, " ", operand);
    }
  }
  return whole || decimal ? text : Concat("(", text, ")");
}

Text ArithmeticForm(const Expr& expr) {
  if (IsTimeArithmetic(expr)) return TimeArithmeticForm(expr);
  if (expr.text != "%" && expr.text != "/") return ChainForm(expr);
  VAQUITA_ASSIGN_OR_RETURN(const std::string a, OperandForm(*expr.children[0], expr.type));
  VAQUITA_ASSIGN_OR_RETURN(const std::string b, OperandForm(*expr.children[1], expr.type));
  if (expr.text == "%") return Concat("px_modulo(", a, ", ", b, ")");
  const std::string quotient = Concat("px_divide(", a, ", ", b, ")");
  return expr.cut ? Concat("px_cut(", quotient, ", ", *expr.type.scale, ")") : quotient;
}

// A CHAR has its blanks here.
Text LikeForm(const Expr& expr) {
  const Expr& value = *expr.children[0];
  const Expr& other = *expr.children[1];
  VAQUITA_ASSIGN_OR_RETURN(const std::string text, ResultForm(value, TypeId::kVarchar));
  VAQUITA_ASSIGN_OR_RETURN(const std::string pattern, EngineExpression(other));
  const bool of_char = IsChar(value.type) && (other.kind == ExprKind::kParameter || IsConstant(other));
  const std::string_view name = expr.ignores_case ? "px_ilike(" : of_char ? "px_like_char(" : "px_like(";
  const std::string like = Concat(name, text, ", ", pattern, ")");
  if (expr.negated) return Concat("(NOT ", like, ")");
  if (expr.ignores_case || value.kind != ExprKind::kColumn) return like;
  // SQLite passes these bounds on to the scan.
  VAQUITA_ASSIGN_OR_RETURN(const std::string column, EngineExpression(value));
  const std::string low = ConvertedForm(Concat("px_like_low(", pattern, ")"), TypeId::kVarchar, value.type);
  return Concat("(", like, " AND ", column, " >= ", low, " AND ", column, " < px_like_high(", pattern, "))");
}

Text InForm(const Expr& expr) {
  const std::string_view negation = expr.negated ? "NOT " : "";
  if (expr.kind == ExprKind::kInSubquery) {
    std::vector<SqlType> types = TypesOfRows(*expr.subquery);
    std::vector<std::string> values;
    for (const ExprPtr& value : ValuesOf(expr.children[0])) {
      SqlType& type = types[values.size()];
      type = CommonType(value->type, type).value_or(type);
      VAQUITA_ASSIGN_OR_RETURN(values.emplace_back(), EngineExpressionAs(*value, type));
    }
    VAQUITA_ASSIGN_OR_RETURN(const std::string query, EngineQuery(*expr.subquery, types));
    return Concat("((", absl::StrJoin(values, ", "), ") IN (", query, ")", expr.negated ? " IS NOT TRUE)" : ")");
  }
  if (expr.children[0]->kind == ExprKind::kRow) {
    std::vector<std::string> any;
    for (size_t i = 1; i < expr.children.size(); ++i) {
      VAQUITA_ASSIGN_OR_RETURN(any.emplace_back(), CompareForm(*expr.children[0], "=", *expr.children[i]));
    }
    const std::string one = Concat("(", JoinedInGroups(std::move(any), " OR "), ")");
    return expr.negated ? Concat("(NOT ", one, ")") : one;
  }
  const SqlType type = ComparedType(expr.children);
  VAQUITA_ASSIGN_OR_RETURN(const std::string value, EngineExpressionAs(*expr.children[0], type));
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<std::string> items, FormsOf(expr.children, type, 1));
  return Concat("(", value, " ", negation, "IN (", absl::StrJoin(items, ", "), "))");
}

// Beside a null, IN with a sub-query is false for Phoenix, so that its negation is true. NOT is computed for the parts
// of AND and OR, to reach it.
Text NotForm(const Expr& expr) {
  if (expr.kind == ExprKind::kNot) return EngineExpression(*expr.children[0]);
  if (expr.kind == ExprKind::kInSubquery) {
    Expr other = expr;
    other.negated = !expr.negated;
    return InForm(other);
  }
  if (expr.kind != ExprKind::kAnd && expr.kind != ExprKind::kOr) {
    VAQUITA_ASSIGN_OR_RETURN(const std::string value, EngineExpression(expr));
    return Concat("(NOT ", value, ")");
  }
  std::vector<std::string> terms;
  for (const ExprPtr& child : expr.children) {
    VAQUITA_ASSIGN_OR_RETURN(terms.emplace_back(), NotForm(*child));
  }
  return Concat("(", JoinedInGroups(std::move(terms), expr.kind == ExprKind::kAnd ? " OR " : " AND "), ")");
}

// A CASE in ELSE goes on with this one: SQLite's parser takes some twenty within each other.
Text CaseForm(const Expr& expr) {
  std::string text = "CASE";
  for (const Expr* at = &expr;;) {
    size_t i = 0;
    for (; i + 1 < at->children.size(); i += 2) {
      VAQUITA_ASSIGN_OR_RETURN(const std::string when, EngineExpression(*at->children[i]));
      VAQUITA_ASSIGN_OR_RETURN(const std::string then, ResultForm(*at->children[i + 1], expr.type));
      AppendText(&text, " WHEN ", when, " THEN ", then);
    }
    if (i == at->children.size()) return text + " END";
    const Expr& rest = *at->children[i];
    if (rest.kind != ExprKind::kCase || rest.type != expr.type) {
      VAQUITA_ASSIGN_OR_RETURN(const std::string form, ResultForm(rest, expr.type));
      return Concat(text, " ELSE ", form, " END");
    }
    at = &rest;
  }
}

// The last argument tells rows apart: within a row a sequence has one value.
Text SequenceForm(const Expr& expr) {
  const std::string row = expr.source < 0 ? "0" : Concat("s", expr.source, ".row");
  const std::string name =
      Concat(LiteralForm(TypeId::kVarchar, expr.qualifier), ", ", LiteralForm(TypeId::kVarchar, expr.text), ", ");
  return expr.takes > 0 ? Concat("px_next(", name, expr.takes, ", ", row, ")") : Concat("px_current(", name, row, ")");
}

bool HasSequence(const Select& select) {
  return std::ranges::any_of(select.items, [](const SelectItem& item) { return SequenceIn(*item.expr) != nullptr; });
}

// The number of the query within, which has everything but the sequences.
constexpr int32_t kInner = 1'000'000;

// Moves the parts of an output without sequences into the inner query, and returns the output over its columns.
ExprPtr OverInner(const ExprPtr& expr, std::vector<SelectItem>* inner) {
  auto over = std::make_shared<Expr>(*expr);
  over->source = kInner;
  if (SequenceIn(*expr) != nullptr) {
    for (ExprPtr& child : over->children) child = OverInner(child, inner);
    return over;
  }
  over->kind = ExprKind::kColumn;
  over->column = static_cast<int32_t>(inner->size());
  over->children.clear();
  inner->emplace_back().expr = expr;
  return over;
}

// A row takes its values when it is an answer, behind conditions, ORDER BY and LIMIT. So these are computed before.
Text QueryWithSequences(const Select& select, const std::vector<SqlType>& types) {
  Select inner = select;
  inner.items.clear();
  std::string outputs;
  for (size_t i = 0; i < select.items.size(); ++i) {
    const ExprPtr item = OverInner(select.items[i].expr, &inner.items);
    VAQUITA_ASSIGN_OR_RETURN(const std::string value, EngineExpressionAs(*item, types.empty() ? item->type : types[i]));
    AppendText(&outputs, i == 0 ? "" : ", ", value);
  }
  if (inner.items.empty()) inner.items.emplace_back().expr = std::make_shared<Expr>();
  VAQUITA_ASSIGN_OR_RETURN(const std::string query, EngineQuery(inner));
  return Concat("WITH s", kInner, " AS MATERIALIZED (SELECT row_number() OVER () AS row, * FROM (", query, ")) SELECT ",
                outputs, " FROM s", kInner);
}

std::string_view JoinWords(JoinKind join) {
  switch (join) {
    case JoinKind::kNone:
      return "";
    case JoinKind::kInner:
      return " JOIN ";
    case JoinKind::kLeft:
      return " LEFT JOIN ";
    case JoinKind::kRight:
      return " RIGHT JOIN ";
    case JoinKind::kFull:
      return " FULL JOIN ";
  }
  return "";
}

Text FromForm(const Select& select) {
  std::string text;
  for (const Source& source : select.from) {
    text += JoinWords(source.join);
    if (source.subquery != nullptr) {
      VAQUITA_ASSIGN_OR_RETURN(const std::string query, EngineQuery(*source.subquery));
      AppendText(&text, "(", query, ") AS s", source.number);
    } else {
      AppendText(&text, "t", source.number, " AS s", source.number);
    }
    if (source.on == nullptr) continue;
    VAQUITA_ASSIGN_OR_RETURN(const std::string on, EngineExpression(*source.on));
    AppendText(&text, " ON ", on);
  }
  return text;
}

// Returns an expression of GROUP BY or ORDER BY. There, a whole number would be the place of an output for SQLite.
Text KeyForm(const Expr& key) {
  VAQUITA_ASSIGN_OR_RETURN(const std::string text, EngineExpression(key));
  return IsConstant(key) ? Concat("nullif(", text, ", NULL)") : text;
}

Text SimpleForm(const Select& select, const std::vector<SqlType>& types) {
  std::string text = select.distinct ? "SELECT DISTINCT " : "SELECT ";
  const bool has_aggregate = HasAggregateOutput(select);
  // HAVING makes one group of all rows, for SQLite only beside an aggregate.
  const bool needs_aggregate = select.having != nullptr && select.group_by.empty() && !has_aggregate;
  for (size_t i = 0; i < select.items.size(); ++i) {
    const Expr& item = *select.items[i].expr;
    VAQUITA_ASSIGN_OR_RETURN(std::string value, EngineExpressionAs(item, types.empty() ? item.type : types[i]));
    if (needs_aggregate && i == 0) value = Concat("CASE WHEN count(*) >= 0 THEN ", value, " END");
    AppendText(&text, i == 0 ? "" : ", ", value, " AS c", i);
    VAQUITA_RETURN_IF_ERROR(CheckSize(text));
  }
  if (!select.from.empty()) {
    VAQUITA_ASSIGN_OR_RETURN(const std::string from, FromForm(select));
    AppendText(&text, " FROM ", from);
  } else if (has_aggregate) {
    text += " WHERE 0";  // Phoenix counts no row where there is no table
  }
  if (select.where != nullptr) {
    VAQUITA_ASSIGN_OR_RETURN(const std::string where, EngineExpression(*select.where));
    AppendText(&text, " WHERE ", where);
  }
  for (size_t i = 0; i < select.group_by.size(); ++i) {
    VAQUITA_ASSIGN_OR_RETURN(const std::string key, KeyForm(*select.group_by[i]));
    AppendText(&text, i == 0 ? " GROUP BY " : ", ", key);
    VAQUITA_RETURN_IF_ERROR(CheckSize(text));
  }
  if (select.having != nullptr) {
    VAQUITA_ASSIGN_OR_RETURN(const std::string having, EngineExpression(*select.having));
    AppendText(&text, " HAVING ", having);
  }
  return text;
}

// Returns a LIMIT or OFFSET. A parameter that is null is none.
Text LimitForm(const Expr& limit, const std::string& none) {
  VAQUITA_ASSIGN_OR_RETURN(const std::string number, EngineExpression(limit));
  return limit.kind == ExprKind::kParameter ? Concat("coalesce(", number, ", ", none, ")") : number;
}

Text OrderForm(const Select& select) {
  std::string text;
  for (const OrderItem& item : select.order_by) {
    const auto found = std::ranges::find_if(select.items, [&](const SelectItem& i) { return i.expr == item.expr; });
    if (found != select.items.end()) {
      AppendText(&text, text.empty() ? " ORDER BY " : ", ", found - select.items.begin() + 1);
    } else {
      VAQUITA_ASSIGN_OR_RETURN(const std::string key, KeyForm(*item.expr));
      AppendText(&text, text.empty() ? " ORDER BY " : ", ", key);
      VAQUITA_RETURN_IF_ERROR(CheckSize(text));
    }
    if (item.descending) text += " DESC";
    if (item.nulls_last.has_value()) text += *item.nulls_last ? " NULLS LAST" : " NULLS FIRST";
  }
  // Phoenix answers DISTINCT in the order of its values.
  if (text.empty() && select.distinct) {
    for (size_t i = 0; i < select.items.size(); ++i) AppendText(&text, i == 0 ? " ORDER BY " : ", ", i + 1);
  }
  return text;
}

}  // namespace

std::string JoinedInGroups(std::vector<std::string> terms, std::string_view between) {
  constexpr size_t kGroup = 100;
  while (terms.size() > kGroup) {
    std::vector<std::string> groups;
    for (size_t i = 0; i < terms.size(); i += kGroup) {
      const std::span<const std::string> rest = std::span(terms).subspan(i);
      groups.push_back(Concat("(", absl::StrJoin(rest.first(std::min(kGroup, rest.size())), AbslText(between)), ")"));
    }
    terms = std::move(groups);
  }
  return absl::StrJoin(terms, AbslText(between));
}

std::string ConvertedForm(const std::string& text, const SqlType& from, const SqlType& to) {
  if (from.is_null() || to.is_null()) return text;
  const bool other_width = from.Element().FixedWidth() != to.Element().FixedWidth();
  if (from.array && to.array && (from.id != to.id || other_width)) {
    return Concat("px_array_cast(", text, ", ", TypeCode(from.Element()), ", ", TypeCode(to.Element()), ")");
  }
  const bool rounds = IsFloat(to) && !IsFloat(from);
  if (IsChar(to) && from.kind() == ValueKind::kText && !IsChar(from)) return Concat("rtrim(", text, ")");
  if (from.array || (from.kind() == to.kind() && !rounds)) return text;
  if (IsNumber(from) && IsTime(to)) {  // milliseconds
    const std::string whole = from.kind() == ValueKind::kInteger ? text : Concat("px_whole(", text, ")");
    return to.kind() == ValueKind::kTimestamp ? Concat("px_timestamp(", whole, ")") : whole;
  }
  switch (to.kind()) {
    case ValueKind::kDecimal:
      return Concat("px_decimal(", text, ")");
    case ValueKind::kReal:
      return Concat(rounds ? "px_float(" : "px_real(", text, ")");
    case ValueKind::kInteger:
      return Concat("px_whole(", text, ")");
    case ValueKind::kTimestamp:
      return Concat(from.kind() == ValueKind::kText ? "px_to_timestamp(" : "px_timestamp(", text, ")");
    case ValueKind::kMillis:
      return Concat(from.kind() == ValueKind::kText ? "px_to_date(" : "px_millis(", text, ")");
    case ValueKind::kBytes:
      return Concat("CAST(", text, " AS BLOB)");
    case ValueKind::kText:
      return Concat("px_text(", text, ")");
    default:
      return text;
  }
}

absl::StatusOr<std::string> EngineExpressionAs(const Expr& expr, const SqlType& type) {
  VAQUITA_ASSIGN_OR_RETURN(const std::string text, EngineExpression(expr));
  return ConvertedForm(text, expr.type, type);
}

namespace {

// The text of one expression without a check of its size.
Text FormOf(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::kLiteral:
      return LiteralForm(expr.type, expr.literal);
    case ExprKind::kParameter:
      return Concat("?", expr.parameter + 1);
    case ExprKind::kColumn:
      if (expr.column == kRowKeyColumn) return Concat("s", expr.source, ".k");
      return Concat("s", expr.source, ".c", expr.column);
    case ExprKind::kArithmetic:
      return ArithmeticForm(expr);
    case ExprKind::kNegate: {
      VAQUITA_ASSIGN_OR_RETURN(const std::string value, EngineExpressionAs(*expr.children[0], expr.type));
      if (expr.type.kind() == ValueKind::kInteger) return Negated(value);
      return expr.type.kind() == ValueKind::kDecimal ? Concat("px_negate(", value, ")") : Concat("(", value, " * -1)");
    }
    case ExprKind::kConcat:
      return ConcatForm(expr);
    case ExprKind::kCompare:
      return CompareForm(*expr.children[0], expr.text, *expr.children[1]);
    case ExprKind::kAnd:
    case ExprKind::kOr: {
      VAQUITA_ASSIGN_OR_RETURN(std::vector<std::string> terms, FormsOf(expr.children, {}));
      return Concat("(", JoinedInGroups(std::move(terms), expr.kind == ExprKind::kAnd ? " AND " : " OR "), ")");
    }
    case ExprKind::kNot:
      return NotForm(*expr.children[0]);
    case ExprKind::kIsNull: {
      VAQUITA_ASSIGN_OR_RETURN(const std::string value, EngineExpression(*expr.children[0]));
      return Concat("(", value, " IS ", expr.negated ? "NOT " : "", "NULL)");
    }
    case ExprKind::kLike:
      return LikeForm(expr);
    case ExprKind::kIn:
    case ExprKind::kInSubquery:
      return InForm(expr);
    case ExprKind::kBetween: {
      VAQUITA_ASSIGN_OR_RETURN(const std::string low, CompareForm(*expr.children[0], ">=", *expr.children[1]));
      VAQUITA_ASSIGN_OR_RETURN(const std::string high, CompareForm(*expr.children[0], "<=", *expr.children[2]));
      return Concat(expr.negated ? "(NOT (" : "((", low, " AND ", high, "))");
    }
    case ExprKind::kCase:
      return CaseForm(expr);
    case ExprKind::kFunction:
      return FunctionForm(expr);
    case ExprKind::kCast:
      return CastForm(expr);
    case ExprKind::kExists: {
      VAQUITA_ASSIGN_OR_RETURN(const std::string query, EngineQuery(*expr.subquery));
      return Concat("EXISTS (", query, ")");
    }
    case ExprKind::kSubquery: {
      VAQUITA_ASSIGN_OR_RETURN(const std::string query, EngineQuery(*expr.subquery));
      return Concat("(SELECT px_single(q.c0) FROM (", query, ") AS q)");
    }
    case ExprKind::kSequence:
      return SequenceForm(expr);
    case ExprKind::kRow:
      return NotSupported("A row of values outside a comparison");
    case ExprKind::kArray:
      return ArrayForm(expr);
    case ExprKind::kElement:
      return ElementForm(expr);
    case ExprKind::kQuantified:
      return QuantifiedForm(expr);
  }
  return NotSupported("This expression");
}

}  // namespace

absl::StatusOr<std::string> EngineExpression(const Expr& expr) {
  VAQUITA_ASSIGN_OR_RETURN(std::string text, FormOf(expr));
  VAQUITA_RETURN_IF_ERROR(CheckSize(text));
  return text;
}

absl::StatusOr<std::string> EngineQuery(const Select& select, const std::vector<SqlType>& wanted) {
  const std::vector<SqlType>& types = wanted.empty() ? select.types : wanted;
  const bool sequences = HasSequence(select);
  const bool any_sequences =
      sequences || std::ranges::any_of(select.union_all, [](const SelectPtr& next) { return HasSequence(*next); });
  // The rows of a UNION have no number that tells them apart.
  if (any_sequences && !select.union_all.empty()) return NotSupported("A sequence in a UNION");
  if (sequences && !select.from.empty()) return QueryWithSequences(select, types);
  VAQUITA_ASSIGN_OR_RETURN(std::string text, SimpleForm(select, types));
  for (const SelectPtr& next : select.union_all) {
    VAQUITA_ASSIGN_OR_RETURN(const std::string query, SimpleForm(*next, types));
    AppendText(&text, " UNION ALL ", query);
  }
  VAQUITA_ASSIGN_OR_RETURN(const std::string order, OrderForm(select));
  text += order;
  if (select.limit != nullptr || select.offset != nullptr) {
    std::string limit = "-1";
    if (select.limit != nullptr) {
      VAQUITA_ASSIGN_OR_RETURN(limit, LimitForm(*select.limit, limit));
    }
    AppendText(&text, " LIMIT ", limit);
  }
  if (select.offset != nullptr) {
    VAQUITA_ASSIGN_OR_RETURN(const std::string offset, LimitForm(*select.offset, "0"));
    AppendText(&text, " OFFSET ", offset);
  }
  return text;
}

}  // namespace vaquita::sql
