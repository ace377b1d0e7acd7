// This file has LabelOf: Phoenix labels columns and words errors by an expression's text.
#include "sql/encoding/date_text.h"
#include "sql/encoding/text.h"
#include "sql/plan/resolver.h"

namespace vaquita::sql {
namespace {

// Returns a double as Java prints it: with a point at least.
std::string RealText(double value) {
  const std::string digits = Decimal::FromDouble(value).value_or(Decimal()).ToPlainString();
  return digits.find('.') == std::string::npos ? digits + ".0" : digits;
}

std::string LiteralText(const Expr& expr) {
  if (expr.literal.is_null()) return "";
  if (!expr.text.empty()) return expr.text;
  if (const auto* text = std::get_if<std::string>(&expr.literal)) {
    std::string quoted = "'";
    for (const char c : *text) quoted += c == '\'' ? "''" : std::string(1, c);
    return quoted + "'";
  }
  if (const auto* real = std::get_if<double>(&expr.literal)) return RealText(*real);
  if (const auto* decimal = std::get_if<Decimal>(&expr.literal)) return decimal->ToString();
  const int64_t ms = expr.type.kind() == ValueKind::kTimestamp ? expr.literal.timestamp().ms : expr.literal.integer();
  return Concat(expr.type.Name(), " '", FormatByPattern(ms, kDatePattern).value_or(""), "'");
}

std::string Joined(const std::vector<ExprPtr>& parts, std::string_view between, size_t first = 0) {
  std::string text;
  for (size_t i = first; i < parts.size(); ++i) AppendText(&text, i == first ? "" : between, LabelOf(*parts[i]));
  return text;
}

std::string CaseText(const Expr& expr) {
  std::string text = "CASE ";
  size_t i = 0;
  for (; i + 1 < expr.children.size(); i += 2)
    AppendText(&text, "WHEN ", LabelOf(*expr.children[i]), " THEN ", LabelOf(*expr.children[i + 1]),
               i + 3 < expr.children.size() ? "" : " ");
  if (i < expr.children.size()) AppendText(&text, "ELSE ", LabelOf(*expr.children[i]), " ");
  return text + "END";
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
      return Concat("(", child(0), " ", expr.text, " ", child(1), ")");
    case ExprKind::kNegate:
      return Concat("(", child(0), " * -1)");
    case ExprKind::kConcat:
      return Concat("(", child(0), " || ", child(1), ")");
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
      return Concat(child(0), " ", negation, "LIKE ", child(1));
    case ExprKind::kIn:
      return Concat(child(0), " ", negation, "IN (", Joined(expr.children, ",", 1), ")");
    case ExprKind::kBetween:
      return Concat("(", child(0), " >= ", child(1), " AND ", child(0), " <= ", child(2), ")");
    case ExprKind::kCase:
      return CaseText(expr);
    case ExprKind::kFunction:
      if (expr.text == "COUNT" && expr.children.empty()) return "COUNT(1)";
      if (expr.distinct) return Concat("DISTINCT_", expr.text, "(", Joined(expr.children, ", "), ")");
      // The pattern of TO_CHAR is not in its label.
      if (expr.text == "TO_CHAR") return Concat("TO_CHAR(", child(0), ")");
      return Concat(expr.text, "(", Joined(expr.children, ", "), ")");
    case ExprKind::kCast:
      return Concat("TO_", expr.type.Name(), "(", child(0), ")");
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
