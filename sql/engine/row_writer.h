// sql/engine/row_writer.h: makes HBase's mutations of the rows that UPSERT and DELETE change.
//
// Threads: functions. Source: PTableImpl.PRowImpl (5.2).
#pragma once

#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "model/operations.h"
#include "sql/catalog/table_def.h"

namespace vaquita::sql {

// Returns the mutations of a row: the empty cell, the values, and delete markers for nulls. `values` has column indexes
// and values in the columns' types (CoerceValue). Other columns are left alone, or removed if `replaces`. Returns
// ConstraintViolation if a key column is missing.
absl::StatusOr<Action> UpsertAction(const TableDef& table, const std::vector<std::pair<int32_t, Value>>& values,
                                    bool replaces = false);
// Returns the removal of a row. `key` has the values of the key's columns.
Action DeleteAction(const TableDef& table, const std::vector<Value>& key);

}  // namespace vaquita::sql
