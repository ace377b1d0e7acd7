#include "region/region_layout.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "base/absl_text.h"
#include "base/status.h"

namespace vaquita {
namespace {

// The descriptor as TableDescriptor.toString prints it.
std::string TableText(const TableDescriptor& table) {
  std::string text = absl::StrCat("'", table.name.ToString(), "'", AttributesText(table));
  for (const auto& [name, family] : table.families) {
    absl::StrAppend(&text, ", ", family.Describe());
  }
  return text;
}

}  // namespace

int64_t RegionLayout::MemstoreBytes() const {
  int64_t bytes = 0;
  for (const auto& store : stores) bytes += store->MemstoreBytes();
  return bytes;
}

int64_t MaxCellBytes(const TableDescriptor& table, const Options& options) {
  if (table.name == kMetaTableName) return 0;  // the master's own edits must not fail by a setting
  return table.Number("hbase.server.keyvalue.maxsize", options.max_cell_bytes);
}

bool IsSameTable(const TableDescriptor& a, const TableDescriptor& b) {
  const auto same_store = [](const auto& x, const auto& y) { return x.second.StoreName() == y.second.StoreName(); };
  return a == b && std::equal(a.families.begin(), a.families.end(), b.families.begin(), same_store);
}

absl::Status NoSuchFamily(const RegionLayout& layout, std::string_view family) {
  return Error(ErrorKind::kNoSuchColumnFamily,
               absl::StrCat("Column family ", AbslText(family), " does not exist in region ", layout.NameText(),
                            " in table ", TableText(*layout.table)));
}

absl::Status RowOutOfRange(const RegionLayout& layout, std::string_view row, std::string_view operation) {
  return Error(ErrorKind::kWrongRegion,
               absl::StrCat("Requested row out of range for ", AbslText(operation), " on HRegion ", layout.NameText(),
                            ", startKey='", ToStringBinary(layout.info.start_key), "', getEndKey()='",
                            ToStringBinary(layout.info.end_key), "', row='", ToShortStringBinary(row), "'"));
}

}  // namespace vaquita
