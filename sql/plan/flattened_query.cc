#include "sql/plan/flattened_query.h"

#include <memory>
#include <optional>

#include "sql/plan/expression_parts.h"

namespace vaquita::sql {
namespace {

// The parts of a query that decide whether it and its sub-query are one.
struct Shape {
  explicit Shape(const Select& select)
      : distinct(select.distinct),
        where(select.where != nullptr),
        grouped(!select.group_by.empty()),
        aggregate(IsGrouped(select)),
        ordered(!select.order_by.empty()),
        offset(select.offset != nullptr),
        limit(select.limit) {}

  bool distinct;
  bool where;
  bool grouped;
  bool aggregate;
  bool ordered;
  bool offset;
  ExprPtr limit;  // null: it has none
};

// Returns the limit of both; nullopt if it is not known before the parameters are.
std::optional<ExprPtr> LimitOfBoth(const ExprPtr& a, const ExprPtr& b) {
  if (a == nullptr || b == nullptr) return a == nullptr ? b : a;
  if (a->kind != ExprKind::kLiteral || b->kind != ExprKind::kLiteral) return std::nullopt;
  return a->literal.integer() < b->literal.integer() ? a : b;
}

// Returns the one query of both; nullopt if they stay two.
std::optional<Shape> Flattened(const Shape& outer, const Shape& inner) {
  const bool limited = inner.limit != nullptr;
  if (outer.where && (limited || (inner.aggregate && !inner.grouped))) return std::nullopt;
  if ((outer.distinct || outer.aggregate) && (limited || inner.aggregate || inner.distinct)) return std::nullopt;
  if (outer.ordered && limited) return std::nullopt;
  if (inner.offset || (limited && outer.offset)) return std::nullopt;
  const std::optional<ExprPtr> limit = LimitOfBoth(outer.limit, inner.limit);
  if (!limit.has_value()) return std::nullopt;
  Shape both = inner;
  both.distinct |= outer.distinct;
  both.where |= outer.where && !inner.grouped;
  both.grouped |= outer.grouped;
  both.aggregate |= outer.aggregate;
  both.ordered = outer.ordered || (inner.ordered && !outer.distinct && !outer.aggregate);
  both.offset = outer.offset;
  both.limit = *limit;
  return both;
}

// Returns the expression with the outputs of a sub-query, which has that number, in the place of its columns.
ExprPtr OverSubquery(const ExprPtr& expr, int32_t number, const Select& subquery) {
  if (expr->kind == ExprKind::kColumn) {
    if (expr->source != number) return expr;
    const SelectItem& item = subquery.items[static_cast<size_t>(expr->column)];
    if (item.expr->kind != ExprKind::kColumn || !item.alias.empty() || !expr->qualifier.empty()) return item.expr;
    auto unqualified = std::make_shared<Expr>(*item.expr);  // a name that both queries have stays as it is written
    unqualified->qualifier.clear();
    return unqualified;
  }
  if (!HasColumn(*expr)) return expr;
  auto over = std::make_shared<Expr>(*expr);
  for (ExprPtr& child : over->children) child = OverSubquery(child, number, subquery);
  return over;
}

}  // namespace

FlattenedQuery::FlattenedQuery(const Select& select) : queries_{&select} {
  std::optional<Shape> shape(select);
  for (const Select* last = &select; last->from.size() == 1 && last->union_all.empty(); last = queries_.back()) {
    const Select* const subquery = last->from[0].subquery.get();
    if (subquery == nullptr || !subquery->union_all.empty()) return;
    shape = Flattened(*shape, Shape(*subquery));
    if (!shape.has_value()) return;
    queries_.push_back(subquery);
  }
}

ExprPtr FlattenedQuery::Output(const ExprPtr& output) {
  constexpr int64_t kMostOfOutput = 1'000;  // parts and bytes of literals: a sub-query's output can stand many times
  constexpr int64_t kMostOfAll = 500'000;
  ExprPtr over = output;
  for (size_t i = 0; i + 1 < queries_.size(); ++i) {
    over = OverSubquery(over, queries_[i]->from[0].number, *queries_[i + 1]);
    int64_t parts = 0;
    AddSize(over, kMostOfOutput, &parts);
    parts_ += parts;
    if (parts > kMostOfOutput || parts_ > kMostOfAll) return output;
  }
  return over;
}

}  // namespace vaquita::sql
