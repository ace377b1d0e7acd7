#include "sql/engine/row_reader.h"

#include <algorithm>

#include "base/status.h"
#include "sql/encoding/array_codec.h"
#include "sql/encoding/index_value.h"
#include "sql/encoding/value_codec.h"
#include "sql/front/parser.h"

namespace vaquita::sql {
namespace {

constexpr int32_t kLastBit = 63;

}  // namespace

std::optional<Value> DefaultOf(const ColumnDef& column) {
  if (column.default_text.empty()) return std::nullopt;
  const auto expr = ParseExpression(column.default_text);
  if (!expr.ok() || (*expr)->kind != ExprKind::kLiteral) return std::nullopt;
  auto value = CoerceValue((*expr)->type, column.type, (*expr)->literal, column.name);
  if (!value.ok()) return std::nullopt;
  return *std::move(value);
}

uint64_t ColumnBit(int32_t column) { return uint64_t{1} << std::min(column, kLastBit); }

RowReader::RowReader(const TableDef& table)
    : table_(table), key_(table.KeyIndexes()), key_columns_(table.KeyColumns()), places_(table.columns.size()) {
  for (const ColumnDef& column : table.columns) defaults_.push_back(DefaultOf(column));
}

Scan RowReader::ScanOf(uint64_t columns_used) const {
  Scan scan;
  if (table_.view == ViewType::kMapped) {
    // Its rows have no empty cell: all that have a cell of its families are seen.
    for (const std::string& family : table_.Families()) scan.columns[family] = {};
    return scan;
  }
  scan.columns[table_.EmptyCellFamily()].push_back(table_.EmptyCellQualifier());
  for (size_t i = 0; i < table_.columns.size(); ++i) {
    const ColumnDef& column = table_.columns[i];
    if (column.is_key() || (columns_used & ColumnBit(static_cast<int32_t>(i))) == 0) continue;
    const std::string_view qualifier = table_.CellQualifier(column);
    std::vector<std::string>& qualifiers = scan.columns[column.family];
    if (std::ranges::find(qualifiers, qualifier) == qualifiers.end()) qualifiers.emplace_back(qualifier);
  }
  return scan;
}

void RowReader::Start(const client::Result* row) {
  row_ = row;
  key_parts_.clear();
}

// An index's row is written as a whole: what is older than its empty cell is not of the row any more.
bool RowReader::IsOfOldRow(const ColumnDef& column) const {
  if (!table_.is_index()) return false;
  const std::string empty_family = table_.EmptyCellFamily();
  const std::string empty_qualifier = table_.EmptyCellQualifier();
  const std::string_view qualifier = table_.CellQualifier(column);
  int64_t written_ms = 0;
  int64_t cell_ms = 0;
  for (const Cell& cell : row_->cells) {
    if (cell.family == empty_family && cell.qualifier == empty_qualifier) written_ms = cell.timestamp_ms;
    if (cell.family == column.family && cell.qualifier == qualifier) cell_ms = cell.timestamp_ms;
  }
  return cell_ms < written_ms;
}

const std::string* RowReader::CellOf(int number) const {
  const ColumnDef& column = table_.columns[static_cast<size_t>(number)];
  const std::string_view qualifier = table_.CellQualifier(column);
  const auto is_its_cell = [&](const Cell& cell) {
    return cell.qualifier == qualifier && cell.family == column.family;
  };
  const std::vector<Cell>& cells = row_->cells;
  size_t& place = places_[static_cast<size_t>(number)];
  if (place >= cells.size() || !is_its_cell(cells[place])) {
    place = static_cast<size_t>(std::ranges::find_if(cells, is_its_cell) - cells.begin());
  }
  return place < cells.size() ? &cells[place].value : nullptr;
}

std::optional<std::string_view> RowReader::Text(int number) const {
  const ColumnDef& column = table_.columns[static_cast<size_t>(number)];
  if (column.type.id != TypeId::kVarchar || column.type.array || column.is_key()) return std::nullopt;
  if (table_.one_cell || table_.is_index()) return std::nullopt;
  const std::string* cell = CellOf(number);
  return cell == nullptr || cell->empty() ? std::nullopt : std::optional<std::string_view>(*cell);
}

absl::StatusOr<Value> RowReader::Column(int number) {
  const ColumnDef& column = table_.columns[static_cast<size_t>(number)];
  if (column.is_key()) {
    if (key_parts_.size() < key_columns_.size()) {
      VAQUITA_RETURN_IF_ERROR(SplitRowKey(key_columns_, row_->cells.front().row, table_.salt_buckets > 0, &key_parts_));
    }
    const auto place = static_cast<size_t>(std::ranges::find(key_, number) - key_.begin());
    VAQUITA_ASSIGN_OR_RETURN(const Value value, DecodeKeyPart(key_columns_[place], key_parts_[place]));
    return column.type_in_key.has_value() ? FromIndexValue(column.type, *column.type_in_key, value) : value;
  }
  const std::string* cell = CellOf(number);
  const std::optional<Value>& otherwise = defaults_[static_cast<size_t>(number)];
  if (cell == nullptr || IsOfOldRow(column)) return otherwise.value_or(Value());
  if (!table_.one_cell) return DecodeValue(column.type, *cell);
  VAQUITA_ASSIGN_OR_RETURN(const int32_t place, NumberOfQualifier(table_.encoding, column.qualifier));
  VAQUITA_ASSIGN_OR_RETURN(const std::optional<std::string_view> element,
                           ElementOfOneCellRow(*cell, static_cast<size_t>(place - kFirstQualifierNumber + 1)));
  return element.has_value() ? DecodeValue(column.type, *element) : otherwise.value_or(Value());
}

}  // namespace vaquita::sql
