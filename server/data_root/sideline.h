// server/data_root/sideline.h: root/sideline/<when>/, the folder for data of no region of hbase:meta, so that they are
// not deleted.
//
// A region's data have the form of a handoff (server/data_root/handoff.h): hard links <region>/<family>/<file>, and
// region.manifest with the region and its table as far as they are known. Only `vaquita fsck --repair`, which brings a
// region back, removes data from it. Threads: any, but one at a time for a folder.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/store_db.h"
#include "server/data_root/region_notes.h"
#include "server/data_root/snapshot_manifest.h"

namespace vaquita {

// Returns root/sideline/<now>, which may not exist yet.
std::string SidelineFolder(const std::string& root, int64_t now_ms);
// Returns sideline/<name>, or <name>-2 and so on if that exists.
std::string FreeSidelinePath(const std::string& sideline, const std::string& name);

struct SidelinedRegion {
  std::string folder;
  SnapshotRegion region;  // the manifest's
};
// Moves stores of one region out of `db`: flushes them, links their files into a folder of the region's name in
// `sideline`, writes the manifest there, and drops them. `region` describes the region as far as it is known; its files
// are ignored.
absl::StatusOr<SidelinedRegion> SidelineStores(StoreDb* db, const std::vector<std::shared_ptr<Store>>& stores,
                                               SnapshotRegion region, const std::string& encoded_name,
                                               const std::string& sideline);

// Moves a whole folder there, as it is. Returns its new path.
absl::StatusOr<std::string> SidelineWhole(const std::string& folder, const std::string& sideline);

// A database that was just opened, and whose unknown stores (StoreDb::UnknownStores) belong to no region.
struct UnknownStores {
  StoreDb* db = nullptr;
  std::string path;      // the database's
  std::string sideline;  // SidelineFolder
  FolderNotes notes;     // the database's
  // Regions whose data in the database do not count because they have a handoff, by encoded name.
  std::set<std::string, std::less<>> superseded;
};
// Drops stores that are empty, superseded, or only links to files that known stores of the same rows of the same table
// have too: crashes in splits, merges and moves leave these. Moves the others to the sideline, each with a warning in
// the log, and returns their number.
absl::StatusOr<int64_t> SetUnknownStoresAside(const UnknownStores& unknown);

// Returns the stores that SetUnknownStoresAside would not drop.
std::vector<std::shared_ptr<Store>> UnknownStoresWithData(const UnknownStores& unknown);

// Returns whether a server's folder that nobody has open holds data: a database whose stores are not all empty, or are
// damaged, or one that cannot be read.
bool HasData(const std::string& folder);

// Removes a server's folder that nobody has open or that is fenced. If it `has_data` of its own, the whole folder moves
// to the sideline, with a warning in the log.
absl::Status RetireFolder(const std::string& root, const std::string& folder, const std::string& sideline,
                          bool has_data);

// Retires the folder of a server that is the home of no region, and that nobody has open. Data of its own belong to a
// region that the master does not know, because hbase:meta is damaged or the data are: they move to the sideline, each
// region by itself, or the whole folder if its database cannot be read. The log has warnings of these.
void RemoveUnneededFolder(const std::string& root, const StoreDbOptions& folder);

}  // namespace vaquita
