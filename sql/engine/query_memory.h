// sql/engine/query_memory.h: counts the memory of a query, and bounds it.
//
// SQLite's memory is counted by its allocator, for the query in whose Scope the thread is; what is outside any is not
// counted. Values that aggregates keep are counted by themselves. Threads: one at a time.
#pragma once

#include <cstdint>

#include "absl/status/status.h"

namespace vaquita::sql {

class QueryMemory {
 public:
  explicit QueryMemory(int64_t most_bytes) : most_bytes_(most_bytes) {}
  QueryMemory(const QueryMemory&) = delete;
  QueryMemory& operator=(const QueryMemory&) = delete;

  // Returns whether the query may have so many bytes more. If not, error() says so.
  bool HasRoom(int64_t bytes);
  // Counts bytes, or gives them back if they are below 0.
  void Add(int64_t bytes) { used_bytes_ += bytes; }
  int64_t used_bytes() const { return used_bytes_; }
  // Returns Phoenix's error of the last bytes for which there was no room; OK if there was room for all.
  const absl::Status& error() const { return error_; }

  // Until its end, what the thread's calls of SQLite take and free is the query's.
  class Scope {
   public:
    explicit Scope(QueryMemory* memory);
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;
    ~Scope();

   private:
    QueryMemory* const before_;
  };

 private:
  const int64_t most_bytes_;
  int64_t used_bytes_ = 0;
  absl::Status error_;
};

// Makes SQLite's allocator count. To be called before SQLite is used; later calls do nothing. Returns an error if
// SQLite was used before. Threads: any.
absl::Status CountSqliteMemory();

}  // namespace vaquita::sql
