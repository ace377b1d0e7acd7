// sql/engine/pushed_query.h: runs a query whose aggregates regions compute (sql/plan/pushed_aggregates.h).
//
// Threads: one at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "sql/catalog/table_def.h"
#include "sql/engine/part_table.h"
#include "sql/engine/query.h"
#include "sql/plan/pushed_aggregates.h"

namespace vaquita::sql {

class PushedQuery {
 public:
  // The query's columns have `types`.
  static absl::StatusOr<std::unique_ptr<PushedQuery>> Prepare(const QuerySource& source, PushedAggregates pushed,
                                                              TablePtr table, const std::vector<SqlType>& types);

  // Starts the query, or starts it again, as Query::Start does. After an error the engine has to read the rows.
  absl::Status Start(std::span<const SqlType> parameters, std::span<const Value> values);
  // Returns the next row, nullopt at the end. Returns kUnsupportedOperation, before the first row, if the engine has to
  // read the rows.
  absl::StatusOr<std::optional<std::vector<Value>>> Next() { return merge_->Next(); }
  // Returns how many rows the regions have read since the query was made, and how many parts they have sent.
  int64_t rows_read() const { return parts_.rows_read; }
  int64_t parts_read() const { return parts_.parts_read; }
  int64_t memory_bytes() const {
    return std::accumulate(constants_.begin(), constants_.end(), merge_->memory_bytes(),
                           [](auto bytes, const auto& query) { return bytes + query->memory_bytes(); });
  }

 private:
  PushedQuery(PushedAggregates pushed, TablePtr table) : pushed_(std::move(pushed)), table_(std::move(table)) {}
  absl::StatusOr<std::vector<Value>> Constants(std::span<const SqlType> parameters, std::span<const Value> values,
                                               int64_t now_ms);

  PushedAggregates pushed_;
  const TablePtr table_;
  PartSource parts_;
  std::vector<std::unique_ptr<Query>> constants_;
  std::unique_ptr<Query> merge_;
};

}  // namespace vaquita::sql
