// server/data_root/snapshot_folder.h: the cluster's snapshots on disk, in DATA/snapshots.
//
// A snapshot is a folder with its name: `.snapshotinfo` (its description), `data.manifest` (table, regions, files) and
// <region>/<family>/<file>, hard links to store files. It is made in `.tmp`, written to the disk, and moved to its
// place by one rename; its removal begins with the reverse rename. So a crash leaves a whole snapshot or none: the next
// start empties `.tmp`. Threads: any. Source: SnapshotDescriptionUtils, SnapshotManifest (2.6).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/data_root/snapshot_manifest.h"

namespace vaquita {

// Reads the manifest of the snapshot in `folder`. Returns kCorruptedSnapshot if it cannot be read.
absl::StatusOr<SnapshotManifest> ReadSnapshot(const std::string& folder);

// Lets the snapshot in `folder`, which no SnapshotFolder knows yet, live for ever. Returns kCorruptedSnapshot if its
// description cannot be read.
absl::Status RemoveTimeToLive(const std::string& folder);

class SnapshotFolder {
 public:
  // `path` may not exist; the first snapshot creates it. A snapshot that cannot be read is left out, and logged.
  static absl::StatusOr<std::unique_ptr<SnapshotFolder>> Open(const std::string& path);

  std::vector<SnapshotDescription> List() const;  // by name
  bool Contains(std::string_view name) const;
  // Runs `use` with the snapshot's manifest and folder, which stays until `use` returns. Returns kSnapshotDoesNotExist
  // if it does not exist.
  using Use = std::function<absl::Status(const SnapshotManifest& manifest, const std::string& folder)>;
  absl::Status Read(std::string_view name, const Use& use) const;
  absl::Status Remove(std::string_view name);  // kSnapshotDoesNotExist; kIO while somebody reads it
  // Removes the snapshots that `is_old` is true for, and returns their descriptions. Those that somebody reads stay,
  // and so does one of the same name that is taken meanwhile. A failure is a line in the log.
  std::vector<SnapshotDescription> RemoveIf(const std::function<bool(const SnapshotDescription&)>& is_old);

  // A snapshot in the making. Its destructor removes it unless it was committed. One of a name at a time.
  class Draft {
   public:
    Draft(SnapshotFolder* snapshots, std::string name, std::string folder)
        : snapshots_(snapshots), name_(std::move(name)), folder_(std::move(folder)) {}
    ~Draft();
    Draft(const Draft&) = delete;
    Draft& operator=(const Draft&) = delete;
    const std::string& folder() const { return folder_; }  // empty; for the files
    // Makes the snapshot visible. Returns kSnapshotExists if there is one of that name.
    absl::Status Commit(const SnapshotManifest& manifest);

   private:
    SnapshotFolder* const snapshots_;
    const std::string name_;
    const std::string folder_;
  };
  absl::StatusOr<std::unique_ptr<Draft>> Begin(const std::string& name);

 private:
  struct Entry {
    explicit Entry(SnapshotDescription d) : description(std::move(d)) {}
    const SnapshotDescription description;
    std::shared_mutex in_use;  // shared while it is read, exclusive while it is removed
  };

  explicit SnapshotFolder(std::string path) : path_(std::move(path)) {}
  absl::Status Load();
  std::string FolderOf(std::string_view name) const { return path_ + "/" + std::string(name); }
  std::string TemporaryFolder() const { return path_ + "/.tmp"; }
  std::string TemporaryFolderOf(std::string_view name) const { return TemporaryFolder() + "/" + std::string(name); }
  absl::StatusOr<std::shared_ptr<Entry>> Find(std::string_view name) const;
  absl::Status Remove(std::string_view name, const std::shared_ptr<Entry>& entry);  // while nobody else uses it

  const std::string path_;
  mutable std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Entry>, std::less<>> entries_;
  int64_t last_gone_ = 0;
};

}  // namespace vaquita
