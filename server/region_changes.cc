#include "server/region_changes.h"

#include <string>
#include <utility>

#include "engine/status.h"
#include "server/master_parts.h"
#include "server/table_regions.h"

namespace vaquita {
namespace {

std::vector<AssignedRegion> OpenAt(std::string_view server_name, const std::vector<RegionInfo>& infos) {
  const std::string name(server_name);
  std::vector<AssignedRegion> regions;
  for (const RegionInfo& info : infos) regions.push_back({info, RegionState::kOpen, name, name});
  return regions;
}

}  // namespace

absl::Status CommitStates(MasterParts& master, const std::vector<AssignedRegion>& regions) {
  if (regions.empty()) return absl::OkStatus();
  MetaEdit edit;
  for (const AssignedRegion& region : regions) edit.PutRegion(region.info, region.state, region.server_name);
  VAQUITA_RETURN_IF_ERROR(master.meta->Apply(std::move(edit)));
  master.catalog.ReplaceRegions(regions[0].info.table, InfosOf(regions), regions);
  return absl::OkStatus();
}

void PutReplacement(const MasterParts& master, const RegionReplacement& replacement, MetaEdit* edit) {
  const auto& [split, parents, new_regions, server_name] = replacement;
  if (split) {
    edit->PutSplitParent(parents[0], new_regions[0], new_regions[1]);
  } else {
    for (const RegionInfo& parent : parents) edit->DeleteRegion(parent);
    for (const RegionInfo& hiding : master.janitor.SplitParentsInside(new_regions[0])) edit->DeleteRegion(hiding);
  }
  for (const RegionInfo& info : new_regions) edit->PutRegion(info, RegionState::kOpen, server_name);
  if (!split) edit->PutMergeParents(new_regions[0], parents);
}

void ReplaceInCatalog(MasterParts& master, const RegionReplacement& replacement) {
  const auto& [split, parents, new_regions, server_name] = replacement;
  master.catalog.ReplaceRegions(parents[0].table, parents, OpenAt(server_name, new_regions));
  if (split) {
    master.janitor.AddSplit(parents[0], new_regions);
  } else {
    master.janitor.AddMerge(new_regions[0], parents.size());
  }
}

absl::Status CommitReplacement(MasterParts& master, const RegionReplacement& replacement) {
  MetaEdit edit;
  PutReplacement(master, replacement, &edit);
  VAQUITA_RETURN_IF_ERROR(master.meta->Apply(std::move(edit)));
  ReplaceInCatalog(master, replacement);
  return absl::OkStatus();
}

}  // namespace vaquita
