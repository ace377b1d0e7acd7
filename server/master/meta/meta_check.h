// server/master/meta/meta_check.h: checks that a client's write to hbase:meta or hbase:namespace can be read back.
//
// Tools such as HBCK2 may edit these tables. A write that makes a row unreadable would take a region or a table out of
// service at the master's next start, so it is refused. Threads: any.
#pragma once

#include <span>

#include "absl/status/status.h"
#include "model/operations.h"
#include "model/table_name.h"

namespace vaquita {

// Returns kDoNotRetryIO, naming row and column, if one of `mutations` of `table` would leave a row that cannot be read.
// Users' tables are not checked.
absl::Status CheckSystemWrite(const TableName& table, std::span<const Mutation> mutations);

}  // namespace vaquita
