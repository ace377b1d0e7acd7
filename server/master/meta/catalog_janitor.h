// server/master/meta/catalog_janitor.h: removes rows that splits and merges leave in hbase:meta, when they are not
// needed any more.
//
// A split parent's row stays until neither daughter has files with rows of the other one; a merged region names its
// parents until then. The parents' stores are dropped long before: their files live on in the daughters by hard links.
// Threads: any.
// Source: CatalogJanitor (2.6); it runs every hbase.catalogjanitor.interval, 5 minutes.
#pragma once

#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "model/region_info.h"

namespace vaquita {

class Catalog;
class MetaTable;
struct ServerMetrics;

class CatalogJanitor {
 public:
  explicit CatalogJanitor(const Catalog* catalog) : catalog_(catalog) {}  // `catalog` outlives it

  void AddSplit(const RegionInfo& parent, const std::vector<RegionInfo>& daughters);
  // Forgets the SplitParentsInside(), which the merge deletes.
  void AddMerge(const RegionInfo& merged, size_t parents);
  // Returns split parents that begin inside `merged`, not at its start. A client looks for a row's region at the last
  // row of hbase:meta that begins at or before it. That would be such a parent's, and clients that do not skip split
  // parents (HBASE-20182; gohbase) would not find `merged`. HBase keeps them until the next sweep.
  std::vector<RegionInfo> SplitParentsInside(const RegionInfo& merged) const;
  void ForgetTable(const TableName& table);
  // Leaves the table's rows as they are: not all of its regions are known, and what seems gone may still refer.
  void LeaveAlone(const TableName& table);

  // Checks all leftovers by the region servers' reports. Returns the number of cleaned rows.
  // REQUIRES: the master has its region server: chores start, and clients are served, only then.
  absl::StatusOr<int> Sweep(const std::vector<ServerMetrics>& reports, MetaTable* meta);

 private:
  struct Leftover {
    RegionInfo row;                    // the split parent, or the merged region
    std::vector<std::string> holders;  // encoded names of the regions that may still refer
    size_t merge_parents = 0;          // for a merged region
  };
  static bool IsSplitParentInside(const Leftover& leftover, const RegionInfo& region);
  // `whole` has the encoded names of the open regions that share no file.
  bool StillReferred(const Leftover& leftover, const std::set<std::string>& whole) const;

  const Catalog* const catalog_;
  mutable std::mutex mutex_;
  std::vector<Leftover> leftovers_;
  std::set<TableName> left_alone_;
};

}  // namespace vaquita
