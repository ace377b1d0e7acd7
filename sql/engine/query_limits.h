// sql/engine/query_limits.h: conditions that end a query before its last row.
//
// Threads: any.
#pragma once

#include <atomic>
#include <cstdint>

namespace vaquita::sql {

struct QueryLimits {
  std::atomic<bool> interrupted = false;  // the server stops
  std::atomic<bool> cancelled = false;    // the statement or its connection was closed
  int64_t most_ms = 600'000;              // from its start to its last row
};

}  // namespace vaquita::sql
