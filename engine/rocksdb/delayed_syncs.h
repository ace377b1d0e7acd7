// engine/rocksdb/delayed_syncs.h: one wait for the disk instead of many.
//
// RocksDB syncs its manifest for each column family that it creates or drops: on an ordinary disk 800 of them take
// seconds. It syncs eight times to make an empty database. While syncs are held they are put off, and the release syncs
// once for all. Threads: every method may be called from any thread.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "rocksdb/file_system.h"

namespace vaquita {

class DelayedSyncs {
 public:
  // A file system on top of `base` whose files sync through this, for the database in `folder`. `this` outlives it.
  // RocksDB does not sync the names of files that it links: they are synced before a manifest that names them is
  // written, or before its sync, if that is held.
  std::shared_ptr<rocksdb::FileSystem> Wrap(std::shared_ptr<rocksdb::FileSystem> base, std::string folder);

  // Puts off the manifest's syncs. Holds nest. While held, RocksDB must delete no files, because their replacements may
  // not be on the disk yet. The last release syncs; SyncManifest syncs at once. After a sync that failed all later ones
  // fail, too: the kernel may have dropped what it could not write, and says so only once.
  void HoldManifest();
  rocksdb::IOStatus ReleaseManifest();
  rocksdb::IOStatus SyncManifest();
  // Returns the error of a sync that was put off and then failed: what the manifest says may not be on the disk.
  rocksdb::IOStatus Failure() const;

  // Puts off the syncs of every file and folder that is opened and synced until the release, which syncs all files in
  // `folder` but copies of manifests and the one called `but`. Only for a database that is being made, which a power
  // failure then takes away, and for one that goes with its process, which never releases.
  void HoldAll() { all_held_ = true; }
  absl::Status ReleaseAll(const std::string& folder, std::string_view but);

 private:
  class Manifest;
  class NewFile;
  class NewFolder;
  class SyncFileSystem;

  rocksdb::IOStatus SyncLocked();  // under mutex_
  rocksdb::IOStatus SyncLinksUnlessHeld();
  rocksdb::IOStatus SyncLinksLocked();

  std::atomic<bool> all_held_ = false;
  mutable std::mutex mutex_;
  std::atomic<bool> has_failed_ = false;  // failure_ is set, and stays
  rocksdb::IOStatus failure_;
  int manifest_holds_ = 0;
  Manifest* waiting_ = nullptr;  // the manifest whose sync was put off
  std::string folder_;           // the database's; set once
  bool links_wait_ = false;      // linked files have names there that are not synced
};

}  // namespace vaquita
