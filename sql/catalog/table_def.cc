#include "sql/catalog/table_def.h"

#include <algorithm>
#include <string_view>
#include <unordered_set>

#include "base/status.h"
#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"

namespace vaquita::sql {

std::vector<int32_t> TableDef::KeyIndexes() const {
  std::vector<int32_t> key;
  for (int32_t i = 0; i < static_cast<int32_t>(columns.size()); ++i)
    if (columns[static_cast<size_t>(i)].is_key()) key.push_back(i);
  std::ranges::sort(key, {}, [&](int32_t i) { return columns[static_cast<size_t>(i)].key_position; });
  return key;
}

std::vector<KeyColumn> TableDef::KeyColumns() const {
  std::vector<KeyColumn> key;
  for (const int32_t i : KeyIndexes()) {
    const ColumnDef& column = columns[static_cast<size_t>(i)];
    key.push_back({column.type_in_key.value_or(column.type), column.descending});
  }
  return key;
}

std::string TableDef::EmptyCellFamily() const {
  if (!empty_family.empty()) return empty_family;
  for (const ColumnDef& column : columns)
    if (!column.is_key()) return column.family;
  return DefaultFamily();
}

int32_t TableDef::FindColumn(const ColumnName& name) const {
  int32_t found = -1;
  for (int32_t i = 0; i < static_cast<int32_t>(columns.size()); ++i) {
    const ColumnDef& column = columns[static_cast<size_t>(i)];
    if (column.name != name.name || (!name.family.empty() && column.family != name.family)) continue;
    if (column.is_key() || column.family == DefaultFamily()) return i;
    if (found < 0) found = i;
  }
  return found;
}

int32_t TableDef::FindTarget(const ColumnName& name) const {
  const int32_t found = FindColumn(name);
  return found < 0 && name.family == ident.name ? FindColumn({"", name.name}) : found;
}

std::string TableDef::QualifierCounter(const std::string& family) const { return one_cell ? family : DefaultFamily(); }

absl::Status TableDef::GiveQualifier(ColumnDef* column) {
  if (encoding == QualifierEncoding::kNames) {
    column->qualifier = column->name;
    return absl::OkStatus();
  }
  int32_t& next = next_number.try_emplace(QualifierCounter(column->family), kFirstQualifierNumber).first->second;
  VAQUITA_ASSIGN_OR_RETURN(column->qualifier, EncodedQualifier(encoding, next));
  ++next;
  return absl::OkStatus();
}

void TableDef::SkipUsedNumbers() {
  if (encoding == QualifierEncoding::kNames) return;
  for (const ColumnDef& column : columns) {
    if (column.is_key()) continue;
    const auto number = NumberOfQualifier(encoding, column.qualifier);
    if (!number.ok()) continue;
    int32_t& next = next_number.try_emplace(QualifierCounter(column.family), kFirstQualifierNumber).first->second;
    next = std::max(next, *number + 1);
  }
}

absl::Status TableDef::CheckColumns() const {
  if (columns.size() <= kMostColumns) return absl::OkStatus();
  return NotSupported(Concat("The table ", ident.ToString(), " with more than ", kMostColumns, " columns"));
}

int64_t TableDef::memory_bytes() const {
  auto bytes = static_cast<int64_t>(sizeof(TableDef) + columns.size() * sizeof(ColumnDef));
  for (const auto& index : indexes) bytes += index->memory_bytes();
  return bytes;
}

std::vector<std::string> TableDef::Families() const {
  std::vector<std::string> families;
  std::unordered_set<std::string_view> seen;
  for (const ColumnDef& column : columns)
    if (!column.is_key() && seen.insert(column.family).second) families.push_back(column.family);
  if (families.empty()) families.push_back(EmptyCellFamily());
  return families;
}

}  // namespace vaquita::sql
