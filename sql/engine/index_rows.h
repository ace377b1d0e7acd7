// sql/engine/index_rows.h: makes the rows of an index from those of its table.
//
// A row of an index has all of its cells at one time, which is that of the table's row; its empty cell says if the row
// is verified: surely the table's. Threads: one at a time. Source: IndexMaintainer, GlobalIndexChecker (5.2).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "client/connection.h"
#include "client/table.h"
#include "model/operations.h"
#include "sql/catalog/table_def.h"
#include "sql/engine/duplicate_rule.h"
#include "sql/engine/row_reader.h"
#include "sql/engine/row_writer.h"

namespace vaquita::sql {

class IndexRows {
 public:
  static absl::StatusOr<std::unique_ptr<IndexRows>> Make(std::shared_ptr<client::Connection> connection, TablePtr index,
                                                         TablePtr table);

  const TableDef& def() const { return *index_; }
  // The columns of the table that the index has, or needs for its expressions.
  const std::set<int32_t>& reads() const { return reads_; }

  // Returns the put of the row for a row of the table, whose values are `row`, verified.
  absl::StatusOr<Mutation> PutOf(const RowValues& row, int64_t timestamp_ms);
  // Returns the row for a row of the table as it is stored, nullopt if it is none.
  absl::StatusOr<std::optional<Mutation>> PutOfStored(const client::Result& stored);
  // Returns the index's row with this key as the table has it now, nullopt if the table has no such row.
  absl::StatusOr<std::optional<client::Result>> RowByTable(const std::string& index_row);

 private:
  IndexRows(std::shared_ptr<client::Connection> connection, TablePtr index, TablePtr table);
  absl::Status Prepare();
  absl::StatusOr<std::vector<Value>> Computed(const RowValues& row);

  const std::shared_ptr<client::Connection> connection_;
  const TablePtr index_;
  const TablePtr table_;
  std::vector<ExprPtr> expressions_;  // the index's columns; a column of the table is itself
  std::set<int32_t> reads_;
  RowReader reader_;                     // reads the table
  const RowWriter writer_;               // writes the index
  std::unique_ptr<Query> query_;         // computes the other expressions; null if there are none
  std::vector<int32_t> arguments_;       // its parameters: columns of the table
  std::vector<SqlType> argument_types_;  // and their types
};

// Returns whether PutOf's error says that the index cannot have the row: its key would be too long, or a value is
// beyond the key's type.
bool IsNoIndexRow(const absl::Status& status);
// Returns the mutation with another mark in the empty cell.
Mutation Marked(const TableDef& index, Mutation put, const std::string& mark);
// Returns the put of the mark alone.
Mutation MarkOf(const TableDef& index, const std::string& row, const std::string& mark, int64_t timestamp_ms);

}  // namespace vaquita::sql
