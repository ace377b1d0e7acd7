// sql/aggregate/condition.h: checks a plan's condition against a row, in SQL's logic of three values.
//
// Threads: functions.
#pragma once

#include <optional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "phoenix/aggregate.pb.h"
#include "sql/aggregate/row_columns.h"

namespace vaquita::sql {

// Returns IllegalArgument unless the condition has the parts that its operators need, of the plan's columns and
// constants.
absl::Status CheckCondition(const phoenix::AggregatePlan& plan, const phoenix::Condition& condition);

// Returns the condition's truth for the row; nullopt if it is null. REQUIRES: CheckCondition returned OK.
absl::StatusOr<std::optional<bool>> Holds(const phoenix::AggregatePlan& plan, const phoenix::Condition& condition,
                                          RowColumns* row);

}  // namespace vaquita::sql
