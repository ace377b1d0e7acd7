#include "sql/plan/row_order.h"

#include <algorithm>

namespace vaquita::sql {

bool IsFixed(const KeySlots& slots, size_t position) {
  if (position >= slots.bound) return false;
  const std::vector<SlotRange>& ranges = slots.slots[position];
  return ranges.size() == 1 && ranges[0].IsSingle();
}

RowOrder OrderOf(const TableDef& table, int32_t source, const KeySlots& slots, const std::vector<OrderTerm>& terms) {
  const std::vector<int32_t> key = table.KeyIndexes();
  size_t position = 0;
  RowOrder order = RowOrder::kForward;
  for (size_t i = 0; i < terms.size(); ++i) {
    const OrderTerm& term = terms[i];
    if (term.expr->kind != ExprKind::kColumn || term.expr->source != source) return RowOrder::kOther;
    while (position < key.size() && key[position] != term.expr->column && IsFixed(slots, position)) ++position;
    if (position >= key.size() || key[position] != term.expr->column) return RowOrder::kOther;
    const ColumnDef& column = table.columns[static_cast<size_t>(term.expr->column)];
    const RowOrder one = term.descending == column.descending ? RowOrder::kForward : RowOrder::kReverse;
    if (i > 0 && one != order) return RowOrder::kOther;
    // A null comes first in a key.
    if (column.nullable && term.nulls_last != (one == RowOrder::kReverse)) return RowOrder::kOther;
    order = one;
    ++position;
  }
  const bool several = slots.skip_scan || (slots.point_lookup && slots.Count() > 1);
  return order == RowOrder::kReverse && several ? RowOrder::kOther : order;
}

std::vector<ExprPtr> SortedGroups(std::vector<ExprPtr> groups,
                                  const std::function<bool(const Expr& column)>& nullable) {
  std::ranges::stable_sort(groups, {}, [&](const ExprPtr& expr) {
    if (expr->type.FixedWidth() == 0) return 1;
    return expr->kind != ExprKind::kColumn || nullable(*expr) ? 2 : 0;
  });
  return groups;
}

}  // namespace vaquita::sql
