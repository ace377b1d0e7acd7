#include "server/table_regions.h"

#include <algorithm>
#include <utility>

#include "engine/fault_point.h"
#include "engine/status.h"
#include "server/master_parts.h"
#include "spdlog/spdlog.h"

namespace vaquita {
namespace {

// The edit that decides.
absl::Status CommitTable(MasterParts& master, const std::shared_ptr<const TableDescriptor>& table,
                         const std::vector<RegionInfo>& infos) {
  return master.namespaces->Guard(table->name.ns, [&] {
    MetaEdit edit;
    for (const RegionInfo& info : infos) edit.PutRegion(info, RegionState::kOpen, master.server_name);
    edit.PutTableState(table->name, TableState::kEnabled);
    VAQUITA_RETURN_IF_ERROR(master.meta->Apply(std::move(edit)));
    master.catalog.PutTable(table, TableState::kEnabled, Assigned(infos, RegionState::kOpen, master.server_name));
    return absl::OkStatus();
  });
}

}  // namespace

std::vector<AssignedRegion> Assigned(const std::vector<RegionInfo>& infos, RegionState state,
                                     const std::string& server) {
  std::vector<AssignedRegion> regions;
  regions.reserve(infos.size());
  for (const RegionInfo& info : infos) regions.push_back({info, state, server});
  return regions;
}

std::vector<RegionInfo> InfosOf(const std::vector<AssignedRegion>& regions) {
  std::vector<RegionInfo> infos;
  infos.reserve(regions.size());
  for (const AssignedRegion& region : regions) infos.push_back(region.info);
  return infos;
}

std::vector<std::string> EncodedNames(const std::vector<RegionInfo>& infos) {
  std::vector<std::string> names;
  names.reserve(infos.size());
  for (const RegionInfo& info : infos) names.push_back(info.EncodedName());
  return names;
}

void DropNewRegions(MasterParts& master, const std::vector<RegionInfo>& infos, const TableDescriptor& table) {
  master.server->CloseRegions(EncodedNames(infos), "");  // those that were not made yet are not there
  if (const absl::Status status = master.server->DropRegions(EncodedNames(infos), table); !status.ok()) {
    spdlog::warn("drop new regions of {}: {}", table.name.ToString(), status.ToString());
  }
}

absl::Status CreateRegions(MasterParts& master, const std::vector<RegionInfo>& infos,
                           const std::shared_ptr<const TableDescriptor>& table, ProcedureExecutor::Progress& progress) {
  for (size_t first = 0; first < infos.size(); first += kRegionsPerStep) {
    const size_t last = std::min(infos.size(), first + kRegionsPerStep);
    VAQUITA_RETURN_IF_ERROR(Annotate(master.server->CreateRegions({infos.begin() + first, infos.begin() + last}, table),
                                     "create regions of " + table->name.ToString()));
    progress.Advance(static_cast<int64_t>(last - first));
  }
  return absl::OkStatus();
}

absl::Status MakeTable(MasterParts& master, const std::shared_ptr<const TableDescriptor>& table,
                       const std::vector<RegionInfo>& infos, const std::function<absl::Status()>& fill,
                       ProcedureExecutor::Progress& progress) {
  VAQUITA_RETURN_IF_ERROR(master.store->PutDescriptor(*table));
  FaultPoint("create:descriptor");
  absl::Status status = fill();
  if (status.ok()) status = CreateRegions(master, infos, table, progress);
  FaultPoint("create:regions");
  if (status.ok()) status = CommitTable(master, table, infos);
  FaultPoint("create:committed");
  if (status.ok()) return FirstError(master.server->ServeRegions(EncodedNames(infos)));
  DropNewRegions(master, infos, *table);
  master.store->DeleteDescriptor(table->name).IgnoreError();  // the next start does it, too
  return status;
}

}  // namespace vaquita
