#include "server/table_regions.h"

#include <utility>

#include "engine/fault_point.h"
#include "engine/status.h"
#include "server/encoded_names.h"
#include "server/master_parts.h"
#include "server/region_homes.h"
#include "spdlog/spdlog.h"

namespace vaquita {
namespace {

// The edit that decides.
absl::Status CommitTable(MasterParts& master, const std::shared_ptr<const TableDescriptor>& table,
                         const std::vector<AssignedRegion>& regions) {
  return master.namespaces->Guard(table->name.ns, [&] {
    MetaEdit edit;
    for (const AssignedRegion& region : regions) edit.PutRegion(region.info, region.state, region.server_name);
    edit.PutTableState(table->name, TableState::kEnabled);
    VAQUITA_RETURN_IF_ERROR(master.meta->Apply(std::move(edit)));
    master.catalog.PutTable(table, TableState::kEnabled, regions);
    return absl::OkStatus();
  });
}

}  // namespace

std::vector<RegionInfo> InfosOf(const std::vector<AssignedRegion>& regions) {
  std::vector<RegionInfo> infos;
  infos.reserve(regions.size());
  for (const AssignedRegion& region : regions) infos.push_back(region.info);
  return infos;
}

absl::StatusOr<std::vector<AssignedRegion>> RegionsInMeta(MasterParts& master, const TableName& table) {
  VAQUITA_ASSIGN_OR_RETURN(auto rows, master.meta->LoadTable(table));
  std::vector<AssignedRegion> regions;
  regions.reserve(rows.size());
  for (MetaTable::Row& row : rows) regions.push_back(std::move(row.region));
  return regions;
}

void DropNewRegions(MasterParts& master, const std::vector<AssignedRegion>& regions, const TableDescriptor& table) {
  master.assigner->Forget(regions);
  for (const HomeGroup& group : ByHome(master, regions)) {
    if (group.server == nullptr) continue;
    const std::vector<std::string> names = EncodedNames(group.regions);
    group.server->CloseRegions(names, "");  // those that were not made yet are not there
    if (const absl::Status status = group.server->DropRegions(names, table); !status.ok()) {
      spdlog::warn("drop new regions of {}: {}", table.name.ToString(), status.ToString());
    }
  }
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

absl::Status MakeTable(MasterParts& master, const std::shared_ptr<const TableDescriptor>& table,
                       const std::vector<AssignedRegion>& regions, const std::function<absl::Status()>& fill,
                       ProcedureExecutor::Progress& progress) {
  VAQUITA_RETURN_IF_ERROR(master.store->PutDescriptor(*table));
  FaultPoint("create:descriptor");
  master.assigner->Expect(regions);
  absl::Status status = fill();
  if (status.ok()) status = CreateRegions(master, regions, table, progress);
  FaultPoint("create:regions");
  if (status.ok()) status = CommitTable(master, table, regions);
  FaultPoint("create:committed");
  if (status.ok()) return master.assigner->ServeNew(regions);
  DropNewRegions(master, regions, *table);
  master.store->DeleteDescriptor(table->name).IgnoreError();  // the next start does it, too
  return status;
}

}  // namespace vaquita
