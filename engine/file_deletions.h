// engine/file_deletions.h: keeps RocksDB from deleting files while they are needed.
//
// RocksDB counts such requests too, but looks for files to delete at the end of each. While nothing is deleted, no
// caller needs to wait until the manifest is on the disk: the one on the disk and the log still describe everything.
// Threads: any.
#pragma once

#include <memory>
#include <mutex>

#include "absl/status/statusor.h"
#include "engine/rocksdb/delayed_syncs.h"
#include "engine/store_db.h"
#include "rocksdb/db.h"

namespace vaquita {

class FileDeletions {
 public:
  // Keeps all files of `db`, and puts off its manifest's syncs, while the returned object lives. `db`, `syncs` and this
  // outlive it.
  absl::StatusOr<std::unique_ptr<KeptFiles>> Keep(rocksdb::DB* db, DelayedSyncs* syncs);

 private:
  class Hold;

  void Release(rocksdb::DB* db, DelayedSyncs* syncs);

  std::mutex mutex_;
  int holds_ = 0;
};

}  // namespace vaquita
