// sql/plan/pushed_aggregates.h: finds a query whose aggregates regions can compute beside their rows.
//
// That is a query of one table with COUNT, SUM, MIN, MAX and AVG of its columns, grouped by its columns, and with
// conditions that compare its columns with values. The regions' answers are parts: rows of the groups' columns and of
// aggregates. The query itself becomes one over the parts, which the engine runs as any other. Sums of FLOAT and DOUBLE
// stay with the engine: their last digits depend on the order of the rows. Threads: functions.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "model/cell.h"
#include "phoenix/aggregate.pb.h"
#include "sql/catalog/table_def.h"
#include "sql/encoding/sql_type.h"
#include "sql/encoding/value.h"
#include "sql/front/ast.h"

namespace vaquita::sql {

struct PushedAggregates {
  Select merge;                     // the query over the parts, which take the place of its table
  size_t source = 0;                // the table's number
  std::vector<SqlType> part_types;  // the parts' columns' types
  phoenix::AggregatePlan plan;      // without its columns' bytes and the constants' values
  std::vector<int32_t> columns;     // the table's column for each of the plan's
  std::vector<ExprPtr> constants;   // these need no row, but may need parameters
  std::vector<SqlType> constant_types;
};

// Returns nullopt if the engine has to read the rows of the resolved query. `tables` has the statement's tables by
// their numbers.
std::optional<PushedAggregates> PushAggregates(const Select& select, const std::vector<TablePtr>& tables);

// Returns the ranges of rows for which the plan's condition can hold. `constants` are the constants' values.
std::vector<RowRange> RangesOf(const PushedAggregates& pushed, const TableDef& table,
                               const std::vector<Value>& constants);

}  // namespace vaquita::sql
