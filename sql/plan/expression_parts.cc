#include "sql/plan/expression_parts.h"

#include <algorithm>

#include "sql/plan/functions.h"

namespace vaquita::sql {

bool AllParts(const Expr& expr, const std::function<bool(const Expr&)>& visit) {
  if (!visit(expr)) return false;
  return std::ranges::all_of(expr.children, [&](const ExprPtr& child) { return AllParts(*child, visit); });
}

bool IsAggregate(const Expr& expr) {
  if (expr.kind != ExprKind::kFunction) return false;
  const FunctionRow* function = FindFunction(expr.text);
  return function != nullptr && function->aggregate;
}

bool SameExpression(const Expr& a, const Expr& b, int64_t* compared) {
  if (compared != nullptr) ++*compared;
  if (a.kind != b.kind || a.subquery != b.subquery || a.source != b.source) return false;
  if (a.kind == ExprKind::kColumn) return a.column == b.column;
  if (a.kind == ExprKind::kLiteral) return a.type == b.type && a.literal == b.literal;
  if (a.text != b.text || a.parameter != b.parameter || a.negated != b.negated || a.distinct != b.distinct ||
      a.ignores_case != b.ignores_case || a.type != b.type) {
    return false;
  }
  return std::ranges::equal(a.children, b.children,
                            [&](const ExprPtr& x, const ExprPtr& y) { return SameExpression(*x, *y, compared); });
}

const Expr* SequenceIn(const Expr& expr) {
  const Expr* found = nullptr;
  AllParts(expr, [&](const Expr& part) {
    if (part.kind == ExprKind::kSequence) found = &part;
    return found == nullptr;
  });
  return found;
}

bool HasAggregate(const Expr& expr) {
  return !AllParts(expr, [](const Expr& part) { return !IsAggregate(part); });
}

bool IsConstant(const Expr& expr) {
  return AllParts(expr, [](const Expr& part) {
    return part.kind != ExprKind::kColumn && part.kind != ExprKind::kParameter && part.kind != ExprKind::kSequence &&
           part.subquery == nullptr && !IsAggregate(part) && !(part.kind == ExprKind::kFunction && part.source >= 0) &&
           !(part.kind == ExprKind::kFunction && part.text == "RAND");
  });
}

}  // namespace vaquita::sql
