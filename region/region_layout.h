// region/region_layout.h: a region's parts at one time: its table's descriptor and one store per family.
//
// Threads: immutable once built.
// Ownership: shared by the region and the work that goes on in it.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "base/options.h"
#include "engine/store_db.h"
#include "model/region_info.h"
#include "model/table_descriptor.h"

namespace vaquita {

struct RegionLayout {
  RegionInfo info;
  std::shared_ptr<const TableDescriptor> table;
  std::vector<std::string> families;           // ascending
  std::vector<std::shared_ptr<Store>> stores;  // each family's, in the same place
  int64_t flush_bytes = 0;                     // memstores of this size together are flushed
  int64_t blocking_bytes = 0;                  // with memstores of more than this together, writes are refused
  int64_t max_cell_bytes = 0;                  // larger ones are refused; 0: none is

  // Returns the index of `family`, or -1.
  int Find(std::string_view family) const {
    for (size_t i = 0; i < families.size(); ++i) {
      if (families[i] == family) return static_cast<int>(i);
    }
    return -1;
  }
  int64_t MemstoreBytes() const;
  bool IsMeta() const { return info.table == kMetaTableName; }
  // Returns the region's name as messages print it (RegionInfo.getRegionNameAsString).
  std::string NameText() const { return ToStringBinary(info.Name()); }
};

// The largest cell that a region of `table` takes: the table's own hbase.server.keyvalue.maxsize, or the server's.
// hbase:meta has no limit.
int64_t MaxCellBytes(const TableDescriptor& table, const Options& options);

// Returns whether regions of `a` and `b` have the same stores with the same options. Equal descriptors may differ here:
// a family that was removed and added again has a new store.
bool IsSameTable(const TableDescriptor& a, const TableDescriptor& b);

// Return HBase's errors (HRegion.checkFamily, checkRow).
absl::Status NoSuchFamily(const RegionLayout& layout, std::string_view family);
absl::Status RowOutOfRange(const RegionLayout& layout, std::string_view row, std::string_view operation);

}  // namespace vaquita
