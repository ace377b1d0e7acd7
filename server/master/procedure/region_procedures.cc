#include "server/master/procedure/region_procedures.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/fault_point.h"
#include "base/status.h"
#include "server/master/procedure/master_parts.h"
#include "server/master/procedure/regions_by_server.h"
#include "server/master/procedure/table_regions.h"

namespace vaquita {
namespace {

// RegionStateNode.toString
std::string StateText(const AssignedRegion& region) {
  return "state=" + std::string(RegionStateName(region.state)) +
         ", location=" + (region.server_name.empty() ? "null" : region.server_name) +
         ", table=" + region.info.table.ToString() + ", region=" + region.info.EncodedName();
}

// A replica is on the server of its primary, and open as long as the primary.
absl::Status CheckIsPrimary(const AssignedRegion& region) {
  if (region.info.replica_id == 0) return absl::OkStatus();
  return Error(ErrorKind::kUnsupportedOperation,
               "region " + ToStringBinary(region.info.Name()) +
                   " is a replica, which opens and closes with its primary: name the primary instead");
}

// Checks a region that is to be opened or closed, which it can be from the states that `may` accepts.
template <typename May>
absl::StatusOr<RegionInfo> CheckTransition(const MasterParts& master, std::string_view name, May may) {
  VAQUITA_ASSIGN_OR_RETURN(AssignedRegion region, master.catalog.FindRegion(name));
  VAQUITA_RETURN_IF_ERROR(CheckIsPrimary(region));
  if (!may(region.state)) return Error(ErrorKind::kDoNotRetryRegion, "Unexpected state for " + StateText(region));
  VAQUITA_ASSIGN_OR_RETURN(const TableState state, master.catalog.State(region.info.table));
  if (state == TableState::kDisabled || state == TableState::kDisabling) {
    return Error(ErrorKind::kDoNotRetryIO, region.info.table.ToString() + " is disabled for " + StateText(region));
  }
  if (IsMastersOwn(region.info.table)) {
    return Error(ErrorKind::kDoNotRetryIO, region.info.table.ToString() + " stays open on the master");
  }
  return std::move(region.info);
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
  if (region.info.replica_id != 0) {  // SplitTableRegionProcedure.checkSplittable
    return Error(ErrorKind::kIllegalArgument, "Can't invoke split on non-default regions directly");
  }
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
    if (info.replica_id != 0) {  // MergeTableRegionsProcedure.checkRegionsToMerge
      return Error(ErrorKind::kMergeRegion, "Can't merge non-default replicas; " + ToStringBinary(info.Name()));
    }
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

// These wait, as HBase's procedures do, for regions that are open and not served: their servers are yet to report to
// this master, or die.
absl::Status SplitRegion(MasterParts& master, const RegionInfo& parent, std::string_view split_row) {
  VAQUITA_RETURN_IF_ERROR(CheckRegionOnline(master, parent.EncodedName()).status());
  VAQUITA_ASSIGN_OR_RETURN(const AssignedRegion region, master.catalog.FindRegion(parent.EncodedName()));
  return UntilAnswered(master, [&] { return master.assigner->Split(region, split_row); });
}

absl::Status MergeRegions(MasterParts& master, const std::vector<RegionInfo>& infos, bool forcible) {
  std::vector<AssignedRegion> regions;
  for (const RegionInfo& info : infos) {
    VAQUITA_RETURN_IF_ERROR(CheckRegionOnline(master, info.EncodedName()).status());
    VAQUITA_ASSIGN_OR_RETURN(regions.emplace_back(), master.catalog.FindRegion(info.EncodedName()));
  }
  return UntilAnswered(master, [&] { return master.assigner->Merge(regions, forcible); });
}

absl::StatusOr<RegionInfo> CheckAssign(const MasterParts& master, std::string_view name) {
  return CheckTransition(master, name, [](RegionState state) {
    return state == RegionState::kClosed || state == RegionState::kOffline || state == RegionState::kFailedOpen;
  });
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

absl::Status AssignRegion(MasterParts& master, const RegionInfo& info) {
  VAQUITA_RETURN_IF_ERROR(CheckAssign(master, info.EncodedName()).status());
  VAQUITA_ASSIGN_OR_RETURN(const AssignedRegion region, master.catalog.FindRegion(info.EncodedName()));
  VAQUITA_RETURN_IF_ERROR(master.assigner->Open({region}));
  if (region.state != RegionState::kOffline) return absl::OkStatus();
  // Master::OfflineRegion told the catalog alone, so the assignment may have had nothing to do.
  const auto view = master.assigner->Find(info.EncodedName());
  if (view.has_value()) {
    master.catalog.ReplaceRegions(info.table, {info}, {{info, view->state, view->server, view->home}});
  }
  return absl::OkStatus();
}

absl::Status UnassignRegion(MasterParts& master, const RegionInfo& info) {
  VAQUITA_RETURN_IF_ERROR(CheckUnassign(master, info.EncodedName()).status());
  VAQUITA_ASSIGN_OR_RETURN(const AssignedRegion region, master.catalog.FindRegion(info.EncodedName()));
  return master.assigner->Close({region});
}

absl::Status MoveRegion(MasterParts& master, const RegionInfo& info, std::string_view server_name) {
  VAQUITA_RETURN_IF_ERROR(CheckUnassign(master, info.EncodedName()).status());
  VAQUITA_ASSIGN_OR_RETURN(const AssignedRegion region, master.catalog.FindRegion(info.EncodedName()));
  return UntilAnswered(master, [&] { return master.assigner->Move(region, server_name); });
}

absl::Status TruncateRegion(MasterParts& master, const RegionInfo& info) {
  if (IsMastersOwn(info.table)) return Error(ErrorKind::kDoNotRetryIO, "Can't truncate region in catalog tables");
  VAQUITA_RETURN_IF_ERROR(CheckTruncateRegion(master, info.EncodedName()).status());
  VAQUITA_ASSIGN_OR_RETURN(const auto table, master.catalog.Descriptor(info.table));
  // If its home dies meanwhile, the region comes back with what it had, and is emptied at its next home.
  return UntilAnswered(master, [&]() -> absl::Status {
    VAQUITA_RETURN_IF_ERROR(master.assigner->CloseForAMoment({{.info = info}}));
    VAQUITA_ASSIGN_OR_RETURN(const AssignedRegion region, master.catalog.FindRegion(info.EncodedName()));
    FaultPoint("truncate:closed");
    // A crash drops all of its stores or none. Its next opening, wherever that is, makes empty ones.
    const absl::Status dropped = AtHome(master, {region}, [&](RegionServerControl& server, const auto&) {
      return server.DropRegions({info.EncodedName()}, *table);
    });
    FaultPoint("truncate:dropped");
    const absl::Status opened = master.assigner->Open({region});
    return opened.ok() ? dropped : opened;
  });
}

}  // namespace vaquita
