// tools/lab/range_reads.h: reads several ranges of a table, as a question to a salted design needs.
//
// Both ways send the same scans and count their rows, at different times. Errors: those of the scans.
#pragma once

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "client/table.h"
#include "model/operations.h"

namespace vaquita {

// Reads one range after the other, as a program with a loop over the buckets does.
absl::StatusOr<uint64_t> CountRowsInTurn(client::Table* table, const std::vector<RowRange>& ranges);

// Reads all ranges at once, as client/distribution/distributed_scanner.h reads its buckets: with as many threads, each
// range a batch ahead. A single range is a plain scan, because such a key needs no distributed scanner.
absl::StatusOr<uint64_t> CountRowsAtOnce(client::Table* table, const std::vector<RowRange>& ranges);

}  // namespace vaquita
