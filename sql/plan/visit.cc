#include "sql/plan/visit.h"

namespace vaquita::sql {

void VisitExpr(const ExprPtr& expr, const Visit& visit) {
  if (expr == nullptr || !visit(expr)) return;
  for (const ExprPtr& child : expr->children) VisitExpr(child, visit);
  if (expr->subquery != nullptr) VisitSelect(*expr->subquery, visit);
}

void VisitSelect(const Select& select, const Visit& visit) {
  for (const SelectItem& item : select.items) VisitExpr(item.expr, visit);
  for (const Source& from : select.from) {
    VisitExpr(from.on, visit);
    if (from.subquery != nullptr) VisitSelect(*from.subquery, visit);
  }
  VisitExpr(select.where, visit);
  for (const ExprPtr& key : select.group_by) VisitExpr(key, visit);
  VisitExpr(select.having, visit);
  for (const OrderItem& item : select.order_by) VisitExpr(item.expr, visit);
  for (const SelectPtr& next : select.union_all) VisitSelect(*next, visit);
}

}  // namespace vaquita::sql
