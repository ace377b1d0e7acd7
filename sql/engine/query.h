// sql/engine/query.h: a resolved query that runs in a database of SQLite of its own.
//
// Threads: one at a time.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "client/connection.h"
#include "sql/catalog/table_def.h"
#include "sql/encoding/sql_type.h"
#include "sql/encoding/value.h"
#include "sql/engine/query_limits.h"

namespace vaquita::sql {

// Where a query reads, and how long it may.
struct QuerySource {
  std::shared_ptr<client::Connection> connection;
  std::shared_ptr<const QueryLimits> limits;
};

class Query {
 public:
  // `text` is for SQLite (sql/plan/engine_text.h); `tables`, by their numbers, and `types`, of its columns, belong to
  // it.
  static absl::StatusOr<std::unique_ptr<Query>> Prepare(QuerySource source,
                                                        std::vector<std::shared_ptr<const TableDef>> tables,
                                                        const std::string& text, std::vector<SqlType> types);
  virtual ~Query() = default;

  // Begins, from the start if it ran before. `values`: of the parameters, in `parameters`' types.
  virtual absl::Status Start(std::span<const SqlType> parameters, std::span<const Value> values) = 0;
  // Returns the next row, nullopt at the end.
  virtual absl::StatusOr<std::optional<std::vector<Value>>> Next() = 0;
  // Ends the scans that run.
  virtual void Finish() = 0;
  // Returns how many rows the scans have read since the query was made.
  virtual int64_t rows_read() const = 0;
};

}  // namespace vaquita::sql
