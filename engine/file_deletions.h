// engine/file_deletions.h: has RocksDB delete no files while somebody needs them.
//
// RocksDB counts such wishes, too, but looks for files to delete at the end of each. While nothing is deleted, nobody
// need wait for the manifest to be on the disk: the one that is there, and the log, have all that they had. Threads:
// any.
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
  // No file of `db` goes while what this returns lives, and its manifest's syncs are put off; the others outlive it.
  absl::StatusOr<std::unique_ptr<KeptFiles>> Keep(rocksdb::DB* db, DelayedSyncs* syncs);

 private:
  class Hold;

  bool Release();  // whether it was the last

  std::mutex mutex_;
  int holds_ = 0;
};

}  // namespace vaquita
