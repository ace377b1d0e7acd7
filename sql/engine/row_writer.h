// sql/engine/row_writer.h: makes HBase's mutations of the rows that UPSERT and DELETE change.
//
// Threads: any. Source: PTableImpl.PRowImpl (5.2).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "model/operations.h"
#include "sql/catalog/table_def.h"
#include "sql/encoding/row_key.h"

namespace vaquita::sql {

// The values of a row: column indexes, and values in the columns' types (CoerceValue).
using ColumnValues = std::vector<std::pair<int32_t, Value>>;
// A row's values by column; columns that are missing are null.
using RowValues = std::map<int32_t, Value>;
inline Value ValueIn(const RowValues& row, int32_t column) {
  const auto found = row.find(column);
  return found == row.end() ? Value() : found->second;
}

class RowWriter {
 public:
  // `table` outlives the writer.
  explicit RowWriter(const TableDef& table);

  // Returns the key of a row. Adds the defaults of the key columns that are not given. Returns ConstraintViolation if a
  // key column is missing.
  absl::StatusOr<std::string> Key(ColumnValues* values) const;
  // Returns the mutations of a row: the empty cell, the values, and delete markers for nulls. Other columns are left
  // alone, or removed if `replaces`.
  absl::StatusOr<Action> Upsert(const std::string& row, const ColumnValues& values, bool replaces = false) const;
  // Changes a row's values to those that it has after Upsert. One cell of several columns is written whole, and an
  // immutable table writes no markers for nulls.
  void ApplyUpsert(const RowValues& values, RowValues* row) const;
  // Returns the values of a row without cells.
  const RowValues& defaults() const { return defaults_; }
  // Returns the key of the values of the key's columns.
  std::string KeyOf(const std::vector<Value>& key) const;

 private:
  // Adds one cell for each family that has a value: the empty cell's value, and the columns by their numbers.
  absl::Status AddOneCells(const ColumnValues& values, Mutation* put) const;

  const TableDef& table_;
  const std::vector<int32_t> key_;
  const std::vector<KeyColumn> key_columns_;
  const std::string empty_family_;
  RowValues defaults_;
  RowValues key_defaults_;
};

}  // namespace vaquita::sql
