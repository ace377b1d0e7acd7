// server/data_root/sideline.h: root/sideline/<when>/: where data go that no region of hbase:meta has, so that nothing
// is deleted.
//
// A region's data are there as a handoff's are (server/data_root/handoff.h): <region>/<family>/<file>, hard links, and
// region.manifest, which says the region and its table as far as they are known. Nothing of it is ever removed, except
// by `vaquita fsck --repair`, which brings a region back. Threads: any; two may not use one folder at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/store_db.h"
#include "server/data_root/region_notes.h"
#include "server/data_root/snapshot_manifest.h"

namespace vaquita {

// root/sideline/<now>, which need not exist yet.
std::string SidelineFolder(const std::string& root, int64_t now_ms);

struct SidelinedRegion {
  std::string folder;
  SnapshotRegion region;  // as the manifest has it
};
// Moves stores of one region out of `db`: flushes them, links their files into a folder of the region's name in
// `sideline`, writes the manifest there, and drops them. `region` says which region it is, as far as that is known; its
// files are ignored.
absl::StatusOr<SidelinedRegion> SidelineStores(StoreDb* db, const std::vector<std::shared_ptr<Store>>& stores,
                                               SnapshotRegion region, const std::string& encoded_name,
                                               const std::string& sideline);

// Moves a whole folder there, as it is; where it is then.
absl::StatusOr<std::string> SidelineWhole(const std::string& folder, const std::string& sideline);

// A database that was just opened, and whose unknown stores (StoreDb::UnknownStores) nobody else can want.
struct UnknownStores {
  StoreDb* db = nullptr;
  std::string path;      // of the database
  std::string sideline;  // SidelineFolder
  FolderNotes notes;     // of the database
  // Regions whose data in the database do not count, by encoded name: they have a handoff.
  std::set<std::string, std::less<>> superseded;
};
// Drops those that are empty, superseded, or nothing but links to files that known stores have, too: crashes in splits,
// merges and moves leave these. The others go to the sideline, each with a warning in the log; answers how many.
absl::StatusOr<int64_t> SetUnknownStoresAside(const UnknownStores& unknown);

// Those that SetUnknownStoresAside would not drop.
std::vector<std::shared_ptr<Store>> UnknownStoresWithData(const UnknownStores& unknown);

// Returns whether a folder that nobody has open holds data that are in no other file: a database whose stores are not
// empty and not only links, or one that cannot be read.
bool HasDataOfItsOwn(const std::string& folder);

}  // namespace vaquita
