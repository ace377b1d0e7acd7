// server/master/meta/region_changes.h: writes each change of regions to hbase:meta in one edit, and then to the catalog
// and the janitor's list.
//
// Source: RegionStateStore, MetaTableAccessor.splitRegion and mergeRegions (2.6).
#pragma once

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "server/master/meta/assigned_region.h"

namespace vaquita {

class Catalog;
class CatalogJanitor;
class MetaEdit;
class MetaTable;

// The records of regions. All outlive the objects that use them.
struct RegionRecords {
  MetaTable* meta;
  Catalog* catalog;
  CatalogJanitor* janitor;
};

// A split or a merge: `new_regions`, open at `server_name`, take the place of `parents`.
struct RegionReplacement {
  bool split = false;
  std::vector<RegionInfo> parents;
  std::vector<RegionInfo> new_regions;
  std::string server_name;
};

// Adds the change's cells of hbase:meta to `edit`.
void PutReplacement(const RegionRecords& records, const RegionReplacement& replacement, MetaEdit* edit);
// Changes the catalog. Call it once the change is in hbase:meta.
void ReplaceInCatalog(const RegionRecords& records, const RegionReplacement& replacement);
}  // namespace vaquita
