// client/distribution/merge_row.h: merges the rows that several buckets hold under one original key.
#pragma once

#include <cstdint>
#include <vector>

#include "client/table.h"

namespace vaquita::client {

// Adds `part` to `row`, which has the same key: cells in their order, at most `max_versions` per column, and each
// version once. `raw`: all cells, as a raw scan returns them.
void MergeIntoRow(Result part, int32_t max_versions, bool raw, Result* row);

}  // namespace vaquita::client
