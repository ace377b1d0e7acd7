// sql/catalog/table_rows.h: a table's definition as rows of SYSTEM.CATALOG, and back.
//
// There is a row for the table, one for each column, and one that counts the qualifiers. All begin with tenant, schema
// and name, each ended by 00. Threads: functions. Source: MetaDataClient.createTableInternal (5.2).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "model/operations.h"
#include "sql/catalog/table_def.h"

namespace vaquita::sql {

inline constexpr char kCatalogTable[] = "SYSTEM.CATALOG";
inline constexpr char kChildLinkTable[] = "SYSTEM.CHILD_LINK";

// Why an index that Vaquita keeps is not written by itself (TableDef::not_writable).
inline constexpr char kKeptIndex[] = "it is an index";

// Returns the bytes with which all rows of a table begin.
std::string CatalogKey(const TableIdent& table);
// Returns the schema and name to which a row belongs. Returns IllegalData if the row has another form.
absl::StatusOr<TableIdent> TableOfCatalogRow(std::string_view row);

// Returns the rows of a new table, with Phoenix's cells.
std::vector<RowMutations> CatalogRows(const TableDef& table);
// Returns the rows of a new view of other tables: its own columns, and its links to the others.
std::vector<RowMutations> ViewRows(const TableDef& view, const TableDef& base);
// Returns the row of SYSTEM.CHILD_LINK by which a table finds its view.
RowMutations ChildLinkRow(const TableDef& view);
// Returns the key of a row that links a table to an index, a table or a view. The keys of all of a table's links begin
// with the key of an empty name.
std::string LinkKey(const TableIdent& table, std::string_view other);
// Returns the rows of a new index of a table, which is being built: its own ones, the table's link to it, and the
// table's own row, which is written anew.
std::vector<RowMutations> IndexRows(const TableDef& index, const TableDef& table);
// Returns the rows that change when an index gets another state: its own, and its table's.
std::vector<RowMutations> RowsOfIndexState(const TableDef& index, const TableDef& table, IndexState state);
// Returns the removal of a row.
RowMutations RemovalOf(const std::string& row);
// Returns the table's own row, written anew without a change: TableDef::written_ms tells others of a change.
RowMutations TouchedRow(const TableDef& table);
// Returns the base's rows that change when columns of its views take qualifiers, its own first.
std::vector<RowMutations> RowsOfUsedNumbers(const TableDef& before, const TableDef& after);
// Returns the table of "SCHEMA.NAME".
TableIdent IdentOf(std::string_view name);

// These return the rows that change with a table, the table's own first. `after` is the table with the change.
//
// The last `added` columns are new.
std::vector<RowMutations> RowsOfAddedColumns(const TableDef& after, size_t added);
// `before` still has the columns, `after` has them no more.
std::vector<RowMutations> RowsOfDroppedColumns(const TableDef& before, const TableDef& after);
std::vector<RowMutations> RowsOfNewProperties(const TableDef& before, const TableDef& after);
// Returns the condition that nobody altered the table since `before` was read, for its own row.
CheckAndMutate IfUnaltered(const TableDef& before, RowMutations row);

// Returns the definition in the rows of one table; each of `rows` has the cells of one row. Returns NotSupported, which
// says why, for a table that Vaquita cannot even read.
absl::StatusOr<TableDef> TableOfCatalogRows(const TableIdent& ident, const std::vector<std::vector<Cell>>& rows);

}  // namespace vaquita::sql
