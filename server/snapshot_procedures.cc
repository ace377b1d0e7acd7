#include "server/snapshot_procedures.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "engine/fault_point.h"
#include "engine/status.h"
#include "server/master_parts.h"
#include "server/table_procedures.h"
#include "server/table_regions.h"
#include "spdlog/spdlog.h"

namespace vaquita {
namespace {

absl::Status CheckNotExpired(const MasterParts& master, const SnapshotDescription& snapshot) {
  if (!snapshot.Expired(master.options.clock->NowMs())) return absl::OkStatus();
  return Error(ErrorKind::kSnapshotTtlExpired, "TTL for snapshot '" + snapshot.name + "' has already expired.");
}

// The table as the snapshot is to keep it.
TableDescriptor SnapshotTable(const TableDescriptor& table, const SnapshotDescription& snapshot) {
  TableDescriptor kept = table;
  if (kept.max_file_bytes < 0 && snapshot.max_file_bytes > 0) kept.max_file_bytes = snapshot.max_file_bytes;
  return kept;
}

// New regions of `table`, one for each of the snapshot's.
std::vector<RegionInfo> NewRegionsLike(const SnapshotManifest& snapshot, const TableName& table, int64_t id) {
  std::vector<RegionInfo> infos;
  infos.reserve(snapshot.regions.size());
  for (const SnapshotRegion& region : snapshot.regions) {
    infos.push_back({.table = table, .start_key = region.info.start_key, .end_key = region.info.end_key, .id = id});
  }
  return infos;
}

// Makes the stores of `infos` of the snapshot's files.
absl::Status ImportRegions(MasterParts& master, const SnapshotManifest& snapshot, const std::string& folder,
                           const TableDescriptor& table, const std::vector<RegionInfo>& infos,
                           ProcedureExecutor::Progress& progress) {
  for (size_t first = 0; first < infos.size(); first += kRegionsPerStep) {
    std::vector<RegionImport> step;
    for (size_t i = first; i < std::min(infos.size(), first + kRegionsPerStep); ++i) {
      const SnapshotRegion& region = snapshot.regions[i];
      step.push_back({infos[i], folder + "/" + region.info.EncodedName(), &region.files});
    }
    VAQUITA_RETURN_IF_ERROR(
        Annotate(master.server->ImportRegions(step, table), "snapshot " + snapshot.description.name));
    progress.Advance(static_cast<int64_t>(step.size()));
    FaultPoint("import:regions");
  }
  return absl::OkStatus();
}

// What a clone is to be: the snapshot's table under another name, its files tracked as asked.
TableDescriptor ClonedTable(const SnapshotManifest& snapshot, const TableName& to, const std::string& tracker) {
  TableDescriptor table = snapshot.table;
  table.name = to;
  if (tracker.empty()) return table;
  table.attributes[kStoreFileTracker] = tracker;
  for (auto& [name, family] : table.families) {
    family.attributes.erase(kStoreFileTracker);
    family.configuration.erase(kStoreFileTracker);
  }
  return table;
}

// All regions that meta has of the table, split parents among them.
absl::StatusOr<std::vector<RegionInfo>> RegionsInMeta(MasterParts& master, const TableName& table) {
  VAQUITA_ASSIGN_OR_RETURN(const auto rows, master.meta->LoadTable(table));
  std::vector<RegionInfo> infos;
  infos.reserve(rows.size());
  for (const MetaTable::Row& row : rows) infos.push_back(row.region.info);
  return infos;
}

// The edit that decides: the table's new regions take the place of the old ones.
absl::Status SwitchRegions(MasterParts& master, const TableName& table, const std::vector<RegionInfo>& old_infos,
                           const std::vector<RegionInfo>& infos) {
  MetaEdit edit;
  for (const RegionInfo& info : old_infos) edit.DeleteRegion(info);
  for (const RegionInfo& info : infos) edit.PutRegion(info, RegionState::kClosed, "");
  edit.PutTableState(table, TableState::kDisabled);
  return master.meta->Apply(std::move(edit));
}

absl::Status RestoreFrom(MasterParts& master, const SnapshotManifest& snapshot, const std::string& folder,
                         ProcedureExecutor::Progress& progress) {
  const TableName& table = snapshot.table.name;
  VAQUITA_RETURN_IF_ERROR(CheckNotExpired(master, snapshot.description));
  VAQUITA_RETURN_IF_ERROR(CheckTableIsDisabled(master, table));
  VAQUITA_ASSIGN_OR_RETURN(const auto before, master.catalog.Descriptor(table));
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<RegionInfo> old_infos, RegionsInMeta(master, table));
  for (const RegionInfo& info : old_infos) master.region_ids.Observe(info.id);
  const int64_t id = master.region_ids.NextMs();
  const std::vector<RegionInfo> infos = NewRegionsLike(snapshot, table, id);
  progress.SetTotal(static_cast<int64_t>(infos.size()));
  VAQUITA_RETURN_IF_ERROR(master.store->PutRestoration(snapshot.table, id));
  FaultPoint("restore:staged");
  absl::Status status = ImportRegions(master, snapshot, folder, snapshot.table, infos, progress);
  FaultPoint("restore:imported");
  if (status.ok()) status = SwitchRegions(master, table, old_infos, infos);
  if (!status.ok()) {
    DropNewRegions(master, infos, snapshot.table);
    master.store->DeleteRestoration(table).IgnoreError();  // the next start does it, too
    return status;
  }
  FaultPoint("restore:committed");
  master.janitor.ForgetTable(table);
  master.catalog.SetDescriptor(std::make_shared<const TableDescriptor>(snapshot.table));
  master.catalog.SetRegions(table, Assigned(infos, RegionState::kClosed, ""));
  VAQUITA_RETURN_IF_ERROR(master.store->PutDescriptor(snapshot.table));
  FaultPoint("restore:descriptor");
  VAQUITA_RETURN_IF_ERROR(master.store->DeleteRestoration(table));
  return master.server->DropRegions(EncodedNames(old_infos), *before);
}

}  // namespace

absl::Status TakeSnapshot(MasterParts& master, const SnapshotDescription& snapshot,
                          ProcedureExecutor::Progress& progress) {
  VAQUITA_ASSIGN_OR_RETURN(const auto table, master.catalog.Descriptor(snapshot.table));
  VAQUITA_ASSIGN_OR_RETURN(const auto regions, master.catalog.Regions(snapshot.table));
  const std::vector<RegionInfo> infos = InfosOf(regions);
  progress.SetTotal(static_cast<int64_t>(infos.size()));
  VAQUITA_ASSIGN_OR_RETURN(const auto draft, master.snapshots->Begin(snapshot.name));
  SnapshotManifest manifest{.description = snapshot, .table = SnapshotTable(*table, snapshot), .regions = {}};
  const bool flush = snapshot.type != SnapshotType::kSkipFlush;
  for (size_t first = 0; first < infos.size(); first += kRegionsPerStep) {
    const size_t last = std::min(infos.size(), first + kRegionsPerStep);
    VAQUITA_ASSIGN_OR_RETURN(
        std::vector<RegionFiles> files,
        master.server->ExportRegions({infos.begin() + first, infos.begin() + last}, table, draft->folder(), flush));
    for (size_t i = first; i < last; ++i) manifest.regions.push_back({infos[i], std::move(files[i - first])});
    progress.Advance(static_cast<int64_t>(last - first));
  }
  return draft->Commit(manifest);
}

absl::Status CloneSnapshot(MasterParts& master, const std::string& snapshot, const TableName& to,
                           const std::string& tracker, ProcedureExecutor::Progress& progress) {
  return master.snapshots->Read(snapshot, [&](const SnapshotManifest& manifest, const std::string& folder) {
    const auto table = std::make_shared<const TableDescriptor>(ClonedTable(manifest, to, tracker));
    VAQUITA_RETURN_IF_ERROR(CheckCreateTable(master, *table));
    VAQUITA_RETURN_IF_ERROR(CheckNotExpired(master, manifest.description));
    const std::vector<RegionInfo> infos = NewRegionsLike(manifest, to, master.region_ids.NextMs());
    progress.SetTotal(static_cast<int64_t>(2 * infos.size()));  // imported, then opened
    return MakeTable(
        master, table, infos, [&] { return ImportRegions(master, manifest, folder, *table, infos, progress); },
        progress);
  });
}

absl::Status RestoreSnapshot(MasterParts& master, const std::string& snapshot, ProcedureExecutor::Progress& progress) {
  return master.snapshots->Read(snapshot, [&](const SnapshotManifest& manifest, const std::string& folder) {
    return RestoreFrom(master, manifest, folder, progress);
  });
}

}  // namespace vaquita
