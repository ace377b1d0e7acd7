// sql/aggregate/row_columns.h: reads the columns of a plan from a row's cells.
//
// A row is read only as far as its columns are asked for. Threads: one at a time.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "model/cell_block.h"
#include "model/operations.h"
#include "phoenix/aggregate.pb.h"
#include "sql/aggregate/form.h"
#include "sql/encoding/decimal.h"
#include "sql/encoding/row_key.h"

namespace vaquita::sql {

class RowColumns {
 public:
  // Returns IllegalArgument if the plan names a type, or a place in the key, that is not there.
  absl::Status Init(const phoenix::AggregatePlan& plan);

  // Takes the next row: cells of `cells`, which must live until the next call. Returns an error for a row of an index
  // whose writer has not finished it: only its table says what it is.
  absl::Status Start(const CellBlock& cells, const ResultRange& row);
  // Returns the bytes of the column, as they are stored; nullopt for null. Other bytes may be an equal value.
  absl::StatusOr<std::optional<std::string_view>> Bytes(size_t column);
  // Returns the column's form, which is valid until the next row. Returns IllegalData if the bytes are not a value.
  absl::StatusOr<FormView> FormOf(size_t column);
  // Returns a number; nullopt for null.
  absl::StatusOr<std::optional<Decimal>> NumberOf(size_t column);

 private:
  struct Column {
    SqlType type;
    std::optional<SqlType> type_in_key;
    std::optional<size_t> position;  // in the key
    std::string family;
    std::string qualifier;
    std::optional<size_t> element;
    std::string otherwise;
    // The present row's:
    bool has_cell = false;
    std::string_view cell;
    bool has_form = false;
    FormView form;
    std::string held;  // the form's bytes if they are not the cell's
  };

  absl::StatusOr<Value> ValueOf(Column* column);
  absl::Status SplitKey();
  absl::StatusOr<FormView> MakeForm(Column* column);

  std::vector<KeyColumn> key_;
  bool salted_ = false;
  bool index_ = false;
  bool verified_ = false;
  std::string empty_family_;
  std::string empty_qualifier_;
  std::vector<Column> columns_;
  std::string_view row_key_;
  bool has_parts_ = false;
  std::vector<std::string_view> parts_;
};

}  // namespace vaquita::sql
