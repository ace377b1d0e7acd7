#include "sql/catalog/table_def.h"

#include <algorithm>

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

std::string TableDef::QualifierCounter(const std::string& family) const { return one_cell ? family : DefaultFamily(); }

void TableDef::GiveQualifier(ColumnDef* column) {
  if (encoding == QualifierEncoding::kNames) {
    column->qualifier = column->name;
    return;
  }
  const std::string counter = QualifierCounter(column->family);
  int32_t& next = next_number.try_emplace(counter, kFirstQualifierNumber).first->second;
  // A number that is in use would give a column another one's values.
  for (const ColumnDef& other : columns) {
    const auto number = NumberOfQualifier(encoding, other.qualifier);
    if (number.ok() && QualifierCounter(other.family) == counter) next = std::max(next, *number + 1);
  }
  column->qualifier = EncodedQualifier(encoding, next++);
}

std::vector<std::string> TableDef::Families() const {
  std::vector<std::string> families;
  for (const ColumnDef& column : columns)
    if (!column.is_key() && std::ranges::find(families, column.family) == families.end())
      families.push_back(column.family);
  if (families.empty()) families.push_back(EmptyCellFamily());
  return families;
}

}  // namespace vaquita::sql
