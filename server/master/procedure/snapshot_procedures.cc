#include "server/master/procedure/snapshot_procedures.h"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "base/fault_point.h"
#include "base/log.h"
#include "base/status.h"
#include "model/store_file_tracker.h"
#include "server/control/command.h"
#include "server/data_root/handoff.h"
#include "server/data_root/snapshot_folder.h"
#include "server/master/procedure/master_parts.h"
#include "server/master/procedure/regions_by_server.h"
#include "server/master/procedure/table_procedures.h"
#include "server/master/procedure/table_regions.h"

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

// Notes in hbase:meta, by the markers of a deletion, that regions of these names are heard of: a crash before they are
// decided leaves their data in the servers' folders, and when hbase:meta has no other region, a master takes data of
// regions that it never heard of for a sign that hbase:meta was lost (server/fsck/root_check.h).
absl::Status NoteNames(MasterParts& master, const std::vector<AssignedRegion>& regions) {
  MetaEdit edit;
  for (const AssignedRegion& region : regions) edit.DeleteRegion(region.info);
  return master.meta->Apply(std::move(edit));
}

// Makes the stores of `regions`, which are new ones like the snapshot's, of the snapshot's files.
absl::Status ImportRegions(MasterParts& master, const SnapshotManifest& snapshot, const std::string& folder,
                           const TableDescriptor& table, const std::vector<AssignedRegion>& regions,
                           ProcedureExecutor::Progress& progress) {
  VAQUITA_RETURN_IF_ERROR(NoteNames(master, regions));
  std::map<std::string, const SnapshotRegion*> originals;  // by start key
  for (const SnapshotRegion& region : snapshot.regions) originals[region.info.start_key] = &region;
  return AtHome(master, regions, [&](RegionServerControl& server, const std::vector<AssignedRegion>& step) {
    std::vector<RegionImport> imports;
    for (const AssignedRegion& region : step) {
      const SnapshotRegion& original = *originals.at(region.info.start_key);
      imports.push_back({region.info, folder + "/" + original.info.EncodedName(), &original.files});
    }
    VAQUITA_RETURN_IF_ERROR(Annotate(server.ImportRegions(imports, table), "snapshot " + snapshot.description.name));
    progress.Advance(static_cast<int64_t>(step.size()));
    FaultPoint("import:regions");
    return absl::OkStatus();
  });
}

// Returns a clone's descriptor: the snapshot's table under another name, with the requested file tracker.
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

// The edit that decides: the table's new regions, closed, take the place of the old ones.
absl::Status SwitchRegions(MasterParts& master, const TableName& table, const TableRegions& old,
                           const std::vector<AssignedRegion>& regions) {
  MetaEdit edit;
  for (const AssignedRegion& region : regions) edit.PutRegion(region.info, RegionState::kClosed, region.home);
  edit.PutTableState(table, TableState::kDisabled);
  return RemoveFromMeta(master, old, std::move(edit));
}

absl::Status RestoreFrom(MasterParts& master, const SnapshotManifest& snapshot, const std::string& folder,
                         ProcedureExecutor::Progress& progress) {
  const TableName& table = snapshot.table.name;
  VAQUITA_RETURN_IF_ERROR(CheckNotExpired(master, snapshot.description));
  VAQUITA_RETURN_IF_ERROR(CheckTableIsDisabled(master, table));
  VAQUITA_ASSIGN_OR_RETURN(const auto before, master.catalog.Descriptor(table));
  VAQUITA_ASSIGN_OR_RETURN(const TableRegions old, AllRegions(master, table));
  for (const AssignedRegion& region : old.regions) master.region_ids.Observe(region.info.id);
  const auto make = [&](const std::vector<AssignedRegion>& regions) {
    progress.SetTotal(static_cast<int64_t>(regions.size()));
    VAQUITA_RETURN_IF_ERROR(master.store->PutRestoration(snapshot.table, regions.front().info.id));
    FaultPoint("restore:staged");
    VAQUITA_RETURN_IF_ERROR(ImportRegions(master, snapshot, folder, snapshot.table, regions, progress));
    FaultPoint("restore:imported");
    return absl::OkStatus();
  };
  const auto commit = [&](const std::vector<AssignedRegion>& regions) {
    master.meta->SetReplication(table, snapshot.table.RegionReplication());
    return SwitchRegions(master, table, old, regions);
  };
  const auto infos = [&](int64_t id) { return NewRegionsLike(snapshot, table, id); };
  const auto undo = [&] {
    master.store->DeleteRestoration(table).IgnoreError();  // the next start does it, too
    master.meta->SetReplication(table, before->RegionReplication());
  };
  VAQUITA_ASSIGN_OR_RETURN(
      const auto made,
      MakeRegions(master, snapshot.table,
                  {.infos = infos, .state = RegionState::kClosed, .make = make, .commit = commit, .undo = undo}));
  FaultPoint("restore:committed");
  master.janitor.ForgetTable(table);
  master.catalog.SetDescriptor(std::make_shared<const TableDescriptor>(snapshot.table));
  master.catalog.SetRegions(table, made);
  VAQUITA_RETURN_IF_ERROR(master.assigner->ServeNew(made));
  VAQUITA_RETURN_IF_ERROR(Decided(master, master.store->PutDescriptor(snapshot.table)));
  FaultPoint("restore:descriptor");
  return DropOldRegions(master, old.regions, *before);
}

// Whoever reads a snapshot needs a region, and tells its regions apart by their start keys.
absl::Status CheckRegions(const TableName& table, const std::vector<AssignedRegion>& regions) {
  if (regions.empty()) {
    return Error(ErrorKind::kSnapshotCreation, "hbase:meta has no region of table '" + table.ToString() +
                                                   "', so its snapshot would be of nothing; `vaquita fsck` looks for "
                                                   "its regions");
  }
  for (size_t i = 1; i < regions.size(); ++i) {
    const RegionInfo &before = regions[i - 1].info, &info = regions[i].info;
    if (before.start_key != info.start_key) continue;
    return Error(ErrorKind::kSnapshotCreation, "regions " + ToStringBinary(before.Name()) + " and " +
                                                   ToStringBinary(info.Name()) +
                                                   " begin at the same row; `vaquita fsck` makes one of them");
  }
  return absl::OkStatus();
}

// Regions whose home is not online. Those of a home that died are in the handoffs that its recovery made, until they
// open elsewhere. Unanswered if they are to be looked for again.
absl::Status ExportHandedOver(MasterParts& master, const HomeGroup& group, const std::string& folder,
                              SnapshotManifest* manifest) {
  VAQUITA_RETURN_IF_ERROR(master.assigner->AwaitRecovery(group.server_name));
  if (master.servers.Find(group.server_name).ok()) return Unanswered("region server " + group.server_name + " started");
  for (const AssignedRegion& region : group.regions) {
    const std::string name = region.info.EncodedName();
    auto files = LinkHandoff(master.options.root, name, folder + "/" + name);
    if (absl::IsNotFound(files.status())) {
      const std::string died = "region server " + group.server_name + ", which had region " + name + ", died";
      const bool opens = region.state != RegionState::kClosed && region.state != RegionState::kFailedOpen;
      return opens ? Unanswered(died) : absl::UnavailableError(died + ", and its data are not found");
    }
    VAQUITA_RETURN_IF_ERROR(files.status());
    manifest->regions.push_back({region.info, *std::move(files)});
  }
  return absl::OkStatus();
}

// Adds the files of all regions, which it links into `folder`, to the manifest.
absl::Status ExportRegions(MasterParts& master, const std::vector<AssignedRegion>& regions,
                           const std::shared_ptr<const TableDescriptor>& table, const std::string& folder,
                           SnapshotManifest* manifest, ProcedureExecutor::Progress& progress) {
  const bool flush = manifest->description.type != SnapshotType::kSkipFlush;
  const auto export_some = [&](RegionServerControl& server, const std::vector<AssignedRegion>& step) -> absl::Status {
    VAQUITA_ASSIGN_OR_RETURN(std::vector<RegionFiles> files, server.ExportRegions(InfosOf(step), table, folder, flush));
    for (size_t i = 0; i < step.size(); ++i) manifest->regions.push_back({step[i].info, std::move(files[i])});
    progress.Advance(static_cast<int64_t>(step.size()));
    return absl::OkStatus();
  };
  for (const HomeGroup& group : ByHome(master, regions)) {
    VAQUITA_RETURN_IF_ERROR(group.server == nullptr ? ExportHandedOver(master, group, folder, manifest)
                                                    : AtHome(master, group.regions, export_some));
  }
  return absl::OkStatus();
}

// Returns whether a region is elsewhere by now: servers move regions, and die, without the table's lock.
bool HaveMoved(const MasterParts& master, const TableName& table, const std::vector<AssignedRegion>& regions) {
  const auto now = master.catalog.Regions(table);
  const auto same = [](const AssignedRegion& a, const AssignedRegion& b) {
    return a.info == b.info && a.home == b.home && a.server_name == b.server_name;
  };
  return now.ok() && !std::equal(regions.begin(), regions.end(), now->begin(), now->end(), same);
}

}  // namespace

// It begins anew if a server does not answer, so that one that dies or restarts is no reason to fail
// (SnapshotRegionProcedure, 2.6).
absl::Status TakeSnapshot(MasterParts& master, const SnapshotDescription& snapshot,
                          ProcedureExecutor::Progress& progress) {
  VAQUITA_ASSIGN_OR_RETURN(const auto table, master.catalog.Descriptor(snapshot.table));
  SnapshotManifest manifest{.description = snapshot, .table = SnapshotTable(*table, snapshot), .regions = {}};
  std::unique_ptr<SnapshotFolder::Draft> draft;
  VAQUITA_RETURN_IF_ERROR(UntilAnswered(master, [&]() -> absl::Status {
    VAQUITA_ASSIGN_OR_RETURN(const auto regions, master.catalog.Regions(snapshot.table));
    VAQUITA_RETURN_IF_ERROR(CheckRegions(snapshot.table, regions));
    progress.SetTotal(static_cast<int64_t>(regions.size()));
    manifest.regions.clear();
    draft = nullptr;  // before the next one of its name begins
    VAQUITA_ASSIGN_OR_RETURN(draft, master.snapshots->Begin(snapshot.name));
    absl::Status exported = ExportRegions(master, regions, table, draft->folder(), &manifest, progress);
    if (exported.ok() || IsError(exported, ErrorKind::kMasterNotRunning)) return exported;
    return HaveMoved(master, snapshot.table, regions) ? Unanswered(exported.ToString()) : exported;
  }));
  std::sort(manifest.regions.begin(), manifest.regions.end(),
            [](const SnapshotRegion& a, const SnapshotRegion& b) { return a.info.start_key < b.info.start_key; });
  return draft->Commit(manifest);
}

absl::Status CloneSnapshot(MasterParts& master, const SnapshotDescription& snapshot, const TableName& to,
                           const std::string& tracker, ProcedureExecutor::Progress& progress) {
  return master.snapshots->Read(snapshot, [&](const SnapshotManifest& manifest, const std::string& folder) {
    const auto table = std::make_shared<const TableDescriptor>(ClonedTable(manifest, to, tracker));
    VAQUITA_RETURN_IF_ERROR(CheckCreateTable(master, *table));
    VAQUITA_RETURN_IF_ERROR(CheckNotExpired(master, manifest.description));
    const auto infos = [&](int64_t id) { return NewRegionsLike(manifest, to, id); };
    const auto fill = [&](const std::vector<AssignedRegion>& regions) {
      progress.SetTotal(static_cast<int64_t>(2 * regions.size()));  // imported, then opened
      return ImportRegions(master, manifest, folder, *table, regions, progress);
    };
    return MakeTable(master, table, infos, fill, progress);
  });
}

absl::Status RestoreSnapshot(MasterParts& master, const SnapshotDescription& snapshot, const TableName& table,
                             ProcedureExecutor::Progress& progress) {
  return master.snapshots->Read(snapshot, [&](const SnapshotManifest& manifest, const std::string& folder) {
    // The procedure of an older version has the snapshot's name only, and the lock is that of `table`.
    if (manifest.table.name != table) {
      return Error(ErrorKind::kSnapshotDoesNotExist, "Snapshot '" + snapshot.name + "' is of table " +
                                                         manifest.table.name.ToString() + ", not of " +
                                                         table.ToString() + ", which was to be restored");
    }
    return RestoreFrom(master, manifest, folder, progress);
  });
}

}  // namespace vaquita
