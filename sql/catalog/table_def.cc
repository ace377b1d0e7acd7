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
    key.push_back({column.type, column.descending});
  }
  return key;
}

std::string TableDef::EmptyCellFamily() const {
  // A table that has the default family among its columns' keeps the cell there, another in its first family.
  const std::string by_default = default_family.empty() ? kDefaultFamily : default_family;
  std::string first;
  for (const ColumnDef& column : columns) {
    if (column.family == by_default) return by_default;
    if (first.empty()) first = column.family;
  }
  return first.empty() ? by_default : first;
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
