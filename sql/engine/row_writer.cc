#include "sql/engine/row_writer.h"

#include <algorithm>
#include <optional>
#include <set>

#include "base/status.h"
#include "sql/encoding/array_codec.h"
#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"
#include "sql/encoding/value_codec.h"
#include "sql/engine/row_reader.h"

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
      empty_family_(table.EmptyCellFamily()) {
  for (size_t i = 0; i < table.columns.size(); ++i) {
    RowValues& defaults = table.columns[i].is_key() ? key_defaults_ : defaults_;
    if (auto value = DefaultOf(table.columns[i])) defaults.emplace(static_cast<int32_t>(i), *std::move(value));
  }
}

absl::StatusOr<std::string> RowWriter::Key(ColumnValues* values) const {
  const auto given = [values](int32_t index) {
    return std::ranges::find(*values, index, [](const auto& value) { return value.first; });
  };
  for (const auto& [index, value] : key_defaults_)
    if (given(index) == values->end()) values->emplace_back(index, value);
  std::vector<Value> key;
  bool all_null = true;
  const ColumnDef* without_bytes = nullptr;  // a null that leaves no trace if a value follows
  for (const int32_t index : key_) {
    const auto found = given(index);
    key.push_back(found == values->end() ? Value() : found->second);
    const ColumnDef& column = table_.columns[static_cast<size_t>(index)];
    const bool is_null = key.back().is_null();
    const auto not_null = [this](const ColumnDef& which) {
      return SqlError(ErrorCode::kConstraintViolation,
                      Concat(table_.ident.ToString(), ".", which.name, " may not be null"));
    };
    if (is_null && !column.nullable) return not_null(column);
    // Older tables may have such columns; another row could have the same key.
    if (!is_null && without_bytes != nullptr) return not_null(*without_bytes);
    if (is_null && column.type.FixedWidth() > 0) without_bytes = &column;
    all_null = all_null && is_null;
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
    // A null is a value without bytes where an absent one is something else: an older one, or the default.
    if (!value.is_null() || table_.is_index() || !column.default_text.empty()) {
      columns[place] = EncodeValue(column.type, value);
    }
  }
  for (const auto& [family, columns] : families)
    put->cells.push_back(CellOf(family, kOneCellQualifier, EncodeOneCellRow(columns)));
  return absl::OkStatus();
}

absl::StatusOr<Action> RowWriter::Upsert(const std::string& row, const ColumnValues& values, bool replaces) const {
  Mutation put;
  put.row = row;
  put.cells.reserve(values.size() + 1);
  put.cells.push_back(CellOf(empty_family_, table_.EmptyCellQualifier(), kEmptyCellValue));
  if (table_.skip_log) put.durability = Durability::kSkipWal;
  if (table_.one_cell) VAQUITA_RETURN_IF_ERROR(AddOneCells(values, &put));
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
    if (column.is_key() || table_.one_cell) continue;
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
    if (column.is_key()) continue;
    const std::string_view qualifier = table_.CellQualifier(column);
    const auto is_its_cell = [&](const Cell& cell) {
      return cell.qualifier == qualifier && cell.family == column.family;
    };
    if (std::ranges::none_of(put.cells, is_its_cell) && std::ranges::none_of(nulls.cells, is_its_cell)) {
      remove(CellOf(column.family, std::string(qualifier), ""));
    }
  }
  if (nulls.cells.empty()) return Action(std::move(put));
  RowMutations both;
  both.row = put.row;
  both.mutations = {std::move(put), std::move(nulls)};
  return Action(std::move(both));
}

void RowWriter::ApplyUpsert(const RowValues& values, RowValues* row) const {
  std::set<std::string_view> rewritten;
  for (const auto& [index, value] : values) {
    const ColumnDef& column = table_.columns[static_cast<size_t>(index)];
    if (table_.one_cell && !column.is_key()) rewritten.insert(column.family);
    const bool is_written = !value.is_null() || table_.one_cell || !table_.immutable || !column.default_text.empty();
    if (is_written) row->insert_or_assign(index, value);
  }
  if (rewritten.empty()) return;
  for (int32_t i = 0; i < static_cast<int32_t>(table_.columns.size()); ++i) {
    const ColumnDef& column = table_.columns[static_cast<size_t>(i)];
    if (column.is_key() || !rewritten.contains(column.family) || values.contains(i)) continue;
    row->erase(i);
    if (const auto otherwise = defaults_.find(i); otherwise != defaults_.end()) row->insert(*otherwise);
  }
}

std::string RowWriter::KeyOf(const std::vector<Value>& key) const {
  return EncodeRowKey(key_columns_, key, table_.salt_buckets);
}

}  // namespace vaquita::sql
