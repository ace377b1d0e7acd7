#include "sql/plan/expression_parts.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "sql/plan/functions.h"
#include "sql/plan/visit.h"

namespace vaquita::sql {

bool AnyPart(const Expr& expr, const std::function<bool(const Expr&)>& is) {
  return is(expr) || std::ranges::any_of(expr.children, [&](const ExprPtr& child) { return AnyPart(*child, is); });
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
  AnyPart(expr, [&](const Expr& part) {
    if (part.kind == ExprKind::kSequence) found = &part;
    return found != nullptr;
  });
  return found;
}

bool HasAggregate(const Expr& expr) { return AnyPart(expr, IsAggregate); }

bool HasColumn(const Expr& expr) {
  return AnyPart(expr, [](const Expr& part) { return part.kind == ExprKind::kColumn; });
}

bool HasSubquery(const Expr& expr) {
  return AnyPart(expr, [](const Expr& part) { return part.subquery != nullptr; });
}

bool IsNullLiteral(const Expr& expr) { return expr.kind == ExprKind::kLiteral && expr.literal.is_null(); }

bool HasAggregateOutput(const Select& select) {
  return std::ranges::any_of(select.items,
                             [](const SelectItem& item) { return item.expr != nullptr && HasAggregate(*item.expr); });
}

bool IsGrouped(const Select& select) {
  return !select.group_by.empty() || select.having != nullptr || HasAggregateOutput(select);
}

bool IsConstant(const Expr& expr) {
  return !AnyPart(expr, [](const Expr& part) {
    return part.kind == ExprKind::kColumn || part.kind == ExprKind::kParameter || part.kind == ExprKind::kSequence ||
           part.subquery != nullptr || IsAggregate(part) ||
           (part.kind == ExprKind::kFunction && (part.source >= 0 || part.text == "RAND"));
  });
}

void AddSize(const ExprPtr& expr, int64_t most, int64_t* size) {
  VisitExpr(expr, [&](const ExprPtr& part) {
    const auto* text = std::get_if<std::string>(&part->literal);
    *size += 1 + (text == nullptr ? 0 : static_cast<int64_t>(text->size()));
    return *size <= most;
  });
}

std::vector<ExprPtr> ValuesOf(const ExprPtr& value) {
  return value->kind == ExprKind::kRow ? value->children : std::vector{value};
}

ExprPtr CopyOf(const Expr& expr) {
  auto copy = std::make_shared<Expr>(expr);
  for (ExprPtr& child : copy->children) child = CopyOf(*child);
  return copy;
}

ExprPtr ColumnExpr(int32_t source, int32_t column, std::string name, const SqlType& type) {
  auto expr = std::make_shared<Expr>();
  expr->kind = ExprKind::kColumn;
  expr->source = source;
  expr->column = column;
  expr->text = std::move(name);
  expr->type = type;
  return expr;
}

ExprPtr ColumnsAsParameters(const ExprPtr& expr, int32_t first, std::vector<int32_t>* columns,
                            std::vector<SqlType>* types) {
  auto made = std::make_shared<Expr>(*expr);
  if (expr->kind == ExprKind::kColumn) {
    const auto place = std::ranges::find(*columns, expr->column) - columns->begin();
    if (place == std::ssize(*columns)) {
      columns->push_back(expr->column);
      types->push_back(expr->type);
    }
    made->kind = ExprKind::kParameter;
    made->parameter = first + static_cast<int32_t>(place);
  }
  for (ExprPtr& child : made->children) child = ColumnsAsParameters(child, first, columns, types);
  return made;
}

}  // namespace vaquita::sql
