// sql/plan/row_outputs.h: finds a query whose result has a row for each row of its table that meets the condition.
//
// Its columns are columns of the table, and nothing sorts, groups or joins. So the values can come from the table's
// row, while the engine computes conditions, LIMIT and OFFSET. Threads: functions.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sql/front/ast.h"

namespace vaquita::sql {

struct RowOutputs {
  Select rows;                   // the query without its columns
  std::vector<int32_t> columns;  // the outputs, in their order
};

// Returns nullopt if the resolved query is of another kind. `tables` is the number of the statement's tables.
std::optional<RowOutputs> FindRowOutputs(const Select& select, size_t tables);

}  // namespace vaquita::sql
