// sql/engine/row_writer.h: rows that UPSERT and DELETE change, as HBase's mutations.
//
// Threads: functions. Source: PTableImpl.PRowImpl (5.2).
#pragma once

#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "model/operations.h"
#include "sql/catalog/table_def.h"

namespace vaquita::sql {

// `values`: column index and value, in the column's type (CoerceValue). Returns the mutations of the row: the cell that
// every row has, values, and markers for nulls. ConstraintViolation if a key column is missing.
absl::StatusOr<Action> UpsertAction(const TableDef& table, const std::vector<std::pair<int32_t, Value>>& values);
// `key`: the values of the key's columns. Removes the row.
Action DeleteAction(const TableDef& table, const std::vector<Value>& key);

}  // namespace vaquita::sql
