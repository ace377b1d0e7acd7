#include "sql/plan/decimal_types.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "sql/encoding/decimal.h"
#include "sql/plan/resolver.h"

namespace vaquita::sql {
namespace {

bool IsQuotient(const Expr& expr) {
  return expr.kind == ExprKind::kArithmetic && expr.text == "/" && expr.type.id == TypeId::kDecimal &&
         expr.type.scale.has_value();
}

void Cut(const ExprPtr& expr, const Select& select) {
  const bool is_group =
      std::ranges::any_of(select.group_by, [&](const ExprPtr& k) { return SameExpression(*k, *expr); });
  if (is_group || IsAggregate(*expr)) return;
  if (IsQuotient(*expr)) expr->cut = true;
  for (const ExprPtr& child : expr->children) Cut(child, select);
}

}  // namespace

SqlType AsDecimal(const SqlType& type) {
  if (type.kind() == ValueKind::kReal) return TypeId::kDecimal;
  if (type.kind() == ValueKind::kDecimal) return type;
  constexpr std::pair<int32_t, int32_t> kDigits[] = {{1, 3}, {2, 5}, {4, 10}};  // width in bytes, digits
  for (const auto& [width, digits] : kDigits)
    if (RowOf(type.id).width == width) return {TypeId::kDecimal, digits, 0};
  return {TypeId::kDecimal, 19, 0};
}

// A parameter may have more digits than its type.
SqlType AsDecimal(const Expr& number) {
  return number.kind == ExprKind::kParameter ? SqlType(TypeId::kDecimal) : AsDecimal(number.type);
}

SqlType DecimalOf(const std::string& op, const SqlType& a, const SqlType& b) {
  if (!a.scale.has_value() || !b.scale.has_value()) return {TypeId::kDecimal, kMaxDecimalDigits};
  const int32_t left = a.length.value_or(kMaxDecimalDigits);
  const int32_t right = b.length.value_or(kMaxDecimalDigits);
  if (op == "/") {
    // Phoenix takes the digits of the result for those of the dividend when it computes the scale.
    const auto scale_for = [&](int32_t digits) {
      return std::clamp(kMaxDecimalDigits - digits + *a.scale - *b.scale, 0, kMaxDecimalDigits);
    };
    const int32_t digits = std::min(scale_for(left) + left - *a.scale + right, kMaxDecimalDigits);
    return {TypeId::kDecimal, digits, scale_for(digits)};
  }
  const int32_t scale = op == "*" ? *a.scale + *b.scale : std::max(*a.scale, *b.scale);
  const int32_t digits = op == "*" ? left + right : std::max(left - *a.scale, right - *b.scale) + 1 + scale;
  return {TypeId::kDecimal, std::min(digits, kMaxDecimalDigits), std::min(scale, kMaxDecimalDigits)};
}

SqlType QuotientOf(const Expr& dividend, const Expr& divisor) {
  const auto side = [](const Expr& number) {
    const bool known = number.kind == ExprKind::kColumn || number.kind == ExprKind::kArithmetic ||
                       number.kind == ExprKind::kNegate || number.kind == ExprKind::kCast ||
                       number.type.kind() == ValueKind::kInteger || number.text == "AVG";
    return known ? AsDecimal(number) : SqlType(TypeId::kDecimal);
  };
  return DecimalOf("/", side(dividend), side(divisor));
}

void CutQuotients(Select* select) {
  if (!select->distinct)
    for (const SelectItem& item : select->items) Cut(item.expr, *select);
  if (select->having != nullptr) Cut(select->having, *select);
}

bool HasWholeQuotient(const Expr& output) {
  if (IsAggregate(output)) return false;
  return (IsQuotient(output) && !output.cut) ||
         std::ranges::any_of(output.children, [](const ExprPtr& child) { return HasWholeQuotient(*child); });
}

}  // namespace vaquita::sql
