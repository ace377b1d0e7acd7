// tests/semantics/in_process_table.h: a table whose operations call the master and the region server of this process
// directly.
//
// It does a client's part: finds the region of a row, moves a scan from region to region, groups a batch.
#pragma once

#include <memory>

#include "client/table.h"
#include "server/process/standalone.h"

namespace vaquita::semantics {

// Returns a client's error for `status`: if a region is closed, a client asks whether the table is disabled.
absl::Status Explain(Standalone* server, const TableName& table, absl::Status status);

// `server` outlives the table and its scanners. `synced`: every mutation has FSYNC_WAL.
std::unique_ptr<client::Table> MakeInProcessTable(Standalone* server, const TableName& name, bool synced);

}  // namespace vaquita::semantics
