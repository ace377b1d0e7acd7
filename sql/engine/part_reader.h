// sql/engine/part_reader.h: asks regions for the parts of aggregates, several calls at once.
//
// The rows are read in pieces, each of one region. If there are fewer regions than calls, a region's rows are divided
// by guideposts, keys at equal distances between its first and last row. The caller's thread makes one call at a time,
// and threads of a pool make others beside it, as far as the pool has any. The answers come in the order of the rows,
// so that it does not matter which call ends first. A call that runs when the reader goes is not waited for; its answer
// is dropped.
//
// Threads: one at a time. Memory: answers that wait for an earlier one take 16 MB, and one answer more for each call.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/worker_pool.h"
#include "client/table.h"
#include "model/operations.h"

namespace vaquita::sql {

// Threads for the calls of all queries.
struct QueryThreads {
  std::shared_ptr<WorkerPool> pool;  // null: none
  int most_calls = 1;                // a query makes so many at once, one in its own thread

  // Returns as many calls for a query as the machine has cores, 2 to 8, and threads for the calls of four such queries.
  static QueryThreads OfMachine();
};

// Returns at most `most` keys at equal distances between two rows, ascending. REQUIRES: most > 0.
std::vector<std::string> RowsBetween(const std::string& first, const std::string& last, int most);

class PartReader {
 public:
  struct Source {
    std::unique_ptr<client::Table> table;
    Scan scan;                     // its rows are
    std::vector<RowRange> ranges;  // these, ascending
    std::string plan;              // a phoenix::AggregatePlan
  };

  PartReader(Source source, QueryThreads threads);
  PartReader(const PartReader&) = delete;
  PartReader& operator=(const PartReader&) = delete;
  ~PartReader();

  // Returns the next answer, nullopt at the end. Its next_row has no meaning. Asks `due` now and then while it waits,
  // and returns its error. After the error of any call there are no answers any more.
  absl::StatusOr<std::optional<client::AggregateAnswer>> Next(const std::function<absl::Status()>& due);

 private:
  class Pieces;

  const QueryThreads threads_;
  const std::shared_ptr<Pieces> pieces_;  // calls that run keep it
};

}  // namespace vaquita::sql
