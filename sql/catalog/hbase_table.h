// sql/catalog/hbase_table.h: changes of the HBase table behind a definition.
//
// Threads: functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "client/connection.h"
#include "client/table.h"
#include "model/operations.h"
#include "model/table_descriptor.h"
#include "sql/catalog/table_def.h"

namespace vaquita::sql {

// Returns the first error among the results of a batch, or OK.
absl::Status FirstError(const std::vector<client::ActionResult>& results);

// Changes the table's descriptor. Returns the error of `change`, or HBase's. HBase gets no request if `change` changes
// nothing.
absl::Status ModifyTable(client::Connection* connection, const TableName& table, const TableChange& change);

// Shows each row of `scan` to `change`, and writes the actions that it returns, in batches. Returns the number of rows.
absl::StatusOr<int64_t> RewriteRows(client::Table* table, const Scan& scan,
                                    absl::FunctionRef<std::optional<Action>(const client::Result& row)> change);

// Returns the put of the empty cell, by which Phoenix knows that a row is there.
Mutation PutOfEmptyCell(const TableDef& table, const std::string& row, int64_t timestamp_ms);

}  // namespace vaquita::sql
