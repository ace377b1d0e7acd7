// client/distribution/merge_row.h: one row of what several buckets hold under the same original key.
#pragma once

#include <cstdint>
#include <vector>

#include "client/table.h"

namespace vaquita::client {

// Adds `part` to `row`, whose key it has: cells in their order, no column with more than `max_versions`, and each
// version once. `raw`: all cells, as a raw scan gives them.
void MergeIntoRow(Result part, int32_t max_versions, bool raw, Result* row);

}  // namespace vaquita::client
