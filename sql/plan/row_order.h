// sql/plan/row_order.h: decides if a scan's rows come in the order that a query asks for.
//
// Threads: functions. Source: OrderByCompiler, OrderPreservingTracker, GroupByCompiler (5.2).
#pragma once

#include <functional>
#include <vector>

#include "sql/catalog/table_def.h"
#include "sql/front/ast.h"
#include "sql/plan/key_slots.h"

namespace vaquita::sql {

enum class RowOrder { kForward, kReverse, kOther };

struct OrderTerm {
  const Expr* expr;
  bool descending;
  bool nulls_last;
};

// Returns whether the conditions leave the key column at this position one value.
bool IsFixed(const KeySlots& slots, size_t position);
// Returns the order in which a scan of the source's table gives its rows, as the terms see it.
RowOrder OrderOf(const TableDef& table, int32_t source, const KeySlots& slots, const std::vector<OrderTerm>& terms);
// Returns the keys of groups in the order in which Phoenix joins them to a group's key: those of one width first.
// `nullable` returns whether a column may be null.
std::vector<ExprPtr> SortedGroups(std::vector<ExprPtr> groups, const std::function<bool(const Expr& column)>& nullable);

}  // namespace vaquita::sql
