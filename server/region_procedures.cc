#include "server/region_procedures.h"

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include "engine/status.h"
#include "server/master_parts.h"

namespace vaquita {
namespace {

std::vector<AssignedRegion> OpenHere(const MasterParts& master, const std::vector<RegionInfo>& infos) {
  std::vector<AssignedRegion> regions;
  for (const RegionInfo& info : infos) regions.push_back({info, RegionState::kOpen, master.server_name});
  return regions;
}

absl::Status CommitSplit(MasterParts& master, const RegionInfo& parent, const std::vector<RegionInfo>& daughters) {
  MetaEdit edit;
  edit.PutSplitParent(parent, daughters[0], daughters[1]);
  for (const RegionInfo& daughter : daughters) edit.PutRegion(daughter, RegionState::kOpen, master.server_name);
  VAQUITA_RETURN_IF_ERROR(master.meta->Apply(std::move(edit)));
  master.catalog.ReplaceRegions(parent.table, {parent}, OpenHere(master, daughters));
  master.janitor.AddSplit(parent, daughters);
  return absl::OkStatus();
}

absl::Status CommitMerge(MasterParts& master, const std::vector<RegionInfo>& parents, const RegionInfo& merged) {
  MetaEdit edit;
  for (const RegionInfo& parent : parents) edit.DeleteRegion(parent);
  edit.PutRegion(merged, RegionState::kOpen, master.server_name);
  edit.PutMergeParents(merged, parents);
  VAQUITA_RETURN_IF_ERROR(master.meta->Apply(std::move(edit)));
  master.catalog.ReplaceRegions(merged.table, parents, OpenHere(master, {merged}));
  master.janitor.AddMerge(merged, parents.size());
  return absl::OkStatus();
}

// RegionStateNode.toString
std::string StateText(const AssignedRegion& region) {
  return "state=" + std::string(RegionStateName(region.state)) +
         ", location=" + (region.server_name.empty() ? "null" : region.server_name) +
         ", table=" + region.info.table.ToString() + ", region=" + region.info.EncodedName();
}

// What holds before a region is opened or closed, which it can be from the states that `may` accepts.
template <typename May>
absl::StatusOr<RegionInfo> CheckTransition(const MasterParts& master, std::string_view name, May may) {
  VAQUITA_ASSIGN_OR_RETURN(AssignedRegion region, master.catalog.FindRegion(name));
  if (!may(region.state)) return Error(ErrorKind::kDoNotRetryRegion, "Unexpected state for " + StateText(region));
  VAQUITA_ASSIGN_OR_RETURN(const TableState state, master.catalog.State(region.info.table));
  if (state == TableState::kDisabled || state == TableState::kDisabling) {
    return Error(ErrorKind::kDoNotRetryIO, region.info.table.ToString() + " is disabled for " + StateText(region));
  }
  if (IsMastersOwn(region.info.table)) {
    return Error(ErrorKind::kDoNotRetryIO, region.info.table.ToString() + " stays where the master is");
  }
  return std::move(region.info);
}

absl::Status WriteState(MasterParts& master, const RegionInfo& region, RegionState state) {
  const std::string server = state == RegionState::kOpen ? master.server_name : "";
  MetaEdit edit;
  edit.PutRegion(region, state, server);
  VAQUITA_RETURN_IF_ERROR(master.meta->Apply(std::move(edit)));
  master.catalog.ReplaceRegions(region.table, {region}, {{region, state, server}});
  return absl::OkStatus();
}

absl::Status CloseIfOpen(MasterParts& master, const RegionInfo& region) {
  const absl::Status status = FirstError(master.server->CloseRegions({region.EncodedName()}, ""));
  return IsError(status, ErrorKind::kNotServingRegion) ? absl::OkStatus() : status;
}

absl::Status Open(MasterParts& master, const RegionInfo& region) {
  VAQUITA_ASSIGN_OR_RETURN(auto table, master.catalog.Descriptor(region.table));
  return FirstError(master.server->OpenRegions({{region, std::move(table)}}));
}

absl::Status Serve(MasterParts& master, const RegionInfo& region) {
  return FirstError(master.server->ServeRegions({region.EncodedName()}));
}

// Has `commit` write meta between the two halves of a split or merge; if it fails, all is rolled back.
absl::Status Transit(MasterParts& master, const absl::StatusOr<PendingTransition>& begun,
                     const std::function<absl::Status(const PendingTransition&)>& commit) {
  VAQUITA_RETURN_IF_ERROR(begun.status());
  const absl::Status status = commit(*begun);
  const TransitionEnd end = status.ok() ? TransitionEnd::kCommit : TransitionEnd::kRollBack;
  const absl::Status ended = master.server->EndTransition(begun->id, end);
  if (status.ok() || ended.ok()) return status.ok() ? ended : status;
  return Annotate(status, "not undone (" + ended.ToString() + "), after");
}

}  // namespace

absl::StatusOr<RegionInfo> CheckRegionOnline(const MasterParts& master, std::string_view name) {
  VAQUITA_ASSIGN_OR_RETURN(AssignedRegion region, master.catalog.FindRegion(name));
  const std::string encoded = region.info.EncodedName();
  if (IsMastersOwn(region.info.table)) return Error(ErrorKind::kDoNotRetryIO, encoded + " NOT splittable");
  if (region.state != RegionState::kOpen) {
    return Error(ErrorKind::kDoNotRetryRegion,
                 encoded + " is not OPEN; state=" + std::string(RegionStateName(region.state)));
  }
  return std::move(region.info);
}

absl::StatusOr<RegionInfo> CheckSplit(const MasterParts& master, std::string_view name) {
  VAQUITA_ASSIGN_OR_RETURN(const AssignedRegion region, master.catalog.FindRegion(name));
  const absl::StatusOr<TableState> state = master.catalog.State(region.info.table);
  if (state.ok() && *state != TableState::kEnabled) {
    return Error(ErrorKind::kTableNotEnabled, region.info.table.ToString());
  }
  return CheckRegionOnline(master, name);
}

absl::StatusOr<std::vector<RegionInfo>> CheckMerge(const MasterParts& master, const std::vector<std::string>& names) {
  std::vector<RegionInfo> infos;
  std::set<std::string> distinct;
  for (const std::string& name : names) {
    absl::StatusOr<RegionInfo> online = CheckRegionOnline(master, name);
    if (IsError(online.status(), ErrorKind::kDoNotRetryRegion)) {
      return Error(ErrorKind::kMergeRegion,
                   std::string(ExceptionClass(online.status())) + ": " + std::string(online.status().message()));
    }
    VAQUITA_ASSIGN_OR_RETURN(RegionInfo info, std::move(online));
    distinct.insert(info.EncodedName());
    infos.push_back(std::move(info));
  }
  if (distinct.size() != infos.size()) {
    return Error(ErrorKind::kMergeRegion, "Duplicate regions specified; cannot merge a region to itself. Passed in " +
                                              std::to_string(infos.size()) + " but only " +
                                              std::to_string(distinct.size()) + " unique.");
  }
  if (infos.size() < 2) return Error(ErrorKind::kMergeRegion, "Need two Regions at least to run a Merge");
  for (size_t i = 1; i < infos.size(); ++i) {
    if (infos[i].table != infos[i - 1].table) {
      return Error(ErrorKind::kMergeRegion,
                   "Can't merge regions from different tables: " + ToStringBinary(infos[i - 1].Name()) + ", " +
                       ToStringBinary(infos[i].Name()));
    }
  }
  std::sort(infos.begin(), infos.end(),
            [](const RegionInfo& a, const RegionInfo& b) { return a.start_key < b.start_key; });
  return infos;
}

absl::Status SplitRegion(MasterParts& master, const RegionInfo& parent, std::string_view split_row) {
  VAQUITA_RETURN_IF_ERROR(CheckRegionOnline(master, parent.EncodedName()).status());
  return Transit(
      master, master.server->BeginSplit(parent.EncodedName(), split_row),
      [&](const PendingTransition& split) { return CommitSplit(master, split.parents[0], split.new_regions); });
}

absl::Status MergeRegions(MasterParts& master, const std::vector<RegionInfo>& regions, bool forcible) {
  std::vector<std::string> names;
  for (const RegionInfo& info : regions) {
    VAQUITA_RETURN_IF_ERROR(CheckRegionOnline(master, info.EncodedName()).status());
    names.push_back(info.EncodedName());
  }
  return Transit(master, master.server->BeginMerge(names, forcible), [&](const PendingTransition& merge) {
    return CommitMerge(master, merge.parents, merge.new_regions[0]);
  });
}

absl::StatusOr<RegionInfo> CheckAssign(const MasterParts& master, std::string_view name) {
  return CheckTransition(
      master, name, [](RegionState state) { return state == RegionState::kClosed || state == RegionState::kOffline; });
}

absl::StatusOr<RegionInfo> CheckUnassign(const MasterParts& master, std::string_view name) {
  return CheckTransition(master, name, [](RegionState state) { return state == RegionState::kOpen; });
}

absl::StatusOr<RegionInfo> CheckTruncateRegion(const MasterParts& master, std::string_view name) {
  VAQUITA_ASSIGN_OR_RETURN(AssignedRegion region, master.catalog.FindRegion(name));
  // HBase's procedure refuses that, not its start: a client would start it again after an IOException.
  if (IsMastersOwn(region.info.table)) return std::move(region.info);
  return CheckRegionOnline(master, name);
}

absl::Status AssignRegion(MasterParts& master, const RegionInfo& region) {
  VAQUITA_RETURN_IF_ERROR(CheckAssign(master, region.EncodedName()).status());
  VAQUITA_RETURN_IF_ERROR(Open(master, region));
  VAQUITA_RETURN_IF_ERROR(WriteState(master, region, RegionState::kOpen));
  return Serve(master, region);
}

absl::Status UnassignRegion(MasterParts& master, const RegionInfo& region) {
  VAQUITA_RETURN_IF_ERROR(CheckUnassign(master, region.EncodedName()).status());
  VAQUITA_RETURN_IF_ERROR(CloseIfOpen(master, region));
  return WriteState(master, region, RegionState::kClosed);
}

absl::Status ReopenRegion(MasterParts& master, const RegionInfo& region) {
  VAQUITA_RETURN_IF_ERROR(CheckUnassign(master, region.EncodedName()).status());
  VAQUITA_RETURN_IF_ERROR(CloseIfOpen(master, region));
  VAQUITA_RETURN_IF_ERROR(Open(master, region));
  return Serve(master, region);
}

absl::Status TruncateRegion(MasterParts& master, const RegionInfo& region) {
  if (IsMastersOwn(region.table)) return Error(ErrorKind::kDoNotRetryIO, "Can't truncate region in catalog tables");
  VAQUITA_RETURN_IF_ERROR(CheckTruncateRegion(master, region.EncodedName()).status());
  VAQUITA_ASSIGN_OR_RETURN(const auto table, master.catalog.Descriptor(region.table));
  VAQUITA_RETURN_IF_ERROR(CloseIfOpen(master, region));
  // All of its stores go at once; opened again, by this or by the next start, it has empty ones.
  const absl::Status dropped = master.server->DropRegions({region.EncodedName()}, *table);
  absl::Status opened = master.server->CreateRegions({region}, table);
  if (opened.ok()) opened = Serve(master, region);
  return dropped.ok() ? opened : dropped;
}

}  // namespace vaquita
