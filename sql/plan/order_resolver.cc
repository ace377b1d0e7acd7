// This file has how Resolver checks what a query sorts and groups by, and which of its expressions may be null.
// Phoenix: OrderByCompiler, GroupByCompiler.
#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "base/status.h"
#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"
#include "sql/plan/expression_parts.h"
#include "sql/plan/functions.h"
#include "sql/plan/resolver.h"
#include "sql/plan/visit.h"

namespace vaquita::sql {
namespace {

// Returns whether the expression has a column of a source that an outer join may leave without a row.
bool MayBeMissing(const Expr& expr, const std::vector<Source>& from) {
  return AnyPart(expr, [&](const Expr& part) {
    bool found = false;
    bool missing = false;
    for (const Source& source : from) {
      if (found) {
        missing = missing || source.join == JoinKind::kRight || source.join == JoinKind::kFull;
      } else if (part.kind == ExprKind::kColumn && source.number == part.source) {
        found = true;
        missing = source.join == JoinKind::kLeft || source.join == JoinKind::kFull;
      }
    }
    return missing;
  });
}

// Returns whether the expression reads a row by itself: a column, or a function of the whole row.
bool ReadsRow(const Expr& expr) {
  return expr.kind == ExprKind::kColumn || (expr.kind == ExprKind::kFunction && expr.source >= 0);
}

// Returns whether neither a row nor a group decides the value.
bool IsOfNoRow(const Expr& expr) {
  return !AnyPart(expr,
                  [](const Expr& part) { return ReadsRow(part) || IsAggregate(part) || part.subquery != nullptr; });
}

}  // namespace

const ColumnDef* Resolver::DefinitionOf(const Expr& column) const {
  const auto& table = tables_[static_cast<size_t>(column.source)];
  return table == nullptr ? nullptr : &table->columns[static_cast<size_t>(column.column)];
}

bool Resolver::MayBeNull(const Expr& expr) const {
  if (expr.kind == ExprKind::kLiteral) return expr.literal.is_null();
  if (expr.kind == ExprKind::kColumn) {
    const ColumnDef* column = DefinitionOf(expr);
    return column == nullptr || column->nullable;
  }
  if (expr.kind == ExprKind::kSequence) return false;
  const auto may_be_null = [this](const ExprPtr& child) { return MayBeNull(*child); };
  const FunctionRow* function = expr.kind == ExprKind::kFunction ? FindFunction(expr.text) : nullptr;
  if (function != nullptr) {
    if (function->engine_name == "count") return false;
    if (function->aggregate) return true;
    if (expr.text == "COALESCE") return std::ranges::all_of(expr.children, may_be_null);
    // The text may end before the part begins.
    if (expr.text == "SUBSTR" && !IsChar(expr.type)) return true;
  }
  if (expr.children.empty() || expr.kind == ExprKind::kCase) return true;
  return std::ranges::any_of(expr.children, may_be_null);
}

// Phoenix tells drivers of few functions that they make nulls of values, but many do: only a column is sure.
bool Resolver::SortsNulls(const Expr& expr, const Select& select) const {
  if (!select.union_all.empty() || MayBeMissing(expr, select.from)) return true;
  if (expr.kind == ExprKind::kLiteral) return expr.literal.is_null();
  const ColumnDef* column = expr.kind == ExprKind::kColumn ? DefinitionOf(expr) : nullptr;
  return column == nullptr || column->nullable;
}

absl::Status Resolver::ResolveOrderItem(OrderItem* item, const Select& select, const Scope& scope) {
  ExprPtr& expr = item->expr;
  if (expr->kind == ExprKind::kLiteral && expr->type.kind() == ValueKind::kInteger) {
    const int64_t position = expr->literal.integer();
    if (position < 1 || position > static_cast<int64_t>(select.items.size())) {
      return SqlError(ErrorCode::kParameterOutOfRange);
    }
    expr = select.items[static_cast<size_t>(position - 1)].expr;
    const Expr* sequence = SequenceIn(*expr);
    return sequence == nullptr || IsOfNoRow(*expr) ? absl::OkStatus() : MisplacedSequence(*sequence);
  }
  VAQUITA_ASSIGN_OR_RETURN(ExprPtr output, AliasedOutput(*expr, scope));
  if (output != nullptr) {
    expr = std::move(output);
  } else {
    VAQUITA_RETURN_IF_ERROR(Resolve(expr.get(), scope));
    const auto same = std::ranges::find_if(
        select.items, [&](const SelectItem& candidate) { return SameExpression(*candidate.expr, *expr); });
    if (same != select.items.end()) expr = same->expr;
  }
  const bool is_output = std::ranges::find(select.items, expr, &SelectItem::expr) != select.items.end();
  if (!select.union_all.empty() && !is_output) return NotSupported("ORDER BY of a UNION by anything but its columns");
  return absl::OkStatus();
}

absl::Status Resolver::ResolveOrder(Select* select, const Scope& scope) {
  for (OrderItem& item : select->order_by) VAQUITA_RETURN_IF_ERROR(ResolveOrderItem(&item, *select, scope));
  // Phoenix does not sort by the place of a sequence: the rows take its values in their order.
  std::erase_if(select->order_by, [](const OrderItem& item) { return SequenceIn(*item.expr) != nullptr; });
  for (OrderItem& item : select->order_by) {
    // Nulls come first in both directions. Where there are none, the key can be scanned from its end.
    const bool nulls = item.descending && !item.nulls_last.has_value() && SortsNulls(*item.expr, *select);
    if (nulls) item.nulls_last = false;
  }
  return absl::OkStatus();
}

// Every column outside an aggregate must be one of the groups. The outputs of DISTINCT are groups.
absl::Status Resolver::CheckGroups(const Select& select) {
  const bool grouped = IsGrouped(select);
  const bool orders =
      std::ranges::any_of(select.order_by, [](const OrderItem& item) { return HasAggregate(*item.expr); });
  const bool distinct = select.distinct && !grouped && !orders;
  if (!grouped && !orders && !distinct) return absl::OkStatus();
  std::vector<ExprPtr> groups = select.group_by;
  for (size_t i = 0; distinct && i < select.items.size(); ++i) groups.push_back(select.items[i].expr);
  // Each part of the query is compared with each group, by their parts.
  constexpr int64_t kMostCompared = 5'000'000;
  const auto is_group = [&](const Expr& expr) {
    return std::ranges::any_of(groups, [&](const ExprPtr& key) { return SameExpression(*key, expr, &compared_); });
  };
  const auto is_own = [&](const Expr& expr) {
    return std::ranges::find(select.from, expr.source, &Source::number) != select.from.end();
  };
  const Expr* culprit = nullptr;
  bool of_groups = false;  // a part is a group or an aggregate
  const std::function<void(const Expr&)> check = [&](const Expr& expr) {
    if (culprit != nullptr || compared_ > kMostCompared) return;
    if (IsAggregate(expr) || is_group(expr)) {
      of_groups = true;
      return;
    }
    if (ReadsRow(expr)) culprit = &expr;
    for (const ExprPtr& child : expr.children) check(*child);
    if (expr.subquery == nullptr) return;
    VisitSelect(*expr.subquery, [&](const ExprPtr& part) {
      if (culprit != nullptr || compared_ > kMostCompared || is_group(*part)) return false;
      if (ReadsRow(*part) && is_own(*part)) culprit = part.get();
      return true;
    });
  };
  if (select.having != nullptr) check(*select.having);
  if (culprit != nullptr) return SqlError(ErrorCode::kColumnInHaving);
  const auto error = [&] { return SqlError(ErrorCode::kAggregateWithoutGroup, LabelOf(*culprit)); };
  for (const OrderItem& item : select.order_by) {
    of_groups = false;
    check(*item.expr);
    if (culprit == nullptr) continue;
    return select.distinct && !of_groups ? SqlError(ErrorCode::kOrderNotInDistinct, LabelOf(*item.expr)) : error();
  }
  for (size_t i = 0; !distinct && i < select.items.size(); ++i) check(*select.items[i].expr);
  if (culprit != nullptr) return error();
  if (compared_ > kMostCompared) {
    return NotSupported(Concat("A query in which more than ", kMostCompared,
                               " parts of expressions are compared with those of GROUP BY"));
  }
  return grouped || distinct ? absl::OkStatus() : NotSupported("ORDER BY of an aggregate without another one");
}

}  // namespace vaquita::sql
