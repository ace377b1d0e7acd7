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
  struct Entry;

 public:
  // `path` may not exist; the first snapshot creates it. A snapshot that cannot be read is left out, and logged.
  static absl::StatusOr<std::unique_ptr<SnapshotFolder>> Open(const std::string& path);

  std::vector<SnapshotDescription> List() const;  // by name
  bool Contains(std::string_view name) const;
  // A snapshot that stays while this lives. The SnapshotFolder outlives it. Threads: any.
  class Hold {
   public:
    Hold(const SnapshotFolder* snapshots, std::shared_ptr<Entry> entry)
        : snapshots_(snapshots), entry_(std::move(entry)) {}
    ~Hold();
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;

   private:
    friend class SnapshotFolder;
    const SnapshotFolder* const snapshots_;
    const std::shared_ptr<Entry> entry_;
  };
  // Keeps the snapshot of this description. One without a table only names it. Returns kSnapshotDoesNotExist if there
  // is none, or if another one has its name by now.
  absl::StatusOr<std::shared_ptr<const Hold>> Keep(const SnapshotDescription& snapshot) const;
  // Runs `use` with the manifest and the folder of the snapshot, which stays until `use` returns. Errors: as Keep.
  using Use = std::function<absl::Status(const SnapshotManifest& manifest, const std::string& folder)>;
  absl::Status Read(const SnapshotDescription& snapshot, const Use& use) const;
  absl::Status Read(std::string_view name, const Use& use) const { return Read(Named(name), use); }
  // Removes the snapshot if `judge` (null: nobody is asked) returns OK for it; else returns that error. Errors:
  // kSnapshotDoesNotExist; kIO while somebody keeps it.
  using Judge = std::function<absl::Status(const SnapshotDescription& snapshot)>;
  absl::Status Remove(std::string_view name, const Judge& judge = nullptr);
  // Removes the snapshots that `is_old` is true for, and returns their descriptions. Those that somebody keeps stay,
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
    int64_t holds = 0;  // under mutex_
  };

  explicit SnapshotFolder(std::string path) : path_(std::move(path)) {}
  absl::Status Load();
  static SnapshotDescription Named(std::string_view name) {
    SnapshotDescription snapshot;
    snapshot.name = name;
    return snapshot;
  }
  std::string FolderOf(std::string_view name) const { return path_ + "/" + std::string(name); }
  std::string TemporaryFolder() const { return path_ + "/.tmp"; }
  std::string TemporaryFolderOf(std::string_view name) const { return TemporaryFolder() + "/" + std::string(name); }
  absl::StatusOr<std::shared_ptr<Entry>> Find(std::string_view name) const;
  absl::Status Remove(const std::shared_ptr<Entry>& entry);  // kIO while somebody keeps it

  const std::string path_;
  mutable std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Entry>, std::less<>> entries_;
  int64_t last_gone_ = 0;
};

}  // namespace vaquita
