// client/table.h: reads and writes of one table, with hbase-client's methods.
//
// Requests are model/operations.h's structs. The connection's retry policy applies: a request that may be repeated is
// repeated with back-off until the operation's timeout. The caller gets the last error, with HBase's exception class
// (base/status.h). Threads: a Table may be used from any thread; for ResultScanner and BufferedMutator see there.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "model/operations.h"
#include "model/region_info.h"
#include "model/table_name.h"

namespace vaquita::client {

// Cells of one row (or of one part of a row, when `partial`).
struct Result {
  std::vector<Cell> cells;
  bool partial = false;
  bool exists = false;  // the row has a cell; the only answer to a Get with existence_only
  bool empty() const { return cells.empty(); }
  // Returns the newest value of the column, or null.
  const std::string* Value(std::string_view family, std::string_view qualifier) const;
};

// The answer of Table::Aggregate, about the first rows of its scan.
struct AggregateAnswer {
  std::string parts;  // in the plan's own form
  int64_t rows_read = 0;
  std::optional<std::string> next_row;  // the first row that is not in the parts; nullopt: none is left
};

struct RegionLocation {
  RegionInfo info;
  std::string server_name;  // HBase's "host,port,startcode"
  std::string address;      // host:port that the connection's protocol is spoken with
};

// Returns rows in order over all regions of the scan. Threads: one at a time.
class ResultScanner {
 public:
  virtual ~ResultScanner() = default;
  // Returns the next result, or nullopt at the end. The caller does not notice regions that split or move meanwhile.
  virtual absl::StatusOr<std::optional<Result>> Next() = 0;
};

// One action's outcome in a batch.
struct ActionResult {
  absl::Status status;
  Result result;
  bool processed = true;  // CheckAndMutate
};

class Table {
 public:
  virtual ~Table() = default;
  virtual const TableName& name() const = 0;

  virtual absl::StatusOr<Result> Get(const vaquita::Get& get) = 0;
  virtual absl::StatusOr<bool> Exists(const vaquita::Get& get) {
    vaquita::Get existence = get;
    existence.existence_only = true;
    const absl::StatusOr<Result> result = Get(existence);
    if (!result.ok()) return result.status();
    return result->exists;
  }
  virtual absl::StatusOr<std::unique_ptr<ResultScanner>> GetScanner(const Scan& scan) = 0;
  // Runs a Put, Delete, Increment or Append. The last two return the new cells.
  virtual absl::StatusOr<Result> Mutate(const Mutation& mutation) = 0;
  virtual absl::StatusOr<Result> MutateRow(const RowMutations& mutations) = 0;
  // In the result, `processed` says whether the condition held.
  virtual absl::StatusOr<ActionResult> CheckAndMutate(const vaquita::CheckAndMutate& check) = 0;
  // Runs actions of any rows, grouped by region and sent in parallel. Returns one outcome per action, in order.
  virtual std::vector<ActionResult> Batch(std::span<const Action> actions) = 0;

  // Computes a query's aggregates beside the region in which the scan starts; `plan` is a
  // vaquita.phoenix.AggregatePlan. A call takes a second or so, or reads about as many bytes as the scan's
  // max_result_bytes says, and then says where to go on. Returns kUnsupportedOperation if the rows have to be read
  // instead: HBase has no such call, and some sums have too many digits.
  virtual absl::StatusOr<AggregateAnswer> Aggregate(const Scan& scan, std::string_view plan);

  virtual absl::StatusOr<std::vector<RegionLocation>> RegionLocations() = 0;
  virtual absl::StatusOr<RegionLocation> LocateRow(std::string_view row) = 0;
};

struct BufferedMutatorOptions {
  int64_t write_buffer_bytes = 2 << 20;  // hbase.client.write.buffer
  // Called for each mutation that failed for good; without it, Flush and Close return the first error. It may call
  // Mutate, which then takes more than a buffer, but not Flush or Close: they return FailedPrecondition.
  std::function<void(const Mutation&, const absl::Status&)> on_error;
};

// Collects mutations and sends them in batches, in the background. Threads: any, at once.
class BufferedMutator {
 public:
  virtual ~BufferedMutator() = default;  // closes
  virtual absl::Status Mutate(Mutation mutation) = 0;
  virtual absl::Status Flush() = 0;
  virtual absl::Status Close() = 0;
};

}  // namespace vaquita::client
