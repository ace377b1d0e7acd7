// sql/engine/table_alterer.h: runs ALTER TABLE.
//
// Threads: functions. Source: MetaDataClient.addColumn, dropColumn (5.2).
#pragma once

#include <cstdint>

#include "absl/status/statusor.h"
#include "sql/engine/session_state.h"
#include "sql/front/ast.h"

namespace vaquita::sql {

// Changes the table in HBase, in the catalog, and its rows where the change needs that. Returns the number of rows that
// Phoenix says it changed.
absl::StatusOr<int64_t> RunAlter(SessionState* state, const AlterTable& alter);

}  // namespace vaquita::sql
