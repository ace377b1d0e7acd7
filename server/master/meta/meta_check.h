// server/master/meta/meta_check.h: whether what a client writes to hbase:meta or hbase:namespace can be read back.
//
// Tools such as HBCK2 edit these tables, and may. What would make a row unreadable would take a region or a table out
// of service at the master's next start, so it is refused. Threads: any.
#pragma once

#include <span>

#include "absl/status/status.h"
#include "model/operations.h"
#include "model/table_name.h"

namespace vaquita {

// kDoNotRetryIO, naming row and column, if one of `mutations`, which are of `table`, would leave a row that cannot be
// read. Tables of users hold what they like.
absl::Status CheckSystemWrite(const TableName& table, std::span<const Mutation> mutations);

}  // namespace vaquita
