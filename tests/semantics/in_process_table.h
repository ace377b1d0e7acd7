// tests/semantics/in_process_table.h: a table whose operations call the master and the region server of this process
// directly.
//
// It does what a client does and no more: finds the region of a row, goes from region to region with a scan, groups a
// batch.
#pragma once

#include <memory>

#include "client/table.h"
#include "server/process/standalone.h"

namespace vaquita::semantics {

// What a client says of an error: one that finds a region closed asks why, and tells its caller of a disabled table.
absl::Status Explain(Standalone* server, const TableName& table, absl::Status status);

// `server` outlives the table and its scanners.
std::unique_ptr<client::Table> MakeInProcessTable(Standalone* server, const TableName& name);

}  // namespace vaquita::semantics
