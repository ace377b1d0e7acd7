#include "model/row_order.h"

namespace vaquita {

MetaRowParts::MetaRowParts(std::string_view row) {
  constexpr char kDelimiter = ',';
  const size_t first = row.find(kDelimiter);
  table = row.substr(0, first);
  is_region = first != row.npos;
  if (!is_region) return;
  row.remove_prefix(first + 1);
  const size_t last = row.rfind(kDelimiter);
  start_key = row.substr(0, last);
  has_id = last != row.npos;
  if (has_id) id = row.substr(last + 1);
}

int CompareRows(RowOrder order, std::string_view a, std::string_view b) {
  if (order == RowOrder::kBytes) return a.compare(b);
  const MetaRowParts left(a);
  const MetaRowParts right(b);
  if (const int tables = left.table.compare(right.table); tables != 0) return tables;
  if (left.is_region != right.is_region) return left.is_region ? 1 : -1;
  if (const int starts = left.start_key.compare(right.start_key); starts != 0) return starts;
  if (left.has_id != right.has_id) return left.has_id ? 1 : -1;
  return left.id.compare(right.id);
}

}  // namespace vaquita
