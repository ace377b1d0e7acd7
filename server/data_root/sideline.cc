#include "server/data_root/sideline.h"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/durable_files.h"
#include "base/log.h"
#include "base/status.h"
#include "engine/nonce_store.h"
#include "engine/store_survey.h"
#include "region/region.h"
#include "server/data_root/handoff.h"
#include "server/data_root/server_folder.h"

namespace vaquita {
namespace {

namespace fs = std::filesystem;

using Stores = std::vector<std::shared_ptr<Store>>;
using Paths = std::vector<std::string>;

constexpr const char* kSidelineManifest = "/region.manifest";

std::string RegionOf(const Store& store) { return store.spec().name.substr(0, store.spec().name.find('/')); }
bool IsNonces(const Store& store) { return store.spec().family.name == NonceStore::kFamily; }
// The cells are counted, the bytes are an estimate after a start.
bool HasUnflushedCells(const Store& store) { return store.Metrics().memstore_cells > 0; }
bool IsEmpty(const Store& store) { return !HasUnflushedCells(store) && store.StoreFileCount() == 0; }

// 0: it is not there.
ino_t InodeOf(const std::string& path) {
  struct stat status;
  return stat(path.c_str(), &status) == 0 ? status.st_ino : 0;
}

// The inodes of the store files in `path` that are not files of `stores`.
std::set<ino_t> FilesOfOthers(const std::string& path, const Stores& stores) {
  std::set<std::string> theirs;
  for (const auto& store : stores) {
    for (const StoreFileInfo& file : store->Files()) theirs.insert(fs::path(file.name).filename().string());
  }
  std::set<ino_t> inodes;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(path, error)) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() == ".sst" && !theirs.contains(name)) inodes.insert(InodeOf(entry.path().string()));
  }
  return inodes;
}

ino_t InodeOf(const UnknownStores& unknown, const StoreFileInfo& file) {
  return InodeOf(unknown.path + "/" + fs::path(file.name).filename().string());
}

// The noted regions that have known stores, by the inodes of these.
std::multimap<ino_t, RegionInfo> OwnersOfFiles(const UnknownStores& unknown, const Stores& stores) {
  std::multimap<ino_t, RegionInfo> owners;
  for (const auto& [name, noted] : unknown.notes.regions) {
    for (const std::string& family : noted.families) {
      const auto store = unknown.db->Find(Region::StoreName(name, family));
      if (store == nullptr || std::find(stores.begin(), stores.end(), store) != stores.end()) continue;
      for (const StoreFileInfo& file : store->Files()) {
        owners.emplace(InodeOf(unknown, file), noted.info);
      }
    }
  }
  return owners;
}

// Says which of the unknown stores are only links to files of others. A split, a merge or a move leaves these, with
// files of regions that have the same rows of the same table. A clone of a snapshot shares files, too, and the store
// has data of its own then. What is not noted is taken for the former.
class LinkCheck {
 public:
  LinkCheck(const UnknownStores& unknown, const Stores& stores)
      : unknown_(unknown), of_others_(FilesOfOthers(unknown.path, stores)), owners_(OwnersOfFiles(unknown, stores)) {}

  bool HasOnlyLinks(const Store& store) const {
    const auto noted = unknown_.notes.regions.find(RegionOf(store));
    const RegionInfo* const region = noted == unknown_.notes.regions.end() ? nullptr : &noted->second.info;
    const std::vector<StoreFileInfo> files = store.Files();
    return !HasUnflushedCells(store) && std::all_of(files.begin(), files.end(), [&](const StoreFileInfo& file) {
      return IsOfRelatives(InodeOf(unknown_, file), region);
    });
  }

 private:
  bool IsOfRelatives(ino_t inode, const RegionInfo* region) const {
    if (!of_others_.contains(inode)) return false;
    const auto [begin, end] = owners_.equal_range(inode);
    return region == nullptr || begin == end || std::any_of(begin, end, [&](const auto& owned) {
             const RegionInfo& owner = owned.second;
             return owner.table == region->table && owner.Overlaps(*region);
           });
  }

  const UnknownStores& unknown_;
  const std::set<ino_t> of_others_;
  const std::multimap<ino_t, RegionInfo> owners_;
};

// Finds the region in the folder's notes.
SnapshotRegion WhatIsKnown(const FolderNotes& notes, const std::string& encoded_name) {
  SnapshotRegion region;
  const auto noted = notes.regions.find(encoded_name);
  if (noted == notes.regions.end()) return region;
  region.info = noted->second.info;
  if (const auto table = notes.tables.find(region.info.table); table != notes.tables.end()) {
    region.table = table->second;
  }
  return region;
}

// "3 files, 12345 bytes, rows 'a' to 'c'", of stores whose memstores are flushed.
std::string Extent(const Stores& stores) {
  int64_t files = 0, bytes = 0;
  std::string first, last;
  for (const auto& store : stores) {
    for (const StoreFileInfo& file : store->Files()) {
      if (files == 0 || file.first_row < first) first = file.first_row;
      if (files == 0 || file.last_row > last) last = file.last_row;
      bytes += file.bytes;
      ++files;
    }
  }
  return absl::StrCat(files, " files, ", bytes, " bytes, rows '", ToStringBinary(first), "' to '", ToStringBinary(last),
                      "'");
}

absl::Status CopyNonces(StoreDb* db, const std::string& folder, SnapshotRegion* region, Paths* copies) {
  const std::string family(NonceStore::kFamily), path = folder + "/" + family;
  VAQUITA_ASSIGN_OR_RETURN(auto files, db->nonces()->Export(region->info, path));
  if (files.empty()) return absl::OkStatus();
  region->files.emplace(family, std::move(files));
  copies->push_back(path);
  return absl::OkStatus();
}

// Links the files of a region's stores into the sideline, with a manifest. Adds the paths that are to be synced.
absl::StatusOr<SidelinedRegion> CopyToSideline(StoreDb* db, const Stores& stores, SnapshotRegion region,
                                               const std::string& encoded_name, const std::string& sideline,
                                               Paths* copies) {
  const std::string folder = FreeSidelinePath(sideline, encoded_name);
  VAQUITA_RETURN_IF_ERROR(CreateFolder(folder));
  region.files.clear();
  for (const auto& store : stores) {
    const std::string family = store->spec().family.StoreName();
    VAQUITA_ASSIGN_OR_RETURN(region.files[family], db->Export(store, folder + "/" + family));
    copies->push_back(folder + "/" + family);
  }
  if (region.info.id != 0) VAQUITA_RETURN_IF_ERROR(CopyNonces(db, folder, &region, copies));
  VAQUITA_RETURN_IF_ERROR(WriteFile(folder + kSidelineManifest, EncodeSnapshotRegion(region)));
  copies->push_back(folder + kSidelineManifest);
  copies->push_back(folder);
  return SidelinedRegion{folder, std::move(region)};
}

// Drops stores that were copied to the sideline, once these copies are on the disk. The first sync writes what most of
// the others wait for, so many regions together cost little more than one.
absl::Status DropCopied(StoreDb* db, const Stores& stores, const Paths& copies, const std::string& sideline) {
  for (const std::string& path : copies) VAQUITA_RETURN_IF_ERROR(SyncPath(path));
  VAQUITA_RETURN_IF_ERROR(SyncPath(sideline));
  std::vector<std::string> names;
  for (const auto& store : stores) names.push_back(store->spec().name);
  return db->Drop(names);
}

absl::Status SetAside(const UnknownStores& unknown, const Stores& with_data) {
  VAQUITA_RETURN_IF_ERROR(unknown.db->Flush(with_data));
  std::map<std::string, Stores> regions;
  for (const auto& store : with_data) regions[RegionOf(*store)].push_back(store);
  Paths copies;
  for (const auto& [name, stores] : regions) {
    const std::string extent = Extent(stores);
    const auto sidelined =
        CopyToSideline(unknown.db, stores, WhatIsKnown(unknown.notes, name), name, unknown.sideline, &copies);
    VAQUITA_RETURN_IF_ERROR(Annotate(sidelined.status(), "move region " + name + " to " + unknown.sideline));
    spdlog::warn(
        "{} has data that hbase:meta does not name: region {} of {}, {}; they move to {}; `vaquita fsck` says what "
        "becomes of them",
        unknown.path, name,
        sidelined->region.info.id == 0 ? "a table that is not known" : sidelined->region.info.table.ToString(), extent,
        sidelined->folder);
  }
  return DropCopied(unknown.db, with_data, copies, unknown.sideline);
}

// With manifests, by which `vaquita fsck` brings the regions back. Damaged stores stay.
absl::Status SetAllStoresAside(const std::string& root, const StoreDbOptions& folder, const std::string& sideline) {
  VAQUITA_ASSIGN_OR_RETURN(const auto db, StoreDb::Open(folder, [](std::string_view) { return nullptr; }));
  VAQUITA_ASSIGN_OR_RETURN(FolderNotes notes, FinishDrops(db.get()));
  VAQUITA_ASSIGN_OR_RETURN(const auto handoffs, ListHandoffs(root));
  return SetUnknownStoresAside({.db = db.get(),
                                .path = folder.path,
                                .sideline = sideline,
                                .notes = std::move(notes),
                                .superseded = {handoffs.begin(), handoffs.end()}})
      .status();
}

}  // namespace

std::string SidelineFolder(const std::string& root, int64_t now_ms) { return absl::StrCat(root, "/sideline/", now_ms); }

std::string FreeSidelinePath(const std::string& sideline, const std::string& name) {
  std::string path = sideline + "/" + name;
  for (int i = 2; PathExists(path); ++i) path = absl::StrCat(sideline, "/", name, "-", i);
  return path;
}

absl::StatusOr<SidelinedRegion> SidelineStores(StoreDb* db, const Stores& stores, SnapshotRegion region,
                                               const std::string& encoded_name, const std::string& sideline) {
  VAQUITA_RETURN_IF_ERROR(db->Flush(stores));
  Paths copies;
  VAQUITA_ASSIGN_OR_RETURN(SidelinedRegion sidelined,
                           CopyToSideline(db, stores, std::move(region), encoded_name, sideline, &copies));
  VAQUITA_RETURN_IF_ERROR(DropCopied(db, stores, copies, sideline));
  return sidelined;
}

absl::StatusOr<std::string> SidelineWhole(const std::string& folder, const std::string& sideline) {
  VAQUITA_RETURN_IF_ERROR(CreateFolder(sideline));
  std::string to = FreeSidelinePath(sideline, fs::path(folder).filename().string());
  VAQUITA_RETURN_IF_ERROR(RenamePath(folder, to));
  VAQUITA_RETURN_IF_ERROR(SyncPath(sideline));
  return to;
}

Stores UnknownStoresWithData(const UnknownStores& unknown) {
  const Stores stores = unknown.db->UnknownStores();
  const LinkCheck links(unknown, stores);
  Stores with_data;
  for (const auto& store : stores) {
    const std::string region = RegionOf(*store);
    const bool is_free = IsEmpty(*store) || unknown.superseded.contains(region) ||
                         unknown.notes.released.contains(region) || links.HasOnlyLinks(*store);
    if (!is_free && !IsNonces(*store)) with_data.push_back(store);
  }
  return with_data;
}

absl::StatusOr<int64_t> SetUnknownStoresAside(const UnknownStores& unknown) {
  const auto kept = unknown.db->KeepFiles();
  VAQUITA_RETURN_IF_ERROR(kept.status());
  const Stores with_data = UnknownStoresWithData(unknown);
  if (!with_data.empty()) VAQUITA_RETURN_IF_ERROR(SetAside(unknown, with_data));
  std::vector<std::string> rest;
  for (const auto& store : unknown.db->UnknownStores()) {
    spdlog::info("dropping store {}: it belongs to no region, and has no data of its own", store->spec().name);
    rest.push_back(store->spec().name);
  }
  if (!rest.empty()) VAQUITA_RETURN_IF_ERROR(unknown.db->Drop(rest));
  return static_cast<int64_t>(with_data.size());
}

bool HasData(const std::string& folder) {
  bool has_file = false;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    has_file = has_file || entry.path().extension() == ".sst" || entry.path().extension() == ".log";
  }
  // Without CURRENT there is no database, unless it lost it.
  if (!PathExists(folder + "/CURRENT")) return has_file;
  const auto lock = DatabaseLock::Take(folder);
  const auto stores = lock.ok() ? SurveyStores(folder) : lock.status();
  if (!stores.ok()) return true;
  return std::any_of(stores->begin(), stores->end(), [](const SurveyedStore& store) {
    const bool is_nonces = store.name.ends_with("/" + std::string(NonceStore::kFamily));
    return !is_nonces && (!store.empty || !store.damage.empty());
  });
}

absl::Status RetireFolder(const std::string& root, const std::string& folder, const std::string& sideline,
                          bool has_data) {
  if (!has_data) return RemoveServerFolder(root, folder);
  VAQUITA_ASSIGN_OR_RETURN(const std::string kept, SidelineWhole(folder, sideline));
  spdlog::warn("{} has data that belong to no region of hbase:meta: moved to {}; run `vaquita fsck` on them", folder,
               kept);
  return absl::OkStatus();
}

void RemoveUnneededFolder(const std::string& root, const StoreDbOptions& folder) {
  const std::string sideline = SidelineFolder(root, folder.clock->NowMs());
  bool has_data = HasData(folder.path);
  // Without CURRENT, an open would make an empty database among the files, and delete these.
  if (has_data && PathExists(folder.path + "/CURRENT")) {
    const absl::Status moved = SetAllStoresAside(root, folder, sideline);
    if (!moved.ok()) spdlog::warn("{}", moved.ToString());
    has_data = HasData(folder.path);
  }
  const absl::Status retired = RetireFolder(root, folder.path, sideline, has_data);
  if (!retired.ok()) spdlog::warn("{} is not needed, and stays: {}", folder.path, retired.ToString());
}

}  // namespace vaquita
