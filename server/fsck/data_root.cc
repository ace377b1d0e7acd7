#include "server/fsck/data_root.h"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "base/durable_files.h"
#include "base/status.h"
#include "engine/append_marks.h"
#include "engine/manifest_check.h"
#include "engine/nonce_store.h"
#include "engine/verify_files.h"
#include "proto/hbase/stored_values.h"
#include "region/known_stores.h"
#include "server/data_root/data_format.h"
#include "server/data_root/handoff.h"
#include "server/data_root/master_address.h"
#include "server/data_root/region_notes.h"
#include "server/data_root/server_folder.h"
#include "server/data_root/sideline.h"
#include "server/data_root/snapshot_folder.h"
#include "server/fsck/rebuild_folder.h"
#include "server/fsck/root_check.h"
#include "server/master/meta/meta_region.h"
#include "server/master/meta/namespaces.h"
#include "server/master/meta/own_server.h"
#include "server/master/meta/quota_table.h"
#include "server/master/meta/scan_all.h"

namespace vaquita::fsck {
namespace {

namespace fs = std::filesystem;

bool HasEntries(const std::string& folder) {
  const auto names = ListFolder(folder);
  return names.ok() && !names->empty();
}

std::pair<std::string, std::string> RegionAndFamily(std::string_view store) {
  const size_t slash = store.find('/');
  if (slash == std::string_view::npos) return {std::string(store), ""};
  return {std::string(store.substr(0, slash)), std::string(store.substr(slash + 1))};
}

void Know(const RegionInfo& info, Picture* picture) {
  RegionInfo region = info;
  region.offline = region.split = false;  // its name does not say these
  picture->known_regions.emplace(info.EncodedName(), std::move(region));
}

// Gives tables without a known descriptor the families that their regions have on the disk.
void GuessDescriptors(Picture* picture) {
  for (const RegionData& data : picture->data) {
    const RegionInfo* const known = picture->KnownRegion(data.region);
    if (known == nullptr || data.stores.empty()) continue;
    TableDescriptor table;
    table.name = known->table;
    for (const StoreOnDisk& found : data.stores) {
      FamilyDescriptor family = FamilyDescriptor::OfStore(found.family);
      FamilyDescriptor& newest = table.families[family.name];
      if (newest.generation.added_ms <= family.generation.added_ms) newest = std::move(family);
    }
    picture->former_descriptors.emplace(known->table, std::make_shared<const TableDescriptor>(std::move(table)));
  }
}

std::map<std::string, RegionData> ByRegion(std::vector<SurveyedStore> stores) {
  std::map<std::string, RegionData> regions;
  for (SurveyedStore& store : stores) {
    auto [name, family] = RegionAndFamily(store.name);
    if (family == NonceStore::kFamily) continue;  // belongs to a region's life, not to its data
    RegionData& region = regions[name];
    region.region = name;
    region.stores.push_back({.family = std::move(family),
                             .empty = store.empty,
                             .first_row = std::move(store.first_row),
                             .last_row = std::move(store.last_row),
                             .has_memstore = store.has_memstore,
                             .files = std::move(store.files),
                             .bad_files = std::move(store.bad_files),
                             .damage = std::move(store.damage)});
  }
  return regions;
}

}  // namespace

absl::StatusOr<std::unique_ptr<DataRoot>> DataRoot::Open(const std::string& path, const Options* options,
                                                         Clock* clock) {
  const std::string full = AbsolutePath(path);
  if (!IsDataFolder(full)) return absl::NotFoundError(full + " is not the data folder of a server");
  auto root = std::unique_ptr<DataRoot>(new DataRoot(full, options, clock));
  VAQUITA_ASSIGN_OR_RETURN(root->lock_, FolderLock::Take(full));
  VAQUITA_RETURN_IF_ERROR(CheckDataFormat(full));
  absl::Status opened = CheckMetaIsThere(full);
  if (opened.ok()) {
    opened = root->OpenMaster(full + "/master");
    // A process has it open.
    if (absl::IsFailedPrecondition(opened)) return opened;
  }
  if (opened.ok()) opened = CheckMetaIsNotEmptied(full, *root->meta_);
  // The checks above say FailedPrecondition. Any other error may pass, and must not cost a good hbase:meta.
  if (!opened.ok() && !absl::IsFailedPrecondition(opened) && !IsMetaDamage(opened)) {
    return Annotate(opened, "nothing was checked, because hbase:meta cannot be read now, which need not be damage");
  }
  VAQUITA_RETURN_IF_ERROR(NameOldStandaloneFolder(full, opened.ok() ? root->meta_.get() : nullptr));
  if (opened.ok()) return root;
  root->CloseMaster();
  root->meta_damage_ = DamagedPlace{"master", std::string(opened.message())};
  return root;
}

void DataRoot::CloseMaster() {
  store_.reset();
  meta_.reset();
  namespaces_.reset();
  meta_region_.reset();
  store_region_.reset();
  master_.reset();
}

absl::Status DataRoot::RebuildMeta(const std::string& sideline, const std::function<absl::Status()>& fill) {
  const std::string folder = path_ + "/master";
  const std::string keep = FreeSidelinePath(sideline, "master");
  const std::string draft = keep + ".draft";
  VAQUITA_RETURN_IF_ERROR(RemoveAll(draft));
  VAQUITA_RETURN_IF_ERROR(CreateFolder(draft));
  absl::Status made = OpenMaster(draft);
  if (made.ok()) made = fill();
  CloseMaster();
  if (made.ok()) made = SyncFolders(draft);
  if (!made.ok()) {
    RemoveAll(draft).IgnoreError();
    return made;
  }
  if (PathExists(folder)) {
    VAQUITA_RETURN_IF_ERROR(RenamePath(draft, keep));
    VAQUITA_RETURN_IF_ERROR(ExchangePaths(keep, folder));
  } else {
    VAQUITA_RETURN_IF_ERROR(RenamePath(draft, folder));
  }
  for (const std::string& path : {path_, sideline}) VAQUITA_RETURN_IF_ERROR(SyncPath(path));
  VAQUITA_RETURN_IF_ERROR(OpenMaster(folder));
  meta_damage_.reset();
  return absl::OkStatus();
}

absl::Status DataRoot::OpenMaster(const std::string& folder) {
  CloseMaster();
  const std::vector<std::pair<RegionInfo, std::shared_ptr<const TableDescriptor>>> own = {
      {MetaTable::Info(), MetaTable::Descriptor()},
      {MasterStore::Info(), MasterStore::Descriptor()},
      {Namespaces::Info(), Namespaces::Descriptor()},
      {QuotaTable::Info(), QuotaTable::Descriptor()}};
  MetaStores meta_stores(options_);
  KnownStores known(options_);
  for (const auto& [info, table] : own) known.Add(info, *table);
  const auto resolve = [&](std::string_view store) {
    auto spec = meta_stores.Find(store);
    if (spec == nullptr) spec = known.Find(store);
    return spec == nullptr ? std::make_unique<StoreSpec>(SpecOf(store, Picture())) : std::move(spec);
  };
  const StoreDbOptions database{.path = folder, .options = options_, .clock = clock_, .refuse_damage = true};
  VAQUITA_ASSIGN_OR_RETURN(master_, StoreDb::Open(database, resolve));
  VAQUITA_ASSIGN_OR_RETURN(store_region_, Region::OpenOrCreate(master_.get(), own[1].first, own[1].second));
  VAQUITA_ASSIGN_OR_RETURN(store_, MasterStore::Load(store_region_, clock_));
  VAQUITA_ASSIGN_OR_RETURN(meta_region_, meta_stores.OpenRegion(master_.get(), *store_));
  VAQUITA_ASSIGN_OR_RETURN(meta_, MetaTable::Open(meta_region_, clock_));
  VAQUITA_ASSIGN_OR_RETURN(const auto namespaces, Region::OpenOrCreate(master_.get(), own[2].first, own[2].second));
  VAQUITA_ASSIGN_OR_RETURN(namespaces_, Namespaces::Load(namespaces, clock_));
  return absl::OkStatus();
}

absl::StatusOr<Picture> DataRoot::Survey(bool deep) {
  open_.clear();
  Picture picture;
  picture.is_stopped = true;
  picture.meta_damage = meta_damage_;
  if (!meta_damage_.has_value()) {
    VAQUITA_RETURN_IF_ERROR(SurveyMeta(&picture));
    VAQUITA_RETURN_IF_ERROR(SurveyHistory(&picture));
  } else if (const auto address = ReadMasterAddress(path_); address.ok()) {
    picture.cluster_id = address->cluster_id;
  }
  VAQUITA_RETURN_IF_ERROR(SurveyFolders("server", deep, &picture));
  VAQUITA_RETURN_IF_ERROR(SurveyFolders("recovering", deep, &picture));
  VAQUITA_RETURN_IF_ERROR(SurveyHandoffs(&picture));
  VAQUITA_RETURN_IF_ERROR(SurveySideline(&picture));
  VAQUITA_RETURN_IF_ERROR(SurveySnapshots(&picture));
  GuessDescriptors(&picture);
  if (deep) VAQUITA_RETURN_IF_ERROR(ReadExports(&picture));
  return picture;
}

absl::Status DataRoot::SurveyMeta(Picture* picture) {
  VAQUITA_ASSIGN_OR_RETURN(MetaTable::Contents contents, meta_->Load(&picture->bad_rows));
  for (MetaTable::Row& row : contents.regions) {
    if (IsMastersOwn(row.region.info.table)) continue;
    Know(row.region.info, picture);
    for (const auto* others : {&row.daughters, &row.merge_parents}) {
      for (const RegionInfo& other : *others) Know(other, picture);
    }
    picture->rows.push_back(std::move(row));
  }
  picture->states = std::move(contents.states);
  std::erase_if(picture->states, [](const auto& state) { return IsMastersOwn(state.first); });
  store_.reset();
  VAQUITA_ASSIGN_OR_RETURN(store_, MasterStore::Load(store_region_, clock_));
  picture->descriptors = store_->descriptors();
  for (const auto& [table, descriptor] : picture->descriptors) {
    if (picture->states.contains(table)) continue;
    const bool has_regions =
        std::any_of(picture->rows.begin(), picture->rows.end(),
                    [&table = table](const MetaTable::Row& row) { return row.region.info.table == table; });
    if (has_regions) continue;
    picture->leftovers.push_back({"master", "the descriptor of table " + table.ToString() + ", which does not exist"});
  }
  return absl::OkStatus();
}

// Newer cells come first, and count.
absl::Status DataRoot::SurveyHistory(Picture* picture) {
  VAQUITA_ASSIGN_OR_RETURN(const ResultBatch meta, ScanAll(*meta_region_, HistoryScan()));
  for (size_t i = 0; i < meta.cells.size(); ++i) {
    const CellView cell = meta.cells[i];
    if (cell.family != "info" || cell.type != CellType::kPut) continue;
    const auto info = DecodeRegionInfo(cell.value);
    if (info.ok() && !IsMastersOwn(info->table)) Know(*info, picture);
  }
  VAQUITA_ASSIGN_OR_RETURN(const ResultBatch store, ScanAll(*store_region_, HistoryScan()));
  for (size_t i = 0; i < store.cells.size(); ++i) {
    const CellView cell = store.cells[i];
    if (cell.qualifier != "schema" || cell.type != CellType::kPut) continue;
    auto table = DecodeTableDescriptor(cell.value);
    if (!table.ok()) continue;
    const TableName name = table->name;
    picture->former_descriptors.emplace(name, std::make_shared<const TableDescriptor>(*std::move(table)));
  }
  return absl::OkStatus();
}

absl::Status DataRoot::SurveyFolders(const std::string& parent, bool deep, Picture* picture) {
  VAQUITA_ASSIGN_OR_RETURN(const auto names, ListFolder(path_ + "/" + parent));
  for (const std::string& name : names) {
    const std::string place = parent + "/" + name;
    if (parent == "recovering" && IsLeftoverFolder(name, true)) {
      picture->leftovers.push_back({place, "a folder whose regions were all handed over"});
      continue;
    }
    if (!locks_.contains(place)) {
      VAQUITA_ASSIGN_OR_RETURN(locks_[place], DatabaseLock::Take(path_ + "/" + place));
    }
    VAQUITA_RETURN_IF_ERROR(SurveyFolder(place, deep, picture));
  }
  return absl::OkStatus();
}

absl::Status DataRoot::SurveyFolder(const std::string& place, bool deep, Picture* picture) {
  const std::string folder = path_ + "/" + place;
  if (HasEntries(folder + "/handoff-drafts")) picture->leftovers.push_back({place, "drafts of handoffs"});
  if (HasUnusedLinks(folder)) picture->leftovers.push_back({place, "links of a split, a merge or an import"});
  StoreDb::NoteMap all_notes;
  auto stores = SurveyStores(folder, &all_notes);
  if (!stores.ok()) {
    VAQUITA_ASSIGN_OR_RETURN(const ManifestCheck manifest, CheckManifest(folder, AppendMarks::Read(folder)));
    DamagedPlace& damaged = picture->unreadable_folders.emplace_back();
    damaged = {.place = place, .why = std::string(stores.status().message())};
    if (!manifest.damage.empty()) damaged.remedy = manifest.mendable ? Remedy::kMend : Remedy::kRebuild;
    return absl::OkStatus();
  }
  const bool is_unread =
      std::any_of(stores->begin(), stores->end(), [](const auto& store) { return store.unreadable; });
  if (deep || is_unread) VAQUITA_RETURN_IF_ERROR(ReadFilesOf(place, picture));
  const FolderNotes notes = ReadNotes(all_notes);
  if (picture->cluster_id.empty()) picture->cluster_id = notes.cluster_id;
  for (const auto& [name, noted] : notes.regions) {
    Know(noted.info, picture);
    if (noted.families.empty()) picture->emptied.insert(name);
  }
  for (const auto& [name, table] : notes.tables) picture->former_descriptors.emplace(name, table);
  std::map<std::string, RegionData> regions = ByRegion(*std::move(stores));
  const auto owners = OwnersOfFolder(folder);
  if (!owners.ok()) {
    picture->unreadable_folders.push_back({place, std::string(owners.status().message())});
    return absl::OkStatus();
  }
  for (auto& [name, region] : regions) {
    region.place = place;
    region.owners = *owners;
    if (const auto noted = notes.regions.find(name); noted != notes.regions.end()) {
      region.noted_families = noted->second.families;
    }
    picture->data.push_back(std::move(region));
  }
  return absl::OkStatus();
}

// Every block of the files of handoffs and snapshots.
absl::Status DataRoot::ReadExports(Picture* picture) {
  for (const char* const parent : {"handoff", "snapshots"}) {
    std::error_code error;
    fs::recursive_directory_iterator it(path_ + "/" + parent, error), end;
    for (; !error && it != end; it.increment(error)) {
      if (it->path().extension() != ".sst") continue;
      const absl::Status read = VerifyStoreFile(it->path().string());
      if (read.ok()) continue;
      const std::string place = it->path().parent_path().string().substr(path_.size() + 1);
      picture->damaged_files.push_back(
          {.place = place, .file = it->path().filename().string(), .what = std::string(read.message())});
    }
    if (error && error != std::errc::no_such_file_or_directory) {
      return absl::UnavailableError("read " + path_ + "/" + parent + ": " + error.message());
    }
  }
  return absl::OkStatus();
}

// Every block and every record of the database in a server's folder.
absl::Status DataRoot::ReadFilesOf(const std::string& place, Picture* picture) {
  VAQUITA_ASSIGN_OR_RETURN(const auto bad, VerifyDatabase(path_ + "/" + place));
  for (const BadFile& file : bad) {
    auto [region, family] = RegionAndFamily(file.store);
    picture->damaged_files.push_back({place, file.file, std::move(region), std::move(family), file.what});
  }
  return absl::OkStatus();
}

absl::Status DataRoot::SurveyHandoffs(Picture* picture) {
  VAQUITA_ASSIGN_OR_RETURN(const auto names, ListFolder(path_ + "/handoff"));
  for (const std::string& name : names) {
    const std::string place = "handoff/" + name;
    if (!HasHandoff(path_, name)) {
      picture->leftovers.push_back({place, "what is left of a handoff"});
      continue;
    }
    const auto region = ReadHandoff(path_, name);
    if (!region.ok()) {
      picture->unreadable_folders.push_back({place, std::string(region.status().message())});
      continue;
    }
    picture->data.push_back(SurveyExport(place, *region, picture));
    picture->data.back().region = name;
  }
  return absl::OkStatus();
}

// A folder of files and their manifest.
RegionData DataRoot::SurveyExport(const std::string& place, const SnapshotRegion& region, Picture* picture) {
  RegionData data{.region = region.info.EncodedName(), .place = place, .info = region.info};
  for (const auto& [family, files] : region.files) {
    if (family == NonceStore::kFamily) continue;
    StoreOnDisk store{.family = family, .empty = files.empty()};
    for (const ExportedFile& file : files) {
      struct stat status;
      const std::string path = path_ + "/" + place + "/" + family + "/" + file.name;
      if (stat(path.c_str(), &status) != 0 || status.st_size != file.bytes) {
        store.bad_files.emplace(file.name, "store file " + file.name + " is missing, or cut");
      } else {
        store.files.push_back(status.st_ino);
      }
    }
    data.stores.push_back(std::move(store));
  }
  Know(region.info, picture);
  if (region.table != nullptr) picture->former_descriptors.emplace(region.table->name, region.table);
  return data;
}

// Takes from there only data that say which region they were, and are whole. A folder without a manifest is no
// region's.
absl::Status DataRoot::SurveySideline(Picture* picture) {
  VAQUITA_ASSIGN_OR_RETURN(const auto moments, ListFolder(path_ + "/sideline"));
  for (const std::string& moment : moments) {
    const auto names = ListFolder(path_ + "/sideline/" + moment);
    if (!names.ok()) {
      picture->unreadable_sideline.push_back({"sideline/" + moment, std::string(names.status().message())});
      continue;
    }
    for (const std::string& name : *names) {
      const std::string place = "sideline/" + moment + "/" + name;
      const auto bytes = ReadFile(path_ + "/" + place + "/region.manifest");
      if (absl::IsNotFound(bytes.status())) continue;
      const auto region = bytes.ok() ? DecodeSnapshotRegion(*bytes) : bytes.status();
      if (!region.ok()) {
        picture->unreadable_sideline.push_back({place, std::string(region.status().message())});
        continue;
      }
      if (region->info.id == 0) continue;
      RegionData data = SurveyExport(place, *region, picture);
      const auto cut = std::find_if(data.stores.begin(), data.stores.end(),
                                    [](const StoreOnDisk& store) { return !store.bad_files.empty(); });
      data.is_sidelined = true;
      if (cut != data.stores.end()) {
        picture->unreadable_sideline.push_back(
            {place, "family " + cut->family + ": " + cut->bad_files.begin()->second});
      } else {
        picture->data.push_back(std::move(data));
      }
    }
  }
  return absl::OkStatus();
}

absl::Status DataRoot::SurveySnapshots(Picture* picture) {
  const std::string folder = path_ + "/snapshots";
  if (HasEntries(folder + "/.tmp")) picture->leftovers.push_back({"snapshots/.tmp", "drafts of snapshots"});
  VAQUITA_ASSIGN_OR_RETURN(const auto names, ListFolder(folder));
  for (const std::string& name : names) {
    if (name == ".tmp") continue;
    const std::string place = "snapshots/" + name;
    const auto snapshot = ReadSnapshot(path_ + "/" + place);
    if (!snapshot.ok()) {
      picture->bad_snapshots.push_back({place, std::string(snapshot.status().message())});
      continue;
    }
    picture->former_descriptors.emplace(snapshot->table.name, std::make_shared<const TableDescriptor>(snapshot->table));
    for (const SnapshotRegion& region : snapshot->regions) Know(region.info, picture);
    for (const std::string& file : MissingFiles(*snapshot, path_ + "/" + place)) {
      picture->bad_snapshots.push_back({place + "/" + file, "the file is missing, or cut"});
    }
  }
  return absl::OkStatus();
}

// ---- for repairs ----

absl::Status DataRoot::MendFolder(const std::string& place) {
  const std::string folder = path_ + "/" + place;
  VAQUITA_ASSIGN_OR_RETURN(const ManifestCheck manifest, CheckManifest(folder, AppendMarks::Read(folder)));
  return MendManifest(folder, manifest);
}

absl::StatusOr<std::string> DataRoot::RebuildFolder(const std::string& place, const Picture& picture,
                                                    const std::string& keep) {
  return fsck::RebuildFolder({path_, place, keep, options_, clock_}, picture);
}

absl::StatusOr<StoreDb*> DataRoot::OpenPlace(const std::string& place, const Picture& picture) {
  std::unique_ptr<StoreDb>& db = open_[place];
  if (db != nullptr) return db.get();
  locks_.erase(place);
  const auto resolve = [&](std::string_view store) { return std::make_unique<StoreSpec>(SpecOf(store, picture)); };
  VAQUITA_ASSIGN_OR_RETURN(db, StoreDb::Open({path_ + "/" + place, options_, clock_}, resolve));
  return db.get();
}

absl::Status DataRoot::ForgetFile(const std::string& place, const std::string& file, const Picture& picture,
                                  const std::string& keep) {
  open_.erase(place);
  VAQUITA_RETURN_IF_ERROR(CreateFolder(keep));
  const std::string path = path_ + "/" + place + "/" + file;
  if (PathExists(path)) VAQUITA_RETURN_IF_ERROR(RenamePath(path, keep + "/" + file));
  return ForgetMissing(place, picture, keep + "/" + file + ".store");
}

absl::Status DataRoot::ForgetMissing(const std::string& place, const Picture& picture, const std::string& keep) {
  VAQUITA_ASSIGN_OR_RETURN(StoreDb* const db, OpenPlace(place, picture));
  return db->AcceptDamage(keep + "/damage");
}

}  // namespace vaquita::fsck
