// server/master/meta/meta_check.h: checks that a client's write to hbase:meta or hbase:namespace can be read back.
//
// The master's own edits come after all cells that are there, so a client's timestamp may be little later than the
// clock. Tools such as HBCK2 may edit these tables. A write that makes a row unreadable would take a region or a table
// out of service at the master's next start, so it is refused. Threads: any.
#pragma once

#include <cstdint>
#include <span>

#include "absl/status/status.h"
#include "model/operations.h"
#include "model/table_name.h"

namespace vaquita {

// Returns kDoNotRetryIO, naming row and column, if one of `mutations` of `table` would leave a row that cannot be read,
// or has a timestamp of later than now and kMaxClockSkewMs. Users' tables are not checked.
absl::Status CheckSystemWrite(const TableName& table, std::span<const Mutation> mutations, int64_t now_ms);
inline constexpr int64_t kMaxClockSkewMs = 30'000;  // hbase.master.maxclockskew's default

}  // namespace vaquita
