// sql/plan/index_columns.h: the columns of an index as expressions over its table.
//
// An index is a table whose key is its columns, and then the table's key; SYSTEM.CATALOG has the text of each. Threads:
// functions. Source: IndexUtil, IndexMaintainer, ParseNode.toSQL (5.2).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "sql/catalog/table_def.h"
#include "sql/front/ast.h"

namespace vaquita::sql {

// Returns the type of an index's values of the expression: a DECIMAL that is computed has all its digits.
SqlType TypeOfIndexed(const Expr& expr);
// Returns the name that an index gives a column of its table: "0:NAME", ":ID".
std::string NameInIndex(const ColumnDef& column);
// Returns a parsed expression as SYSTEM.CATALOG has it: " UPPER(NAME)", "(A + 1)". Returns NotSupported for one that
// cannot be written so.
absl::StatusOr<std::string> TextInIndex(const Expr& expr);

// Returns the expressions of the index's columns, in their order, over the table as source number `source`.
absl::StatusOr<std::vector<ExprPtr>> ExpressionsOfIndex(const TableDef& index, const TablePtr& table, int32_t source);

// Returns the index as a table for queries: its columns have the types of their expressions, and the names that EXPLAIN
// gives them.
absl::StatusOr<TablePtr> IndexForQueries(const TableDef& index, const TablePtr& table);

}  // namespace vaquita::sql
