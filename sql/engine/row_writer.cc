#include "sql/engine/row_writer.h"

#include <algorithm>
#include <map>
#include <optional>

#include "base/status.h"
#include "sql/encoding/array_codec.h"
#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"
#include "sql/encoding/value_codec.h"

namespace vaquita::sql {
namespace {

constexpr size_t kMostPlaces = (10 << 20) / 4;  // in HBase's largest cell, with four bytes for each

Cell CellOf(std::string family, std::string qualifier, std::string value) {
  Cell cell;
  cell.family = std::move(family);
  cell.qualifier = std::move(qualifier);
  cell.value = std::move(value);
  return cell;
}

}  // namespace

RowWriter::RowWriter(const TableDef& table)
    : table_(table),
      key_(table.KeyIndexes()),
      key_columns_(table.KeyColumns()),
      empty_family_(table.EmptyCellFamily()) {}

absl::StatusOr<std::string> RowWriter::Key(const ColumnValues& values) const {
  std::vector<Value> key;
  bool all_null = true;
  for (const int32_t index : key_) {
    const auto found = std::ranges::find(values, index, [](const auto& value) { return value.first; });
    key.push_back(found == values.end() ? Value() : found->second);
    const ColumnDef& column = table_.columns[static_cast<size_t>(index)];
    if (key.back().is_null() && !column.nullable) {
      return SqlError(ErrorCode::kConstraintViolation,
                      Concat(table_.ident.ToString(), ".", column.name, " may not be null"));
    }
    all_null = all_null && key.back().is_null();
  }
  if (all_null) {
    return SqlError(ErrorCode::kConstraintViolation,
                    Concat("Primary key may not be null (", table_.ident.ToString(), ")"));
  }
  std::string row = KeyOf(key);
  if (row.size() > kMaxRowLength) {
    return SqlError(ErrorCode::kDataExceedsMaxCapacity,
                    Concat("The row key has ", row.size(), " bytes; at most ", kMaxRowLength, " are possible"));
  }
  return row;
}

absl::Status RowWriter::AddOneCells(const ColumnValues& values, Mutation* put) const {
  std::map<std::string, std::vector<std::optional<std::string>>> families;
  for (const auto& [index, value] : values) {
    const ColumnDef& column = table_.columns[static_cast<size_t>(index)];
    if (column.is_key()) continue;
    VAQUITA_ASSIGN_OR_RETURN(const int32_t number, NumberOfQualifier(table_.encoding, column.qualifier));
    const auto place = static_cast<size_t>(number - kFirstQualifierNumber) + 1;
    if (place > kMostPlaces) {
      return NotSupported(Concat("A value of column ", column.name, " of ", table_.ident.ToString(),
                                 ", which has the number ", number,
                                 ": the offsets of so many columns do not fit into a cell"));
    }
    std::vector<std::optional<std::string>>& columns = families[column.family];
    if (columns.size() <= place) columns.resize(place + 1);
    columns[0] = kEmptyCellValue;
    // An index has a null as a value without bytes.
    if (!value.is_null() || table_.is_index()) columns[place] = EncodeValue(column.type, value);
  }
  for (const auto& [family, columns] : families)
    put->cells.push_back(CellOf(family, kOneCellQualifier, EncodeOneCellRow(columns)));
  return absl::OkStatus();
}

absl::StatusOr<Action> RowWriter::Upsert(const ColumnValues& values, bool replaces) const {
  Mutation put;
  VAQUITA_ASSIGN_OR_RETURN(put.row, Key(values));
  put.cells.reserve(values.size() + 1);
  put.cells.push_back(CellOf(empty_family_, table_.EmptyCellQualifier(), kEmptyCellValue));
  if (table_.skip_log) put.durability = Durability::kSkipWal;
  if (table_.one_cell) {
    VAQUITA_RETURN_IF_ERROR(AddOneCells(values, &put));
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
  for (const auto& [index, value] : values) {
    const ColumnDef& column = table_.columns[static_cast<size_t>(index)];
    if (column.is_key()) continue;
    Cell cell = CellOf(column.family, column.qualifier, EncodeValue(column.type, value));
    // A null beside a default has a cell without bytes: no cell stands for the default.
    const bool keeps_null = (table_.store_nulls && !table_.immutable) || !column.default_text.empty();
    if (!value.is_null() || keeps_null) {
      put.cells.push_back(std::move(cell));
    } else if (!table_.immutable) {
      remove(std::move(cell));
    }
  }
  for (size_t i = 0; replaces && i < table_.columns.size(); ++i) {
    const ColumnDef& column = table_.columns[i];
    const bool given =
        std::ranges::any_of(values, [&](const auto& value) { return value.first == static_cast<int32_t>(i); });
    if (!column.is_key() && !given) {
      remove(CellOf(column.family, column.qualifier, ""));
    }
  }
  if (nulls.cells.empty()) return Action(std::move(put));
  RowMutations both;
  both.row = put.row;
  both.mutations = {std::move(put), std::move(nulls)};
  return Action(std::move(both));
}

std::string RowWriter::KeyOf(const std::vector<Value>& key) const {
  return EncodeRowKey(key_columns_, key, table_.salt_buckets);
}

}  // namespace vaquita::sql
