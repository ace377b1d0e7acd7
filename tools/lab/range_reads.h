// tools/lab/range_reads.h: the rows of several ranges of a table, as a question to a salted design asks for them.
//
// Both ways send the same scans and count their rows; only when they send them differs. Errors: those of the scans.
#pragma once

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "client/table.h"
#include "model/operations.h"

namespace vaquita {

// One range after the other: what a program pays that has a loop over the buckets.
absl::StatusOr<uint64_t> CountRowsInTurn(client::Table* table, const std::vector<RowRange>& ranges);

// All ranges at once, as client/distribution/distributed_scanner.h reads its buckets: with as many threads, each range
// a batch ahead. A single range is a plain scan: whoever has such a key needs no distributed scanner.
absl::StatusOr<uint64_t> CountRowsAtOnce(client::Table* table, const std::vector<RowRange>& ranges);

}  // namespace vaquita
