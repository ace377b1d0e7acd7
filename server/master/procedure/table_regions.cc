#include "server/master/procedure/table_regions.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/fault_point.h"
#include "base/log.h"
#include "base/status.h"
#include "model/encoded_names.h"
#include "server/master/procedure/master_parts.h"
#include "server/master/procedure/regions_by_server.h"

namespace vaquita {
namespace {

// The edit that decides.
absl::Status CommitTable(MasterParts& master, const std::shared_ptr<const TableDescriptor>& table,
                         const std::vector<AssignedRegion>& regions) {
  return master.namespaces->Guard(table->name.ns, [&] {
    master.meta->SetReplication(table->name, table->RegionReplication());
    MetaEdit edit;
    for (const AssignedRegion& region : regions) edit.PutRegion(region.info, region.state, region.server_name);
    edit.PutTableState(table->name, TableState::kEnabled);
    VAQUITA_RETURN_IF_ERROR(Decided(master, master.meta->Apply(std::move(edit))));
    master.catalog.PutTable(table, TableState::kEnabled, regions);
    return absl::OkStatus();
  });
}

// Closes and drops regions that are not in meta yet. If that fails, the server's next start sets them aside.
void DropNewRegions(MasterParts& master, const std::vector<AssignedRegion>& regions, const TableDescriptor& table) {
  master.assigner->Forget(regions);
  for (const HomeGroup& group : ByHome(master, regions)) {
    if (group.server == nullptr) continue;
    Command close{.kind = CommandKind::kClose};
    for (const AssignedRegion& region : group.regions) close.regions.push_back({.region = region.info.EncodedName()});
    group.server->Execute(close);  // those that were not made yet are not there
  }
  if (const absl::Status status = DropAtHome(master, regions, table); !status.ok()) {
    spdlog::warn("cannot drop the new regions of {}: {}", table.name.ToString(), status.ToString());
  }
}

// Regions that are made and not committed.
absl::StatusOr<std::vector<AssignedRegion>> MakeOnce(MasterParts& master, const TableDescriptor& table,
                                                     const NewRegions& wanted) {
  // Under names of their own each time: what a dead server made of others may be found later.
  const std::vector<RegionInfo> infos = wanted.infos(master.region_ids.NextMs());
  for (const RegionInfo& info : infos) VAQUITA_RETURN_IF_ERROR(CheckStartKeyLength(info.table, info.start_key));
  VAQUITA_ASSIGN_OR_RETURN(auto regions, Spread(master, infos, wanted.state));
  master.assigner->Expect(regions, std::make_shared<const TableDescriptor>(table));
  if (absl::Status status = wanted.make(regions); !status.ok()) {
    DropNewRegions(master, regions, table);
    return status;
  }
  return regions;
}

}  // namespace

// Refusals of hbase:meta's region are HBase's exceptions. HBase's master ends so, too, when hbase:meta does not take a
// region's state (RegionStateStore.updateRegionLocation, 2.6).
absl::Status Decided(MasterParts& master, const absl::Status& written) {
  ErrorKind refusal;
  if (written.ok() || GetErrorKind(written, &refusal)) return written;
  master.on_fatal(written);
  return Error(ErrorKind::kMasterNotRunning, absl::StrCat("the master ends: ", written.message()));
}

absl::Status UntilAnswered(MasterParts& master, absl::FunctionRef<absl::Status()> attempt) {
  constexpr std::chrono::milliseconds kPause{100}, kLongestPause{1000};
  for (auto pause = kPause;; pause = std::min(2 * pause, kLongestPause)) {
    absl::Status answer = attempt();
    if (!IsUnanswered(answer)) return answer;
    if (master.stopping) return Error(ErrorKind::kMasterNotRunning, "Master is stopping");
    std::this_thread::sleep_for(pause);
  }
}

absl::Status UntilServed(MasterParts& master, absl::FunctionRef<absl::Status()> attempt) {
  return UntilAnswered(master, [&] {
    absl::Status answer = attempt();
    const bool is_elsewhere = IsError(answer, ErrorKind::kNotServingRegion) || IsError(answer, ErrorKind::kRegionMoved);
    return is_elsewhere ? Unanswered(answer.ToString()) : answer;
  });
}

absl::StatusOr<TableRegions> AllRegions(MasterParts& master, const TableName& table) {
  std::vector<MetaTable::BadRow> bad;
  VAQUITA_ASSIGN_OR_RETURN(auto rows, master.meta->LoadTable(table, &bad));
  TableRegions all{.regions = master.assigner->RegionsOf(table), .unreadable = {}};
  std::set<std::string> assigned;
  for (const AssignedRegion& region : all.regions) assigned.insert(region.info.Name());
  for (MetaTable::Row& row : rows) {
    if (!assigned.contains(row.key)) all.regions.push_back(std::move(row.region));
  }
  for (MetaTable::BadRow& row : bad) all.unreadable.push_back(std::move(row.key));
  return all;
}

absl::Status RemoveFromMeta(MasterParts& master, const TableRegions& old, MetaEdit edit) {
  for (const AssignedRegion& region : old.regions) edit.DeleteRegion(region.info);
  for (const std::string& row : old.unreadable) edit.DeleteRow(row);
  return master.assigner->Forget(old.regions, [&] { return Decided(master, master.meta->Apply(std::move(edit))); });
}

absl::Status CreateRegions(MasterParts& master, const std::vector<AssignedRegion>& regions,
                           const std::shared_ptr<const TableDescriptor>& table, ProcedureExecutor::Progress& progress) {
  return AtHome(master, regions, [&](RegionServerControl& server, const std::vector<AssignedRegion>& step) {
    VAQUITA_RETURN_IF_ERROR(
        Annotate(server.CreateRegions(InfosOf(step), table), "create regions of " + table->name.ToString()));
    progress.Advance(static_cast<int64_t>(step.size()));
    return absl::OkStatus();
  });
}

absl::StatusOr<std::vector<AssignedRegion>> MakeRegions(MasterParts& master, const TableDescriptor& table,
                                                        const NewRegions& wanted) {
  std::vector<AssignedRegion> regions;
  absl::Status status = UntilAnswered(master, [&]() -> absl::Status {
    VAQUITA_ASSIGN_OR_RETURN(regions, MakeOnce(master, table, wanted));
    return absl::OkStatus();
  });
  if (status.ok()) status = wanted.commit(regions);
  if (status.ok()) return regions;
  if (IsError(status, ErrorKind::kMasterNotRunning)) return status;
  DropNewRegions(master, regions, table);
  if (wanted.undo) wanted.undo();
  return status;
}

absl::Status MakeTable(MasterParts& master, const std::shared_ptr<const TableDescriptor>& table, const InfosOfId& infos,
                       const RegionsStep& fill, ProcedureExecutor::Progress& progress) {
  VAQUITA_RETURN_IF_ERROR(master.store->PutDescriptor(*table, Durability::kSyncWal));
  FaultPoint("create:descriptor");
  const auto make = [&](const std::vector<AssignedRegion>& regions) {
    VAQUITA_RETURN_IF_ERROR(fill(regions));
    VAQUITA_RETURN_IF_ERROR(CreateRegions(master, regions, table, progress));
    FaultPoint("create:regions");
    return absl::OkStatus();
  };
  const auto commit = [&](const std::vector<AssignedRegion>& regions) { return CommitTable(master, table, regions); };
  const auto undo = [&] { master.store->DeleteDescriptor(table->name).IgnoreError(); };  // the next start does it, too
  VAQUITA_ASSIGN_OR_RETURN(const auto regions,
                           MakeRegions(master, *table, {.infos = infos, .make = make, .commit = commit, .undo = undo}));
  FaultPoint("create:committed");
  return master.assigner->ServeNew(regions);
}

}  // namespace vaquita
