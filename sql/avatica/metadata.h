// sql/avatica/metadata.h: answers java.sql.DatabaseMetaData's questions about tables and their columns.
//
// A pattern has % for any text and _ for any letter; behind a \ both stand for themselves. nullopt means all; an empty
// pattern means tables without a schema.
// Threads: functions. Source: PhoenixDatabaseMetaData (5.2).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sql/avatica/result_rows.h"
#include "sql/catalog/table_def.h"

namespace vaquita::sql {

using Pattern = std::optional<std::string>;

// `types`: "TABLE", "VIEW" and so on; nullopt: all.
RowList MetaTables(const std::vector<TablePtr>& tables, const std::vector<TableIdent>& sequences, const Pattern& schema,
                   const Pattern& name, const std::optional<std::vector<std::string>>& types);
RowList MetaColumns(const std::vector<TablePtr>& tables, const Pattern& schema, const Pattern& table,
                    const Pattern& column);
// Returns the columns of the table's indexes; none if `unique`, because no index is.
RowList MetaIndexes(const std::vector<TablePtr>& tables, const std::string& schema, const std::string& table,
                    bool unique);
// `schema` and `table` are names, not patterns.
RowList MetaPrimaryKeys(const std::vector<TablePtr>& tables, const std::string& schema, const std::string& table);
RowList MetaSchemas(const std::vector<TablePtr>& tables, const Pattern& schema);
RowList MetaCatalogs();
RowList MetaTableTypes();
RowList MetaTypeInfo();  // Phoenix's is empty

// Returns the name and value of each property that drivers ask for at once.
std::vector<std::pair<std::string, Value>> DatabaseProperties();

}  // namespace vaquita::sql
