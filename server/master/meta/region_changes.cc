#include "server/master/meta/region_changes.h"

#include <string>

#include "base/status.h"
#include "server/master/meta/catalog.h"
#include "server/master/meta/catalog_janitor.h"
#include "server/master/meta/meta_table.h"

namespace vaquita {
namespace {

std::vector<AssignedRegion> OpenAt(std::string_view server_name, const std::vector<RegionInfo>& infos) {
  const std::string name(server_name);
  std::vector<AssignedRegion> regions;
  for (const RegionInfo& info : infos) regions.push_back({info, RegionState::kOpen, name, name});
  return regions;
}

}  // namespace

void PutReplacement(const RegionRecords& records, const RegionReplacement& replacement, MetaEdit* edit) {
  const auto& [split, parents, new_regions, server_name] = replacement;
  if (split) {
    edit->PutSplitParent(parents[0], new_regions[0], new_regions[1]);
  } else {
    for (const RegionInfo& parent : parents) edit->DeleteRegion(parent);
    for (const RegionInfo& hiding : records.janitor->SplitParentsInside(new_regions[0])) edit->DeleteRegion(hiding);
  }
  for (const RegionInfo& info : new_regions) edit->PutRegion(info, RegionState::kOpen, server_name);
  if (!split) edit->PutMergeParents(new_regions[0], parents);
}

void ReplaceInCatalog(const RegionRecords& records, const RegionReplacement& replacement) {
  const auto& [split, parents, new_regions, server_name] = replacement;
  records.catalog->ReplaceRegions(parents[0].table, parents, OpenAt(server_name, new_regions));
  if (split) {
    records.janitor->AddSplit(parents[0], new_regions);
  } else {
    records.janitor->AddMerge(new_regions[0], parents.size());
  }
}

}  // namespace vaquita
