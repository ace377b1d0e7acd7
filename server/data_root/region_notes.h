// server/data_root/region_notes.h: a region server's folder describes the regions whose stores it has, so that
// hbase:meta and the table descriptors can be rebuilt from the folders alone.
//
// Notes of the database (StoreDb::PutNotes): "region/<encoded name>" has the region and the families that it has here,
// "table/<name>" its table's descriptor, "cluster" the cluster's id, "released/<encoded name>" that the region's data
// are in a handoff, or with whoever took that, "dropped/<store>" that the store is being dropped. Invariant: a family
// that is noted has a store here, or had one that was lost. So a store is made before its note, and the note goes
// before the store does. Disk: a region's note is a SnapshotRegionManifest without files (docs/formats.md). Threads:
// any.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/store_db.h"
#include "model/region_info.h"
#include "model/region_of_table.h"
#include "model/table_descriptor.h"

namespace vaquita {

struct NotedRegion {
  RegionInfo info;
  // FamilyDescriptor::StoreName; empty: the region was emptied, or dropped, or its table has none.
  std::set<std::string> families;
};

// All that a folder's notes say. A note that cannot be read is left out: it is only a help.
struct FolderNotes {
  std::map<std::string, NotedRegion, std::less<>> regions;  // by encoded name
  std::map<TableName, std::shared_ptr<const TableDescriptor>> tables;
  // Encoded names. Only those that were noted since the machine started: a power cut may take a handoff away.
  std::set<std::string, std::less<>> released;
  std::vector<std::string> dropped;  // stores that a crash has left in the midst of a drop, or after it
  std::string cluster_id;            // empty: not noted
};
FolderNotes ReadNotes(const StoreDb::NoteMap& notes);

// Reads the notes of a database that was just opened, and drops the stores that were to be dropped when it crashed: to
// drop several is not atomic by itself.
absl::StatusOr<FolderNotes> FinishDrops(StoreDb* db);

class RegionNotes {
 public:
  // Keeps the notes of an open database, which outlives it.
  static absl::StatusOr<std::unique_ptr<RegionNotes>> Load(StoreDb* db);

  // Returns the note of the region called `encoded_name`, or null if it has none.
  std::shared_ptr<const NotedRegion> Find(std::string_view encoded_name) const;
  std::shared_ptr<const TableDescriptor> TableOf(const NotedRegion& region) const;  // null: not noted

  // Notes the regions with those of their tables' families that have a store, unless all lack theirs. Writes only what
  // is new, and does not sync it: a note that a power cut takes away is written again when the region opens.
  absl::Status Put(const std::vector<RegionOfTable>& regions);
  // As above for a region that was open before notes were kept, which had all families: one without a store is lost.
  absl::Status PutOpened(const RegionOfTable& region);
  // The table was altered: of regions that are closed here.
  absl::Status PutTable(const TableDescriptor& table);
  // Before these stores go: their families are noted no more. A region that has none left stays noted, as emptied.
  // From then on a crash does not bring the stores back, until EndDrop.
  absl::Status BeginDrop(const std::vector<std::string>& stores);
  // Once the stores are gone, or stay.
  absl::Status EndDrop(const std::vector<std::string>& stores);
  // Once the regions' stores are gone: nothing is noted of them any more, nor of tables that have no region here.
  absl::Status Remove(const std::vector<std::string>& encoded_names);
  // Once the regions' handoffs are published, and until their stores are gone: whoever finds the stores may drop them,
  // also when the handoffs are used up. Put ends it, for the region has come back.
  absl::Status PutReleased(const std::vector<std::string>& encoded_names);
  absl::Status RemoveReleased(const std::vector<std::string>& encoded_names);
  // Removes the notes of regions that have no store and are not in `wanted`, by encoded name, and those of releases and
  // drops.
  absl::Status RemoveOthers(const std::set<std::string, std::less<>>& wanted);
  absl::Status PutClusterId(const std::string& id);

 private:
  explicit RegionNotes(StoreDb* db) : db_(db) {}
  void Add(const RegionOfTable& region, bool all_families, StoreDb::NoteMap* changes) const;
  // Writes those that change something. REQUIRES: mutex_ is held.
  absl::Status Write(const StoreDb::NoteMap& changes, Durability durability = Durability::kFsyncWal);
  void AddUnusedTables(StoreDb::NoteMap* changes) const;  // under mutex_

  StoreDb* const db_;
  mutable std::mutex mutex_;
  StoreDb::NoteMap notes_;  // as they are on the disk
};

}  // namespace vaquita
