#include "sql/engine/row_writer.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "base/status.h"
#include "sql/encoding/array_codec.h"
#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"
#include "sql/encoding/value_codec.h"

namespace vaquita::sql {
namespace {

absl::StatusOr<std::string> RowKeyOf(const TableDef& table, const std::vector<std::pair<int32_t, Value>>& values) {
  std::vector<Value> key;
  bool all_null = true;
  for (const int32_t index : table.KeyIndexes()) {
    const auto found = std::ranges::find(values, index, [](const auto& value) { return value.first; });
    key.push_back(found == values.end() ? Value() : found->second);
    const ColumnDef& column = table.columns[static_cast<size_t>(index)];
    if (key.back().is_null() && !column.nullable) {
      return SqlError(ErrorCode::kConstraintViolation,
                      Concat(table.ident.ToString(), ".", column.name, " may not be null"));
    }
    all_null = all_null && key.back().is_null();
  }
  if (all_null) {
    return SqlError(ErrorCode::kConstraintViolation,
                    Concat("Primary key may not be null (", table.ident.ToString(), ")"));
  }
  std::string row = EncodeRowKey(table.KeyColumns(), key, table.salt_buckets);
  if (row.size() > kMaxRowLength) {
    return SqlError(ErrorCode::kDataExceedsMaxCapacity,
                    Concat("The row key has ", row.size(), " bytes; at most ", kMaxRowLength, " are possible"));
  }
  return row;
}

Cell CellOf(std::string family, std::string qualifier, std::string value) {
  Cell cell;
  cell.family = std::move(family);
  cell.qualifier = std::move(qualifier);
  cell.value = std::move(value);
  return cell;
}

// Adds one cell for each family that has a value: the empty cell's value, and the columns by their numbers.
absl::Status AddOneCells(const TableDef& table, const std::vector<std::pair<int32_t, Value>>& values, Mutation* put) {
  std::map<std::string, std::vector<std::optional<std::string>>> families;
  for (const auto& [index, value] : values) {
    const ColumnDef& column = table.columns[static_cast<size_t>(index)];
    if (column.is_key()) continue;
    VAQUITA_ASSIGN_OR_RETURN(const int32_t number, NumberOfQualifier(table.encoding, column.qualifier));
    const auto place = static_cast<size_t>(number) - kFirstQualifierNumber + 1;
    std::vector<std::optional<std::string>>& columns = families[column.family];
    if (columns.size() <= place) columns.resize(place + 1);
    columns[0] = kEmptyCellValue;
    // An index has a null as a value without bytes.
    if (!value.is_null() || table.is_index()) columns[place] = EncodeValue(column.type, value);
  }
  for (const auto& [family, columns] : families)
    put->cells.push_back(CellOf(family, kOneCellQualifier, EncodeOneCellRow(columns)));
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Action> UpsertAction(const TableDef& table, const std::vector<std::pair<int32_t, Value>>& values,
                                    bool replaces) {
  Mutation put;
  VAQUITA_ASSIGN_OR_RETURN(put.row, RowKeyOf(table, values));
  put.cells.push_back(CellOf(table.EmptyCellFamily(), table.EmptyCellQualifier(), kEmptyCellValue));
  if (table.skip_log) put.durability = Durability::kSkipWal;
  if (table.one_cell) {
    VAQUITA_RETURN_IF_ERROR(AddOneCells(table, values, &put));
    return Action(std::move(put));
  }
  Mutation nulls;
  nulls.type = MutationType::kDelete;
  nulls.row = put.row;
  nulls.durability = put.durability;
  const auto remove = [&nulls](Cell cell) {
    cell.type = CellType::kDeleteColumn;
    nulls.cells.push_back(std::move(cell));
  };
  std::set<int32_t> given;
  for (const auto& [index, value] : values) {
    given.insert(index);
    const ColumnDef& column = table.columns[static_cast<size_t>(index)];
    if (column.is_key()) continue;
    Cell cell = CellOf(column.family, column.qualifier, EncodeValue(column.type, value));
    // A null beside a default has a cell without bytes: no cell stands for the default.
    const bool keeps_null = (table.store_nulls && !table.immutable) || !column.default_text.empty();
    if (!value.is_null() || keeps_null) {
      put.cells.push_back(std::move(cell));
    } else if (!table.immutable) {
      remove(std::move(cell));
    }
  }
  for (size_t i = 0; replaces && i < table.columns.size(); ++i) {
    const ColumnDef& column = table.columns[i];
    if (!column.is_key() && !given.contains(static_cast<int32_t>(i))) {
      remove(CellOf(column.family, column.qualifier, ""));
    }
  }
  if (nulls.cells.empty()) return Action(std::move(put));
  RowMutations both;
  both.row = put.row;
  both.mutations = {std::move(put), std::move(nulls)};
  return Action(std::move(both));
}

Action DeleteAction(const TableDef& table, const std::vector<Value>& key) {
  Mutation remove;
  remove.type = MutationType::kDelete;
  remove.row = EncodeRowKey(table.KeyColumns(), key, table.salt_buckets);
  if (table.skip_log) remove.durability = Durability::kSkipWal;
  return remove;
}

}  // namespace vaquita::sql
