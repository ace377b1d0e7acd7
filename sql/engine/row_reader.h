// sql/engine/row_reader.h: the columns of a row of HBase's.
//
// Threads: one at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "client/table.h"
#include "model/operations.h"
#include "sql/catalog/table_def.h"

namespace vaquita::sql {

class RowReader {
 public:
  // `table` outlives the reader.
  explicit RowReader(const TableDef& table);

  // Returns a scan of the columns whose bits are set, and of the cell that every row has. The last bit stands for all
  // columns behind it, too.
  Scan ScanOf(uint64_t columns_used) const;
  // Takes the next row, which must live until the one after it.
  void Start(const client::Result* row);
  // Returns the row's value; a column's default if the row has none. IllegalData if its bytes are no value.
  absl::StatusOr<Value> Column(int number);

 private:
  const TableDef& table_;
  std::vector<int32_t> key_;
  std::vector<KeyColumn> key_columns_;
  std::vector<std::optional<Value>> defaults_;
  const client::Result* row_ = nullptr;
  std::optional<std::vector<Value>> key_values_;  // once they are asked for
};

}  // namespace vaquita::sql
