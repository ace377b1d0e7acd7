#include "sql/catalog/dynamic_columns.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/status.h"
#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"

namespace vaquita::sql {

absl::StatusOr<TablePtr> WithDynamicColumns(const TableDef& table, const std::vector<ColumnDeclaration>& columns) {
  if (table.one_cell) {
    return NotSupported(Concat("A dynamic column of ", table.ident.ToString(), ", which has its columns in one cell"));
  }
  const std::vector<std::string> families = table.Families();
  auto extended = std::make_shared<TableDef>(table);
  for (const ColumnDeclaration& declared : columns) {
    ColumnDef column;
    column.name = column.qualifier = declared.name;
    column.family = declared.family.empty() ? table.EmptyCellFamily() : declared.family;
    column.type = declared.type;
    column.array_size = declared.array_size;
    column.dynamic = true;
    if (std::ranges::find(families, column.family) == families.end()) {
      return SqlError(ErrorCode::kUndefinedFamily, Concat("familyName=", column.family));
    }
    const bool exists = std::ranges::any_of(extended->columns, [&](const ColumnDef& other) {
      return other.name == column.name && (other.is_key() || other.family == column.family);
    });
    if (exists) return ColumnError(ErrorCode::kColumnExists, column.name, table.ident.ToString());
    extended->columns.push_back(std::move(column));
    VAQUITA_RETURN_IF_ERROR(extended->CheckColumns());
  }
  return extended;
}

}  // namespace vaquita::sql
