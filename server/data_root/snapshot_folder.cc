#include "server/data_root/snapshot_folder.h"

#include <filesystem>
#include <utility>

#include "base/durable_files.h"
#include "base/fault_point.h"
#include "base/log.h"
#include "base/status.h"

namespace vaquita {
namespace {

constexpr const char* kInfoFile = "/.snapshotinfo";
constexpr const char* kManifestFile = "/data.manifest";

absl::Status DoesNotExist(std::string_view name) {
  return Error(ErrorKind::kSnapshotDoesNotExist,
               "Snapshot '" + std::string(name) + "' doesn't exist on the filesystem");
}

absl::StatusOr<std::string> ReadSnapshotFile(const std::string& path) {
  absl::StatusOr<std::string> bytes = ReadFile(path);
  if (!bytes.ok()) {
    return Error(ErrorKind::kCorruptedSnapshot, "Couldn't read " + path + ": " + std::string(bytes.status().message()));
  }
  return bytes;
}

absl::Status OfAnother(const std::string& name) {
  return Error(ErrorKind::kCorruptedSnapshot, "its .snapshotinfo is of snapshot " + name);
}

void RemoveOrWarn(const std::string& path) {
  const absl::Status status = RemoveAll(path);
  if (!status.ok()) spdlog::warn("{}", status.ToString());  // the next start does
}

}  // namespace

absl::StatusOr<SnapshotManifest> ReadSnapshot(const std::string& folder) {
  VAQUITA_ASSIGN_OR_RETURN(const std::string info, ReadSnapshotFile(folder + kInfoFile));
  VAQUITA_ASSIGN_OR_RETURN(SnapshotDescription description, DecodeSnapshotDescription(info));
  if (description.name != std::filesystem::path(folder).filename()) return OfAnother(description.name);
  VAQUITA_ASSIGN_OR_RETURN(const std::string manifest, ReadSnapshotFile(folder + kManifestFile));
  return DecodeSnapshotManifest(std::move(description), manifest);
}

absl::Status RemoveTimeToLive(const std::string& folder) {
  VAQUITA_ASSIGN_OR_RETURN(const std::string info, ReadSnapshotFile(folder + kInfoFile));
  VAQUITA_ASSIGN_OR_RETURN(SnapshotDescription description, DecodeSnapshotDescription(info));
  description.ttl_s = 0;
  return ReplaceFile(folder + kInfoFile, EncodeSnapshotDescription(description));
}

absl::StatusOr<std::unique_ptr<SnapshotFolder>> SnapshotFolder::Open(const std::string& path) {
  auto folder = std::unique_ptr<SnapshotFolder>(new SnapshotFolder(path));
  VAQUITA_RETURN_IF_ERROR(Annotate(folder->Load(), "open " + path));
  return folder;
}

absl::Status SnapshotFolder::Load() {
  RemoveOrWarn(TemporaryFolder());
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<std::string> names, ListFolder(path_));
  for (const std::string& name : names) {
    auto bytes = ReadSnapshotFile(FolderOf(name) + kInfoFile);
    auto description = bytes.ok() ? DecodeSnapshotDescription(*bytes) : bytes.status();
    if (description.ok() && description->name != name) description = OfAnother(description->name);
    if (!description.ok()) {
      spdlog::warn("ignoring snapshot {}: {}", name, description.status().ToString());
      continue;
    }
    entries_[name] = std::make_shared<Entry>(*std::move(description));
  }
  return absl::OkStatus();
}

std::vector<SnapshotDescription> SnapshotFolder::List() const {
  std::lock_guard lock(mutex_);
  std::vector<SnapshotDescription> all;
  all.reserve(entries_.size());
  for (const auto& [name, entry] : entries_) all.push_back(entry->description);
  return all;
}

bool SnapshotFolder::Contains(std::string_view name) const { return Find(name).ok(); }

absl::StatusOr<std::shared_ptr<SnapshotFolder::Entry>> SnapshotFolder::Find(std::string_view name) const {
  std::lock_guard lock(mutex_);
  const auto it = entries_.find(name);
  if (it == entries_.end()) return DoesNotExist(name);
  return it->second;
}

absl::StatusOr<std::shared_ptr<const SnapshotFolder::Hold>> SnapshotFolder::Keep(
    const SnapshotDescription& snapshot) const {
  std::lock_guard lock(mutex_);
  const auto it = entries_.find(snapshot.name);
  const bool names_only = snapshot.table.qualifier.empty();
  if (it == entries_.end() || (!names_only && it->second->description != snapshot)) return DoesNotExist(snapshot.name);
  ++it->second->holds;
  return std::make_shared<const Hold>(this, it->second);
}

SnapshotFolder::Hold::~Hold() {
  std::lock_guard lock(snapshots_->mutex_);
  --entry_->holds;
}

absl::Status SnapshotFolder::Read(const SnapshotDescription& snapshot, const Use& use) const {
  VAQUITA_ASSIGN_OR_RETURN(const std::shared_ptr<const Hold> hold, Keep(snapshot));
  const std::string folder = FolderOf(snapshot.name);
  VAQUITA_ASSIGN_OR_RETURN(const std::string bytes, ReadSnapshotFile(folder + kManifestFile));
  VAQUITA_ASSIGN_OR_RETURN(const SnapshotManifest manifest, DecodeSnapshotManifest(hold->entry_->description, bytes));
  return use(manifest, folder);
}

absl::Status SnapshotFolder::Remove(std::string_view name, const Judge& judge) {
  VAQUITA_ASSIGN_OR_RETURN(const std::shared_ptr<Entry> entry, Find(name));
  if (judge) VAQUITA_RETURN_IF_ERROR(judge(entry->description));
  return Remove(entry);  // not another one of that name, which was not judged
}

std::vector<SnapshotDescription> SnapshotFolder::RemoveIf(
    const std::function<bool(const SnapshotDescription&)>& is_old) {
  std::vector<std::shared_ptr<Entry>> old;
  {
    std::lock_guard lock(mutex_);
    for (const auto& [name, entry] : entries_) {
      if (is_old(entry->description)) old.push_back(entry);
    }
  }
  std::vector<SnapshotDescription> removed;
  for (const std::shared_ptr<Entry>& entry : old) {
    const absl::Status status = Remove(entry);
    if (status.ok()) {
      removed.push_back(entry->description);
    } else if (!IsError(status, ErrorKind::kSnapshotDoesNotExist) && !IsError(status, ErrorKind::kIO)) {
      spdlog::warn("cannot remove snapshot {}: {}", entry->description.name, status.ToString());
    }
  }
  return removed;
}

absl::Status SnapshotFolder::Remove(const std::shared_ptr<Entry>& entry) {
  const std::string& name = entry->description.name;
  std::string gone;
  {
    std::lock_guard lock(mutex_);
    const auto it = entries_.find(name);
    if (it == entries_.end() || it->second != entry) return DoesNotExist(name);
    if (entry->holds > 0) {
      return Error(ErrorKind::kIO,
                   "Snapshot '" + name + "' is being cloned or restored; delete it when that procedure has ended");
    }
    gone = TemporaryFolderOf(".gone-" + std::to_string(++last_gone_));
    VAQUITA_RETURN_IF_ERROR(CreateFolder(TemporaryFolder()));
    VAQUITA_RETURN_IF_ERROR(RenamePath(FolderOf(name), gone));
    entries_.erase(it);
  }
  FaultPoint("delete-snapshot:decided");
  // A power cut must not bring the name back without its files.
  VAQUITA_RETURN_IF_ERROR(SyncPath(path_));
  RemoveOrWarn(gone);
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<SnapshotFolder::Draft>> SnapshotFolder::Begin(const std::string& name) {
  const std::string folder = TemporaryFolderOf(name);
  RemoveOrWarn(folder);
  VAQUITA_RETURN_IF_ERROR(CreateFolder(folder));
  return std::make_unique<Draft>(this, name, folder);
}

SnapshotFolder::Draft::~Draft() { RemoveOrWarn(folder_); }

absl::Status SnapshotFolder::Draft::Commit(const SnapshotManifest& manifest) {
  VAQUITA_RETURN_IF_ERROR(WriteFile(folder_ + kManifestFile, EncodeSnapshotManifest(manifest)));
  VAQUITA_RETURN_IF_ERROR(WriteFile(folder_ + kInfoFile, EncodeSnapshotDescription(manifest.description)));
  for (const char* const file : {kManifestFile, kInfoFile}) VAQUITA_RETURN_IF_ERROR(SyncPath(folder_ + file));
  VAQUITA_RETURN_IF_ERROR(SyncFolders(folder_));
  FaultPoint("snapshot:written");
  std::lock_guard lock(snapshots_->mutex_);
  const std::string place = snapshots_->FolderOf(name_);
  if (PathExists(place)) {
    return Error(ErrorKind::kSnapshotExists, "Snapshot '" + name_ + "' already stored on the filesystem.");
  }
  VAQUITA_RETURN_IF_ERROR(RenamePath(folder_, place));
  FaultPoint("snapshot:committed");
  snapshots_->entries_[name_] = std::make_shared<Entry>(manifest.description);
  VAQUITA_RETURN_IF_ERROR(SyncPath(snapshots_->path_));
  return SyncPath(snapshots_->TemporaryFolder());
}

}  // namespace vaquita
