// sql/plan/index_choice.h: lets a resolved query read an index in the place of its table.
//
// An index is read if it has all columns that the query needs of the table, and bounds more of its key by the query's
// conditions than the table and other indexes do; of equal ones, the one with the order that the query asks for, and
// then the one with the fewest columns. Threads: functions. Source: QueryOptimizer, IndexStatementRewriter (5.2).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "sql/catalog/table_def.h"
#include "sql/front/ast.h"

namespace vaquita::sql {

// Makes `*select`, with its sub-queries, read indexes where that is better: its columns become the index's, and the
// index stands in `*tables` (Resolver::tables) in the table's place. `hints` are the statement's: INDEX(table index)
// takes an index that has all columns, NO_INDEX none.
absl::Status UseIndexes(const std::string& hints, Select* select, std::vector<TablePtr>* tables);

}  // namespace vaquita::sql
