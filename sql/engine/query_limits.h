// sql/engine/query_limits.h: conditions that end a query before its last row, and the bound of changes that wait.
//
// Threads: any, but for client_gone.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace vaquita::sql {

// Counts the changes that wait for a commit in all sessions that share it. Threads: any.
struct WaitingChanges {
  std::atomic<int64_t> bytes = 0;
  int64_t most_bytes = 1 << 30;
  // In one session: phoenix.mutate.maxSize, phoenix.mutate.maxSizeBytes.
  size_t most_rows_of_session = 500'000;
  size_t most_bytes_of_session = 100 << 20;
};

struct QueryLimits {
  std::atomic<bool> interrupted = false;  // the server stops
  std::atomic<bool> cancelled = false;    // the statement or its connection was closed
  // Becomes true when nobody waits for the query's rows; may be null. Set and read by the thread that runs the query.
  std::shared_ptr<const std::atomic<bool>> client_gone;
  int64_t most_ms = 600'000;  // from its start to its last row
  // A value, and a row that is sorted, has at most so many bytes: six of HBase's largest cells.
  int most_value_bytes = 64 << 20;
  // In memory, for the values of a row and those that aggregates keep together.
  int64_t most_memory_bytes = 256 << 20;
  std::shared_ptr<WaitingChanges> waiting = std::make_shared<WaitingChanges>();
};

}  // namespace vaquita::sql
