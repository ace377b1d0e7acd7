#include "server/data_root/region_notes.h"

#include <utility>

#include "base/log.h"
#include "base/status.h"
#include "engine/append_marks.h"
#include "proto/hbase/stored_values.h"
#include "region/region.h"
#include "server/data_root/snapshot_manifest.h"

namespace vaquita {
namespace {

constexpr std::string_view kRegionPrefix = "region/";
constexpr std::string_view kTablePrefix = "table/";
constexpr std::string_view kReleasedPrefix = "released/";
constexpr std::string_view kDroppedPrefix = "dropped/";
constexpr std::string_view kCluster = "cluster";

std::string RegionNote(std::string_view encoded_name) { return std::string(kRegionPrefix) + std::string(encoded_name); }
std::string ReleasedNote(std::string_view encoded_name) {
  return std::string(kReleasedPrefix) + std::string(encoded_name);
}
std::string DroppedNote(std::string_view store) { return std::string(kDroppedPrefix) + std::string(store); }
std::string TableNote(const TableName& table) { return std::string(kTablePrefix) + table.ToString(); }

std::string Encode(const NotedRegion& region) {
  SnapshotRegion manifest{.info = region.info, .files = {}};
  for (const std::string& family : region.families) manifest.files[family];
  return EncodeSnapshotRegion(manifest);
}

absl::StatusOr<NotedRegion> Decode(std::string_view bytes) {
  VAQUITA_ASSIGN_OR_RETURN(SnapshotRegion manifest, DecodeSnapshotRegion(bytes));
  NotedRegion region{.info = std::move(manifest.info), .families = {}};
  for (const auto& [family, files] : manifest.files) region.families.insert(family);
  return region;
}

}  // namespace

FolderNotes ReadNotes(const StoreDb::NoteMap& notes) {
  FolderNotes folder;
  const uint64_t boot_id = BootId();
  for (const auto& [name, value] : notes) {
    absl::Status read;
    if (name.starts_with(kRegionPrefix)) {
      auto region = Decode(value);
      read = region.status();
      if (region.ok()) folder.regions.emplace(name.substr(kRegionPrefix.size()), *std::move(region));
    } else if (name.starts_with(kTablePrefix)) {
      auto table = DecodeTableDescriptor(value);
      read = table.status();
      if (table.ok()) {
        const TableName table_name = table->name;
        folder.tables.emplace(table_name, std::make_shared<const TableDescriptor>(*std::move(table)));
      }
    } else if (name.starts_with(kReleasedPrefix)) {
      if (boot_id != 0 && value == std::to_string(boot_id)) folder.released.insert(name.substr(kReleasedPrefix.size()));
    } else if (name.starts_with(kDroppedPrefix)) {
      folder.dropped.push_back(name.substr(kDroppedPrefix.size()));
    } else if (name == kCluster) {
      folder.cluster_id = value;
    }
    if (!read.ok()) spdlog::warn("note {} is passed over: {}", name, read.ToString());
  }
  return folder;
}

absl::StatusOr<FolderNotes> FinishDrops(StoreDb* db) {
  VAQUITA_ASSIGN_OR_RETURN(const StoreDb::NoteMap all, db->Notes());
  FolderNotes notes = ReadNotes(all);
  if (notes.dropped.empty()) return notes;
  spdlog::info("{} stores are dropped, as was begun before the crash", notes.dropped.size());
  VAQUITA_RETURN_IF_ERROR(db->Drop(notes.dropped));
  return notes;
}

absl::StatusOr<std::unique_ptr<RegionNotes>> RegionNotes::Load(StoreDb* db) {
  auto notes = std::unique_ptr<RegionNotes>(new RegionNotes(db));
  VAQUITA_ASSIGN_OR_RETURN(notes->notes_, db->Notes());
  return notes;
}

std::shared_ptr<const NotedRegion> RegionNotes::Find(std::string_view encoded_name) const {
  std::lock_guard lock(mutex_);
  const auto found = notes_.find(RegionNote(encoded_name));
  if (found == notes_.end()) return nullptr;
  auto region = Decode(found->second);
  return region.ok() ? std::make_shared<const NotedRegion>(*std::move(region)) : nullptr;
}

std::shared_ptr<const TableDescriptor> RegionNotes::TableOf(const NotedRegion& region) const {
  std::lock_guard lock(mutex_);
  const auto found = notes_.find(TableNote(region.info.table));
  if (found == notes_.end()) return nullptr;
  auto table = DecodeTableDescriptor(found->second);
  return table.ok() ? std::make_shared<const TableDescriptor>(*std::move(table)) : nullptr;
}

// A region without any store is not noted.
void RegionNotes::Add(const RegionOfTable& region, bool all_families, StoreDb::NoteMap* changes) const {
  const std::string name = region.info.EncodedName();
  (*changes)[ReleasedNote(name)];
  std::set<std::string> all, found;
  for (const auto& [family, descriptor] : region.table->families) {
    all.insert(descriptor.StoreName());
    if (db_->Find(Region::StoreName(name, descriptor)) != nullptr) found.insert(descriptor.StoreName());
  }
  if (found.empty() && !all.empty()) return;
  (*changes)[RegionNote(name)] = Encode({region.info, all_families ? all : found});
  std::string& table = (*changes)[TableNote(region.info.table)];
  if (table.empty()) table = EncodeTableDescriptor(*region.table);
}

absl::Status RegionNotes::Put(const std::vector<RegionOfTable>& regions) {
  StoreDb::NoteMap changes;
  for (const RegionOfTable& region : regions) Add(region, /*all_families=*/false, &changes);
  std::lock_guard lock(mutex_);
  return Write(changes, Durability::kSyncWal);
}

absl::Status RegionNotes::PutOpened(const RegionOfTable& region) {
  StoreDb::NoteMap changes;
  Add(region, /*all_families=*/true, &changes);
  std::lock_guard lock(mutex_);
  return Write(changes);
}

absl::Status RegionNotes::BeginDrop(const std::vector<std::string>& stores) {
  std::lock_guard lock(mutex_);
  StoreDb::NoteMap changes;
  std::map<std::string, NotedRegion> regions;
  for (const std::string& store : stores) {
    changes[DroppedNote(store)] = "1";
    const size_t slash = store.find('/');
    if (slash == std::string::npos) continue;
    const std::string note = RegionNote(std::string_view(store).substr(0, slash));
    if (!regions.contains(note)) {
      const auto found = notes_.find(note);
      if (found == notes_.end()) continue;
      auto region = Decode(found->second);
      if (!region.ok()) continue;
      regions.emplace(note, *std::move(region));
    }
    regions.at(note).families.erase(store.substr(slash + 1));
  }
  for (const auto& [note, region] : regions) changes[note] = Encode(region);
  return Write(changes);
}

absl::Status RegionNotes::EndDrop(const std::vector<std::string>& stores) {
  StoreDb::NoteMap changes;
  for (const std::string& store : stores) changes[DroppedNote(store)];
  std::lock_guard lock(mutex_);
  return Write(changes, Durability::kSyncWal);
}

absl::Status RegionNotes::Remove(const std::vector<std::string>& encoded_names) {
  StoreDb::NoteMap changes;
  for (const std::string& name : encoded_names) changes[RegionNote(name)];
  std::lock_guard lock(mutex_);
  AddUnusedTables(&changes);
  return Write(changes);
}

absl::Status RegionNotes::PutReleased(const std::vector<std::string>& encoded_names) {
  const uint64_t boot_id = BootId();
  if (boot_id == 0) return absl::OkStatus();
  StoreDb::NoteMap changes;
  for (const std::string& name : encoded_names) changes[ReleasedNote(name)] = std::to_string(boot_id);
  std::lock_guard lock(mutex_);
  return Write(changes, Durability::kSyncWal);
}

absl::Status RegionNotes::RemoveReleased(const std::vector<std::string>& encoded_names) {
  StoreDb::NoteMap changes;
  for (const std::string& name : encoded_names) changes[ReleasedNote(name)];
  std::lock_guard lock(mutex_);
  return Write(changes, Durability::kSyncWal);
}

absl::Status RegionNotes::RemoveOthers(const std::set<std::string, std::less<>>& wanted) {
  std::lock_guard lock(mutex_);
  StoreDb::NoteMap changes;
  for (const auto& [note, value] : notes_) {
    if (note.starts_with(kReleasedPrefix) || note.starts_with(kDroppedPrefix)) changes[note];
    if (!note.starts_with(kRegionPrefix)) continue;
    const std::string name = note.substr(kRegionPrefix.size());
    if (wanted.contains(name)) continue;
    const auto region = Decode(value);
    bool has_store = false;
    if (region.ok()) {
      for (const std::string& family : region->families) {
        has_store = has_store || db_->Find(Region::StoreName(name, family)) != nullptr;
      }
    }
    if (!has_store) changes[note];
  }
  AddUnusedTables(&changes);
  return Write(changes);
}

absl::Status RegionNotes::PutTable(const TableDescriptor& table) {
  std::lock_guard lock(mutex_);
  return Write({{TableNote(table.name), EncodeTableDescriptor(table)}});
}

absl::Status RegionNotes::PutClusterId(const std::string& id) {
  std::lock_guard lock(mutex_);
  return id.empty() ? absl::OkStatus() : Write({{std::string(kCluster), id}});
}

void RegionNotes::AddUnusedTables(StoreDb::NoteMap* changes) const {
  std::set<std::string> used;
  for (const auto& [note, value] : notes_) {
    if (!note.starts_with(kRegionPrefix) || changes->contains(note)) continue;
    if (const auto region = Decode(value); region.ok()) used.insert(TableNote(region->info.table));
  }
  for (const auto& [note, value] : notes_) {
    if (note.starts_with(kTablePrefix) && !used.contains(note)) (*changes)[note];
  }
}

absl::Status RegionNotes::Write(const StoreDb::NoteMap& changes, Durability durability) {
  StoreDb::NoteMap needed;
  for (const auto& [note, value] : changes) {
    const auto found = notes_.find(note);
    const bool is_so = found == notes_.end() ? value.empty() : found->second == value;
    if (!is_so) needed.emplace(note, value);
  }
  VAQUITA_RETURN_IF_ERROR(db_->PutNotes(needed, durability));
  for (auto& [note, value] : needed) {
    if (value.empty()) {
      notes_.erase(note);
    } else {
      notes_[note] = value;
    }
  }
  return absl::OkStatus();
}

}  // namespace vaquita
