// engine/manifest_sync.h: many changes of stores for one wait for the disk.
//
// RocksDB syncs its manifest for each column family that it creates or drops: on an ordinary disk 800 of them take
// seconds. While a ManifestSyncs is held, those syncs are put off; the release does one for all. Threads: every method
// may be called from any thread.
#pragma once

#include <memory>
#include <mutex>

#include "rocksdb/file_system.h"

namespace vaquita {

class ManifestSyncs {
 public:
  // A file system on top of `base` whose manifests sync through this. `this` outlives it.
  std::shared_ptr<rocksdb::FileSystem> Wrap(std::shared_ptr<rocksdb::FileSystem> base);

  // Holds nest. While held, RocksDB must delete no files: what replaces them may not be on the disk yet.
  void Hold();
  // The last release syncs what was put off.
  rocksdb::IOStatus Release();

 private:
  class Manifest;
  class SyncFileSystem;

  std::mutex mutex_;
  int holds_ = 0;
  rocksdb::FSWritableFile* waiting_ = nullptr;  // the manifest whose sync was put off
};

}  // namespace vaquita
