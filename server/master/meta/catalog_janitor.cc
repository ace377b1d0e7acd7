#include "server/master/meta/catalog_janitor.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "base/status.h"
#include "model/cluster_status.h"
#include "server/master/meta/catalog.h"
#include "server/master/meta/meta_table.h"

namespace vaquita {

void CatalogJanitor::AddSplit(const RegionInfo& parent, const std::vector<RegionInfo>& daughters) {
  Leftover leftover{.row = parent};
  for (const RegionInfo& daughter : daughters) leftover.holders.push_back(daughter.EncodedName());
  std::lock_guard lock(mutex_);
  leftovers_.push_back(std::move(leftover));
}

void CatalogJanitor::AddMerge(const RegionInfo& merged, size_t parents) {
  std::lock_guard lock(mutex_);
  std::erase_if(leftovers_, [&](const Leftover& leftover) { return IsSplitParentInside(leftover, merged); });
  leftovers_.push_back({.row = merged, .holders = {merged.EncodedName()}, .merge_parents = parents});
}

std::vector<RegionInfo> CatalogJanitor::SplitParentsInside(const RegionInfo& merged) const {
  std::vector<RegionInfo> inside;
  std::lock_guard lock(mutex_);
  for (const Leftover& leftover : leftovers_) {
    if (IsSplitParentInside(leftover, merged)) inside.push_back(leftover.row);
  }
  return inside;
}

void CatalogJanitor::ForgetTable(const TableName& table) {
  std::lock_guard lock(mutex_);
  std::erase_if(leftovers_, [&](const Leftover& leftover) { return leftover.row.table == table; });
  left_alone_.erase(table);
}

void CatalogJanitor::LeaveAlone(const TableName& table) {
  std::lock_guard lock(mutex_);
  left_alone_.insert(table);
}

bool CatalogJanitor::IsSplitParentInside(const Leftover& leftover, const RegionInfo& region) {
  const RegionInfo& row = leftover.row;
  return leftover.merge_parents == 0 && row.table == region.table && row.start_key != region.start_key &&
         region.ContainsRow(row.start_key);
}

bool CatalogJanitor::StillReferred(const Leftover& leftover, const std::set<std::string>& whole) const {
  if (left_alone_.contains(leftover.row.table)) return true;
  return std::any_of(leftover.holders.begin(), leftover.holders.end(), [&](const std::string& holder) {
    if (!catalog_->FindRegion(holder).ok()) return false;  // split, merged or deleted since: it had no references then
    return !whole.contains(holder);                        // a closed one is asked again when it is open
  });
}

absl::StatusOr<int> CatalogJanitor::Sweep(const std::vector<ServerMetrics>& reports, MetaTable* meta) {
  std::lock_guard lock(mutex_);
  if (leftovers_.empty()) return 0;
  std::set<std::string> whole;  // open regions without references
  for (const ServerMetrics& server : reports) {
    for (const RegionMetrics& region : server.regions) {
      if (!region.has_references) whole.insert(region.info.EncodedName());
    }
  }
  MetaEdit edit;
  const auto first_clean = std::stable_partition(
      leftovers_.begin(), leftovers_.end(), [&](const Leftover& leftover) { return StillReferred(leftover, whole); });
  const int cleaned = static_cast<int>(leftovers_.end() - first_clean);
  for (auto it = first_clean; it != leftovers_.end(); ++it) {
    if (it->merge_parents == 0) {
      edit.DeleteRegion(it->row);
    } else {
      edit.DeleteMergeParents(it->row, it->merge_parents);
    }
  }
  if (cleaned == 0) return 0;
  VAQUITA_RETURN_IF_ERROR(meta->Apply(std::move(edit)));
  leftovers_.erase(first_clean, leftovers_.end());
  return cleaned;
}

}  // namespace vaquita
