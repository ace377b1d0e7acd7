// This file has how Resolver gives sums, products and the arithmetic of times their types. Phoenix: ExpressionCompiler.
#include <algorithm>
#include <vector>

#include "base/status.h"
#include "sql/encoding/decimal.h"
#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"
#include "sql/plan/decimal_types.h"
#include "sql/plan/resolver.h"

namespace vaquita::sql {
namespace {

absl::Status MismatchIn(const SqlType& type, const Expr& expr) {
  return SqlError(ErrorCode::kTypeMismatch, Concat(type.Name(), " for ", LabelOf(expr)));
}

// Returns the operands from the left to the right: all of a list of + or -, one of a negation, two of other operators.
std::vector<Expr*> OperandsOf(const Expr& expr) {
  std::vector<Expr*> operands;
  const Expr* at = &expr;
  for (; at->continues; at = at->children[0].get()) operands.push_back(at->children[1].get());
  for (size_t i = at->children.size(); i-- > 0;) operands.push_back(at->children[i].get());
  std::ranges::reverse(operands);
  return operands;
}

// Returns the type in which Phoenix computes with numbers, and null if it knows none of them. A whole number in front
// makes whole numbers of DOUBLEs: 7 * 2.75 is 14. A difference does not do so.
SqlType TypeOfNumbers(const std::string& op, const std::vector<Expr*>& operands) {
  const auto is_of = [](ValueKind kind) { return [kind](const Expr* expr) { return expr->type.kind() == kind; }; };
  const auto first = std::ranges::find_if(operands, [](const Expr* expr) { return !expr->type.is_null(); });
  if (first == operands.end()) return {};
  if (std::ranges::any_of(operands, is_of(ValueKind::kDecimal))) return TypeId::kDecimal;
  if (op == "-" && std::ranges::any_of(operands, is_of(ValueKind::kReal))) return TypeId::kDouble;
  return (*first)->type.kind() == ValueKind::kReal ? TypeId::kDouble : TypeId::kBigint;
}

// Gives the operators of a list their types.
void SetTypes(Expr* expr, const SqlType& type) {
  Expr* const left = expr->children[0].get();
  if (expr->continues) SetTypes(left, type);
  const Expr& right = *expr->children[1];
  expr->type = type;
  if (type.id != TypeId::kDecimal) return;
  expr->type = expr->text == "/" ? QuotientOf(*left, right) : DecimalOf(expr->text, AsDecimal(*left), AsDecimal(right));
}

bool IsZero(const Expr& expr) {
  return expr.kind == ExprKind::kLiteral &&
         (expr.literal == Value(int64_t{0}) || expr.literal == Value(Decimal()) || expr.literal == Value(0.0));
}

absl::Status ResolveNumbers(Expr* expr, const std::vector<Expr*>& operands) {
  for (const Expr* operand : operands) {
    const bool whole = operand->type.is_null() || operand->type.kind() == ValueKind::kInteger;
    if (expr->text == "%" && !whole) return MismatchIn(operand->type, *expr);
  }
  SetTypes(expr, TypeOfNumbers(expr->text, operands));
  return expr->text == "/" && IsZero(*operands.back()) ? SqlError(ErrorCode::kDivideByZero) : absl::OkStatus();
}

absl::Status ResolveNegation(Expr* expr) {
  const Expr& number = *expr->children[0];
  if (IsTime(number.type)) return MismatchIn(number.type, *expr);
  expr->type = TypeOfNumbers("*", {expr->children[0].get()});
  if (expr->type.id == TypeId::kDecimal) {  // Phoenix multiplies by a BIGINT
    expr->type = DecimalOf("*", AsDecimal(number), AsDecimal(SqlType(TypeId::kBigint)));
  }
  return absl::OkStatus();
}

// A time and a number of days make a date, or a TIMESTAMP; two dates make a number of days.
absl::Status ResolveTimes(Expr* expr) {
  if (expr->continues) VAQUITA_RETURN_IF_ERROR(ResolveTimes(expr->children[0].get()));
  const SqlType& left = expr->children[0]->type;
  const SqlType& right = expr->children[1]->type;
  if (!IsTime(left) && !IsTime(right)) return ResolveNumbers(expr, {expr->children[0].get(), expr->children[1].get()});
  const bool sum = expr->text == "+";
  const bool difference = expr->text == "-";
  const auto moved = [](const SqlType& time) {
    return time.kind() == ValueKind::kMillis ? TypeId::kDate : TypeId::kTimestamp;
  };
  if (IsTime(left) && (IsNumber(right) || right.is_null()) && (sum || difference)) {
    expr->type = moved(left);
  } else if (!IsTime(left) && IsTime(right) && sum) {
    expr->type = moved(right);
  } else if (left.kind() == ValueKind::kMillis && right.kind() == ValueKind::kMillis && difference) {
    expr->type = TypeId::kDecimal;
  } else if (left.kind() == ValueKind::kTimestamp && right.kind() == ValueKind::kTimestamp && difference) {
    expr->type = TypeId::kTimestamp;
  } else {
    return MismatchIn(IsTime(left) ? left : right, *expr);
  }
  return absl::OkStatus();
}

bool IsComputable(const SqlType& type) { return IsNumber(type) || IsTime(type) || type.is_null(); }

}  // namespace

absl::Status Resolver::ResolveArithmetic(Expr* expr, const Scope& scope) {
  const std::vector<Expr*> operands = OperandsOf(*expr);
  SqlType type;  // that of the first operand which has one
  for (Expr* operand : operands) {
    if (operand->kind == ExprKind::kParameter) continue;
    VAQUITA_RETURN_IF_ERROR(Resolve(operand, scope));
  }
  for (const Expr* operand : operands) {
    if (operand->kind == ExprKind::kParameter) continue;
    if (!IsComputable(operand->type)) return MismatchIn(operand->type, *expr);
    type = type.is_null() ? operand->type : type;
  }
  for (Expr* operand : operands) {
    if (operand->kind != ExprKind::kParameter) continue;
    const SqlType wanted = IsTime(type) || type.is_null() ? SqlType(TypeId::kDecimal) : ComparedParameter(type);
    VAQUITA_RETURN_IF_ERROR(Resolve(operand, scope, wanted));
    // Another place of the parameter may have given it a type.
    if (!IsComputable(operand->type)) return MismatchIn(operand->type, *expr);
    type = type.is_null() ? operand->type : type;
  }
  if (expr->kind == ExprKind::kNegate) return ResolveNegation(expr);
  const bool times = std::ranges::any_of(operands, [](const Expr* operand) { return IsTime(operand->type); });
  return times ? ResolveTimes(expr) : ResolveNumbers(expr, operands);
}

}  // namespace vaquita::sql
