// sql/engine/row_reader.h: reads the columns of an HBase row.
//
// Threads: one at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "client/table.h"
#include "model/operations.h"
#include "sql/catalog/table_def.h"

namespace vaquita::sql {

// Returns the value of rows that have none, which is a literal (sql/engine/table_maker.h sees to that); nullopt for
// null.
std::optional<Value> DefaultOf(const ColumnDef& column);

// Returns the column's bit in a set of columns; the last bit also stands for all columns behind it.
uint64_t ColumnBit(int32_t column);

class RowReader {
 public:
  // `table` outlives the reader.
  explicit RowReader(const TableDef& table);

  // Returns a scan of the columns whose bits (ColumnBit) are set, and of the empty cell, which every row has.
  Scan ScanOf(uint64_t columns_used) const;
  // Takes the next row, which must live until the next call.
  void Start(const client::Result* row);
  // Returns the row's value; the column's default if the row has none. Returns IllegalData if its bytes are not a
  // value.
  absl::StatusOr<Value> Column(int number);
  // Returns a VARCHAR's value, where it is the bytes of a cell, without a copy: valid until the next row. Nullopt: only
  // Column knows it.
  std::optional<std::string_view> Text(int number) const;

 private:
  bool IsOfOldRow(const ColumnDef& column) const;
  // Returns the value of the column's cell, or null.
  const std::string* CellOf(int number) const;

  const TableDef& table_;
  std::vector<int32_t> key_;
  std::vector<KeyColumn> key_columns_;
  std::vector<std::optional<Value>> defaults_;
  const client::Result* row_ = nullptr;
  // Where a column's cell was in an earlier row. Most rows have the same columns, so it is there again.
  mutable std::vector<size_t> places_;
  std::vector<std::string_view> key_parts_;  // set when a key column is first asked for
};

}  // namespace vaquita::sql
