// tests/semantics/in_process_scanner.h: scans the regions of a table by calls to the region server of this process.
#pragma once

#include <memory>

#include "client/table.h"
#include "server/process/standalone.h"

namespace vaquita::semantics {

// `server` outlives the scanner.
std::unique_ptr<client::ResultScanner> MakeInProcessScanner(Standalone* server, const TableName& table,
                                                            const Scan& scan);

// Returns the cells of a block as a client gets them.
client::Result ToResult(const CellBlock& block, const ResultRange& range);
client::Result ToResult(const CellBlock& block);

}  // namespace vaquita::semantics
