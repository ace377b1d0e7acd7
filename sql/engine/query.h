// sql/engine/query.h: runs a resolved query in an SQLite database of its own.
//
// Threads: one at a time.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "base/clock.h"
#include "client/connection.h"
#include "sql/catalog/table_def.h"
#include "sql/encoding/sql_type.h"
#include "sql/encoding/value.h"
#include "sql/engine/function_tools.h"
#include "sql/engine/part_table.h"
#include "sql/engine/query_limits.h"
#include "sql/engine/query_memory.h"
#include "sql/engine/scan_table.h"
#include "sql/engine/sequence_functions.h"

struct sqlite3;
struct sqlite3_stmt;

namespace vaquita::sql {

// Says from which cluster a query reads, by which threads, and when it has to end.
struct QuerySource {
  std::shared_ptr<client::Connection> connection;
  std::shared_ptr<const QueryLimits> limits;
  std::shared_ptr<Sequences> sequences;
  QueryThreads threads;
};

class Query {
 public:
  static constexpr int64_t kBytesOfScan = 2 << 20;  // an answer to a scan has about so many

  // `text` is in SQLite's SQL (sql/plan/engine_text.h). It calls `tables` by their numbers, and its columns have
  // `types`. One of the tables may be `parts`, which outlives the query.
  static absl::StatusOr<std::unique_ptr<Query>> Prepare(QuerySource source, std::vector<TablePtr> tables,
                                                        const std::string& text, std::vector<SqlType> types,
                                                        PartSource* parts = nullptr);
  // Makes a query of one table whose columns are the `outputs` of the table's rows (sql/plan/row_outputs.h). `text`
  // does not select them: they come from the row at which SQLite is, and SQLite does not copy them.
  static absl::StatusOr<std::unique_ptr<Query>> PrepareRows(QuerySource source, TablePtr table, const std::string& text,
                                                            std::vector<int32_t> outputs);
  Query(const Query&) = delete;
  Query& operator=(const Query&) = delete;
  ~Query();

  // Starts the query, or starts it again. `values` are the parameters' values, in the types `parameters`. NOW() is
  // `now_ms` in all rows.
  absl::Status Start(std::span<const SqlType> parameters, std::span<const Value> values,
                     int64_t now_ms = Clock::System()->NowMs());
  // Returns the next row, nullopt at the end.
  absl::StatusOr<std::optional<std::vector<Value>>> Next();
  // Ends the scans that run.
  void Finish();
  // Returns how many rows the scans have read since the query was made.
  int64_t rows_read() const { return context_.rows_read; }
  int64_t cells_read() const { return context_.cells_read; }
  // Returns the memory that the query takes, about: in SQLite, for its tables' definitions, for what its aggregates
  // keep, and for the answers of regions that its scans have not given yet.
  int64_t memory_bytes() const;

 private:
  Query(QuerySource source, std::vector<TablePtr> tables, std::vector<SqlType> types);
  absl::Status Open(const std::string& text, PartSource* parts);
  absl::StatusOr<std::vector<Value>> Outputs();
  // Returns an error if the query has to end.
  absl::Status Due() const;
  static int EndIfDue(void* query);
  absl::Status Check(int code) const;

  const std::shared_ptr<const QueryLimits> limits_;
  std::chrono::steady_clock::time_point ends_ = std::chrono::steady_clock::time_point::max();
  QueryMemory memory_;
  ScanContext context_;
  FunctionHost functions_;
  SequenceValues sequence_values_;
  std::vector<SqlType> types_;
  sqlite3* database_ = nullptr;
  sqlite3_stmt* statement_ = nullptr;
};

}  // namespace vaquita::sql
