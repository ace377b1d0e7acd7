// sql/engine/index_maker.h: CREATE INDEX, DROP INDEX and ALTER INDEX.
//
// Threads: functions. Source: MetaDataClient.createIndex, alterIndex (5.2).
#pragma once

#include <cstdint>

#include "absl/status/statusor.h"
#include "sql/engine/session_state.h"
#include "sql/front/ast.h"

namespace vaquita::sql {

// Makes the index, and fills it with the rows that its table has. Returns their number. Returns Phoenix's errors, and
// NotSupported for an index that Vaquita cannot keep.
absl::StatusOr<int64_t> RunCreateIndex(SessionState* state, const CreateIndex& create);
// Removes an index when no writer of this process keeps it any more.
absl::Status RemoveIndex(SessionState* state, const TableDef& index, const TableDef& table);
absl::StatusOr<int64_t> RunDropIndex(SessionState* state, const DropIndex& drop);
// Returns the number of the table's rows if the index was built again.
absl::StatusOr<int64_t> RunAlterIndex(SessionState* state, const AlterIndex& alter);

}  // namespace vaquita::sql
