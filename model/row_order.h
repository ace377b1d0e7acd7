// model/row_order.h: the order of a table's rows.
//
// Rows of every table but one come in the order of their bytes. hbase:meta's rows, "table,startkey,id", are compared
// part by part, so "t,,1" is before "t,\x01,1", and all regions of "t" are before those of "t-1". A row without a
// comma, which a table's state has, is before the regions of that table. Threads: any. Source:
// MetaCellComparator.compareRows (2.6), which compares garbage if a row has one comma alone; such a row is here before
// all rows that have the same two parts and an id.
#pragma once

#include <string_view>

#include "model/table_name.h"

namespace vaquita {

enum class RowOrder {
  kBytes,
  kMeta,
};

inline RowOrder RowOrderOf(const TableName& table) {
  return table == kMetaTableName ? RowOrder::kMeta : RowOrder::kBytes;
}

// The parts of a row of hbase:meta: the table ends at the first comma, the id begins behind the last one.
struct MetaRowParts {
  explicit MetaRowParts(std::string_view row);

  std::string_view table;
  std::string_view start_key;
  std::string_view id;
  bool is_region = false;  // it has a comma
  bool has_id = false;     // it has two
};

// Returns a negative number, 0 or a positive number if `a` is before, equal to or after `b`.
int CompareRows(RowOrder order, std::string_view a, std::string_view b);

}  // namespace vaquita
