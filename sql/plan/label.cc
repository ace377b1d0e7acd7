// This file has LabelOf: Phoenix labels columns and words errors by an expression's text.
#include "absl/strings/str_replace.h"
#include "sql/encoding/date_text.h"
#include "sql/encoding/text.h"
#include "sql/encoding/value_text.h"
#include "sql/plan/functions.h"
#include "sql/plan/resolver.h"

namespace vaquita::sql {
namespace {

std::string LiteralText(const Expr& expr) {
  if (expr.literal.is_null()) return "";
  if (!expr.text.empty()) return expr.text;
  if (expr.type.array) return Concat("ARRAY[", JoinedElements(expr.type.Element(), expr.literal.list(), ","), "]");
  switch (expr.type.kind()) {
    case ValueKind::kText:
      return Concat("'", absl::StrReplaceAll(expr.literal.text(), {{"'", "''"}}), "'");
    case ValueKind::kBytes:
      return Concat("X'", Hex(expr.literal.text()), "'");
    case ValueKind::kMillis:
    case ValueKind::kTimestamp: {
      const bool is_timestamp = expr.type.kind() == ValueKind::kTimestamp;
      const int64_t ms = is_timestamp ? expr.literal.timestamp().ms : expr.literal.integer();
      return Concat(expr.type.Name(), " '", FormatByPattern(ms, kDatePattern).value_or(""), "'");
    }
    case ValueKind::kDecimal:
      return expr.literal.decimal().ToPlainString();
    default:
      return JavaText(expr.type, expr.literal);
  }
}

std::string Joined(const std::vector<ExprPtr>& parts, std::string_view between, size_t first = 0) {
  std::string text;
  for (size_t i = first; i < parts.size(); ++i) AppendText(&text, i == first ? "" : between, LabelOf(*parts[i]));
  return text;
}

// Returns the label of a result of CASE, in the type of all of them.
std::string ResultText(const Expr& expr, const SqlType& type) {
  const std::string text = LabelOf(expr);
  const bool same = expr.type.is_null() || type.is_null() || expr.type.id == type.id;
  return same ? text : Concat("TO_", type.Name(), "(", text, ")");
}

std::string CaseText(const Expr& expr) {
  std::string text = "CASE ";
  size_t i = 0;
  for (; i + 1 < expr.children.size(); i += 2)
    AppendText(&text, "WHEN ", LabelOf(*expr.children[i]), " THEN ", ResultText(*expr.children[i + 1], expr.type),
               i + 3 < expr.children.size() ? "" : " ");
  if (i < expr.children.size()) AppendText(&text, "ELSE ", ResultText(*expr.children[i], expr.type), " ");
  return text + "END";
}

// Phoenix compiles ROUND and its like to expressions that print themselves in several ways.
std::string RoundText(const Expr& expr, const FunctionRow& function) {
  const Expr& value = *expr.children[0];
  const std::string text = LabelOf(value);
  const bool is_floor = function.engine_name == "floor";
  const std::string name = is_floor ? "FLOOR" : expr.text;
  if (value.type.kind() == ValueKind::kInteger) return text;
  if (!IsTime(value.type)) {
    std::string label = Concat(name, "(", text);
    for (size_t i = 1; i < 3; ++i)
      AppendText(&label, ", ", i < expr.children.size() ? LabelOf(*expr.children[i]) : function.arguments[i].otherwise);
    return label + ")";
  }
  const std::string unit = expr.children.size() > 1 ? LabelOf(*expr.children[1]) : "";
  const bool calendar =
      SameIgnoringCase(unit, "'WEEK'") || SameIgnoringCase(unit, "'MONTH'") || SameIgnoringCase(unit, "'YEAR'");
  const bool is_timestamp = value.type.kind() == ValueKind::kTimestamp && expr.type.kind() != ValueKind::kTimestamp;
  return Concat(calendar ? "ROUND" : name, is_timestamp ? "(TO_DATE(" : "(", text, is_timestamp ? "))" : ")");
}

std::string FunctionText(const Expr& expr) {
  if (expr.text == "COUNT" && expr.children.empty()) return "COUNT(1)";
  if (expr.distinct) return Concat("DISTINCT_", expr.text, "(", Joined(expr.children, ", "), ")");
  // The patterns of these are not in their labels.
  if (expr.text == "TO_CHAR" || expr.text == "TO_NUMBER") {
    return Concat(expr.text, "(", LabelOf(*expr.children[0]), ")");
  }
  const FunctionRow* function = FindFunction(expr.text);
  if (function == nullptr) return Concat(expr.text, "(", Joined(expr.children, ", "), ")");
  if (function->rule == ResultRule::kRounded) return RoundText(expr, *function);
  std::string label = Concat(expr.text, "(", Joined(expr.children, ", "));
  for (size_t i = expr.children.size(); function->labels_all && i < function->arguments.size(); ++i)
    if (function->arguments[i].kind != ArgumentKind::kNone) AppendText(&label, ", ", function->arguments[i].otherwise);
  return label + ")";
}

std::string OperandsText(const Expr& expr) {
  const Expr& left = *expr.children[0];
  const bool continues = expr.continues && left.kind == ExprKind::kArithmetic;  // a constant may have become a literal
  return Concat(continues ? OperandsText(left) : LabelOf(left), " ", expr.text, " ", LabelOf(*expr.children[1]));
}

std::string CastText(const Expr& expr) {
  const Expr& value = *expr.children[0];
  const std::string text = LabelOf(value);
  if (value.type == expr.type || (value.type.id == expr.type.id && value.type.array == expr.type.array)) return text;
  const bool rounded = value.type.kind() == ValueKind::kDecimal && expr.type.kind() == ValueKind::kInteger;
  return Concat("TO_", expr.type.Name(), rounded ? "(ROUND(" : "(", text, rounded ? ", 0))" : ")");
}

}  // namespace

std::string LabelOf(const Expr& expr) {
  const auto child = [&](size_t i) { return LabelOf(*expr.children[i]); };
  const std::string_view negation = expr.negated ? "NOT " : "";
  switch (expr.kind) {
    case ExprKind::kLiteral:
      return LiteralText(expr);
    case ExprKind::kParameter:
      return "?";
    case ExprKind::kColumn:
      return expr.text;
    case ExprKind::kArithmetic:
      return Concat("(", OperandsText(expr), ")");
    case ExprKind::kNegate:
      return Concat("(", child(0), " * -1)");
    case ExprKind::kConcat:
      return Concat("(", Joined(expr.children, " || "), ")");
    case ExprKind::kCompare:
      return Concat(child(0), " ", expr.text, " ", child(1));
    case ExprKind::kAnd:
      return Concat("(", Joined(expr.children, " AND "), ")");
    case ExprKind::kOr:
      return Concat("(", Joined(expr.children, " OR "), ")");
    case ExprKind::kNot:
      return Concat("NOT (", child(0), ")");
    case ExprKind::kIsNull:
      return Concat(child(0), " IS ", negation, "NULL");
    case ExprKind::kLike:
      return Concat(expr.negated ? "NOT (" : "", child(0), " LIKE ", child(1), expr.negated ? ")" : "");
    case ExprKind::kIn:
      return Concat(child(0), " ", negation, "IN (", Joined(expr.children, ",", 1), ")");
    case ExprKind::kBetween:
      return Concat("(", child(0), " >= ", child(1), " AND ", child(0), " <= ", child(2), ")");
    case ExprKind::kCase:
      return CaseText(expr);
    case ExprKind::kFunction:
      return FunctionText(expr);
    case ExprKind::kCast:
      return CastText(expr);
    case ExprKind::kQuantified:
      return Concat(child(0), " ", expr.text, expr.negated ? " ALL(" : " ANY(",
                    expr.subquery != nullptr ? "SELECT" : child(1), ")");
    case ExprKind::kArray:
      return Concat("ARRAY[", Joined(expr.children, ","), "]");
    case ExprKind::kElement:
      return Concat("ARRAY_ELEM(", child(0), ", ", child(1), ")");
    case ExprKind::kRow:
      return Concat("(", Joined(expr.children, ", "), ")");
    case ExprKind::kSequence: {
      const std::string name = TableIdent{expr.qualifier, expr.text}.ToString();
      if (expr.literal.is_null()) return Concat("CURRENT VALUE FOR ", name);
      return Concat("NEXT[", expr.literal.integer(), "] VALUE(S) FOR ", name);
    }
    case ExprKind::kInSubquery:
    case ExprKind::kExists:
    case ExprKind::kSubquery:
      return "(SELECT)";
  }
  return "";
}

}  // namespace vaquita::sql
