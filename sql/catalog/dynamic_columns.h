// sql/catalog/dynamic_columns.h: columns that a statement gives a table for itself alone.
//
// They are stored under their names, also where the table's own columns have numbers. Threads: functions. Source:
// FromCompiler.addDynamicColumns (5.2).
#pragma once

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "sql/catalog/table_def.h"

namespace vaquita::sql {

// Returns the table with the columns behind its own. Returns ColumnExists for a name that is there, UndefinedFamily for
// a family without columns.
absl::StatusOr<TablePtr> WithDynamicColumns(const TableDef& table, const std::vector<ColumnDeclaration>& columns);

}  // namespace vaquita::sql
