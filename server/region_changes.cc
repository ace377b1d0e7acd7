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

absl::Status CommitSplit(MasterParts& master, const RegionInfo& parent, const std::vector<RegionInfo>& daughters,
                         std::string_view server_name) {
  MetaEdit edit;
  edit.PutSplitParent(parent, daughters[0], daughters[1]);
  for (const RegionInfo& daughter : daughters) edit.PutRegion(daughter, RegionState::kOpen, server_name);
  VAQUITA_RETURN_IF_ERROR(master.meta->Apply(std::move(edit)));
  master.catalog.ReplaceRegions(parent.table, {parent}, OpenAt(server_name, daughters));
  master.janitor.AddSplit(parent, daughters);
  return absl::OkStatus();
}

absl::Status CommitMerge(MasterParts& master, const std::vector<RegionInfo>& parents, const RegionInfo& merged,
                         std::string_view server_name) {
  MetaEdit edit;
  for (const RegionInfo& parent : parents) edit.DeleteRegion(parent);
  edit.PutRegion(merged, RegionState::kOpen, server_name);
  edit.PutMergeParents(merged, parents);
  VAQUITA_RETURN_IF_ERROR(master.meta->Apply(std::move(edit)));
  master.catalog.ReplaceRegions(merged.table, parents, OpenAt(server_name, {merged}));
  master.janitor.AddMerge(merged, parents.size());
  return absl::OkStatus();
}

}  // namespace vaquita
