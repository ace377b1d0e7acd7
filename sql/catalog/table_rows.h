// sql/catalog/table_rows.h: a table's definition as rows of SYSTEM.CATALOG, and back.
//
// A row for the table, one for each column, one that counts the qualifiers; all begin with tenant, schema and name,
// each ended by 00. Threads: functions. Source: MetaDataClient.createTableInternal (5.2).
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "model/operations.h"
#include "sql/catalog/table_def.h"

namespace vaquita::sql {

inline constexpr char kCatalogTable[] = "SYSTEM.CATALOG";

// Returns what the rows of a table begin with.
std::string CatalogKey(const TableIdent& table);
// Returns the schema and name that a row belongs to. IllegalData if it is no such row.
absl::StatusOr<TableIdent> TableOfCatalogRow(std::string_view row);

// Returns the rows of a new table, with Phoenix's cells.
std::vector<RowMutations> CatalogRows(const TableDef& table);
// Returns the definition that the rows of one table have: `rows`, each the cells of one row. NotSupported, which says
// why, for what cannot even be read.
absl::StatusOr<TableDef> TableOfCatalogRows(const TableIdent& ident, const std::vector<std::vector<Cell>>& rows);

}  // namespace vaquita::sql
