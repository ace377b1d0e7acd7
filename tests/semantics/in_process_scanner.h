// tests/semantics/in_process_scanner.h: a scan over the regions of a table, by calls to the region server of this
// process.
#pragma once

#include <memory>

#include "client/table.h"
#include "server/process/standalone.h"

namespace vaquita::semantics {

// `server` outlives the scanner.
std::unique_ptr<client::ResultScanner> MakeInProcessScanner(Standalone* server, const TableName& table,
                                                            const Scan& scan);

// The cells of a block, as a client has them.
client::Result ToResult(const CellBlock& block, const ResultRange& range);
client::Result ToResult(const CellBlock& block);

}  // namespace vaquita::semantics
