// This file has the types in which values are compared.
#include <algorithm>
#include <optional>

#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"
#include "sql/plan/resolver.h"

namespace vaquita::sql {
namespace {

bool CastsToOther(const Expr& expr) {
  return AnyPart(
      expr, [](const Expr& part) { return part.kind == ExprKind::kCast && part.type.id != part.children[0]->type.id; });
}

// Returns whether Phoenix brings the value into the type of a CHAR that it is compared with: its blanks count for
// nothing.
bool IsKnownText(const Expr& value) {
  const bool is_text = value.type.is_null() || IsText(value.type);
  return is_text && (value.kind == ExprKind::kParameter || IsConstant(value));
}

}  // namespace

SqlType ComparedParameter(SqlType type) {
  const bool has_width = type.array || type.kind() == ValueKind::kBytes;
  if (!has_width) type.length = type.scale = std::nullopt;
  return type;
}

void PadLiterals(const std::vector<Expr*>& sides) {
  size_t width = 0;
  for (const Expr* side : sides) {
    const bool is_column = side->kind == ExprKind::kColumn && side->type.id == TypeId::kBinary && !side->type.array;
    if (is_column) width = std::max(width, static_cast<size_t>(side->type.length.value_or(0)));
  }
  for (Expr* side : sides) {
    auto* const bytes = std::get_if<std::string>(&side->literal);
    if (side->kind != ExprKind::kLiteral || side->type.kind() != ValueKind::kBytes || bytes == nullptr) continue;
    if (bytes->size() < width) bytes->resize(width);
  }
}

SqlType ParameterBeside(const SqlType& type) { return IsChar(type) ? TypeId::kVarchar : ComparedParameter(type); }

std::vector<SqlType> TypesOfRows(const Select& subquery) {
  if (!subquery.types.empty()) return subquery.types;
  std::vector<SqlType> types;
  for (const SelectItem& item : subquery.items) types.push_back(item.expr->type);
  return types;
}

std::optional<SqlType> CommonType(const SqlType& a, const SqlType& b) {
  if (a.is_null()) return b;
  if (b.is_null()) return a;
  if (a.array || b.array) {
    if (a.array != b.array || a.id != b.id) return std::nullopt;
    return a.Element().FixedWidth() < b.Element().FixedWidth() ? b : a;
  }
  if (IsNumber(a) && IsNumber(b)) {
    if (a.kind() == ValueKind::kDecimal || b.kind() == ValueKind::kDecimal) return SqlType(TypeId::kDecimal);
    if (IsFloat(a) && IsFloat(b)) return SqlType(TypeId::kFloat);
    if (a.kind() == ValueKind::kReal || b.kind() == ValueKind::kReal) return SqlType(TypeId::kDouble);
    const auto holds = [](const SqlType& outer, const SqlType& inner) {
      return RowOf(outer.id).min <= RowOf(inner.id).min && RowOf(outer.id).max >= RowOf(inner.id).max;
    };
    return holds(a, b) ? a : holds(b, a) ? b : SqlType(TypeId::kBigint);
  }
  if (IsTime(a) && IsTime(b)) return a.kind() == ValueKind::kTimestamp ? a : b;
  if (a.id == b.id) return a.length.has_value() && a.length < b.length.value_or(INT32_MAX) ? b : a;
  if (a.kind() == b.kind()) return SqlType(a.kind() == ValueKind::kText ? TypeId::kVarchar : TypeId::kVarbinary);
  const auto bytes = [](const SqlType& type) { return type.kind() == ValueKind::kBytes; };
  const auto text = [](const SqlType& type) { return type.kind() == ValueKind::kText; };
  if ((bytes(a) && text(b)) || (text(a) && bytes(b))) return SqlType(TypeId::kVarbinary);
  return std::nullopt;
}

absl::StatusOr<SqlType> TypeOfResults(const SqlType& a, const SqlType& b) {
  if (const std::optional<SqlType> common = CommonType(a, b)) return *common;
  return SqlError(ErrorCode::kTypeMismatch,
                  Concat("Case expressions must have common type: ", a.Name(), " cannot be coerced to ", b.Name()));
}

std::optional<SqlType> ComparedType(const Expr& left, const Expr& right) {
  // A CAST to another type is not computed before.
  const auto is_known = [](const Expr& number) {
    if (!IsNumber(number.type)) return false;
    if (number.kind == ExprKind::kSubquery) return !number.subquery->correlated && number.subquery->union_all.empty();
    return IsConstant(number) && !CastsToOther(number);
  };
  const bool as_float = (IsFloat(left.type) && is_known(right)) || (IsFloat(right.type) && is_known(left));
  if (as_float) return SqlType(TypeId::kFloat);
  const bool as_char = (IsChar(left.type) && IsKnownText(right)) || (IsChar(right.type) && IsKnownText(left));
  return as_char ? SqlType(TypeId::kChar) : CommonType(left.type, right.type);
}

SqlType ComparedType(const std::vector<ExprPtr>& value_and_list) {
  const SqlType& first = value_and_list[0]->type;
  const auto all_of_list = [&](const auto& is) {
    return std::all_of(value_and_list.begin() + 1, value_and_list.end(),
                       [&](const ExprPtr& part) { return is(*part); });
  };
  const auto is_known_number = [](const Expr& part) {
    const bool is_number = IsNumber(part.type) || part.type.is_null();
    return is_number && (part.kind == ExprKind::kParameter || IsConstant(part));
  };
  if (IsFloat(first) && all_of_list(is_known_number)) return TypeId::kFloat;
  if (IsChar(first) && all_of_list(IsKnownText)) return TypeId::kChar;
  SqlType type;
  for (const ExprPtr& part : value_and_list) type = CommonType(type, part->type).value_or(type);
  return type;
}

}  // namespace vaquita::sql
