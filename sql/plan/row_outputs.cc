#include "sql/plan/row_outputs.h"

#include <memory>

namespace vaquita::sql {

std::optional<RowOutputs> FindRowOutputs(const Select& select, size_t tables) {
  const bool simple = tables == 1 && select.from.size() == 1 && select.from[0].subquery == nullptr &&
                      !select.distinct && select.group_by.empty() && select.having == nullptr &&
                      select.union_all.empty() && select.order_by.empty();
  if (!simple) return std::nullopt;
  RowOutputs found;
  for (const SelectItem& item : select.items) {
    // The elements of arrays would have to be made as the engine makes them.
    if (item.expr->kind != ExprKind::kColumn || item.expr->type.array) return std::nullopt;
    found.columns.push_back(item.expr->column);
  }
  found.rows = select;
  found.rows.items.clear();
  found.rows.items.emplace_back().expr = std::make_shared<Expr>();
  return found;
}

}  // namespace vaquita::sql
