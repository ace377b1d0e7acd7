// engine/file_deletions.h: has RocksDB delete no files while somebody needs them.
//
// RocksDB counts such wishes, too, but warns in its log of every one that comes while there is another, and looks for
// files to delete at the end of each. Threads: any.
#pragma once

#include <memory>
#include <mutex>

#include "absl/status/statusor.h"
#include "engine/store_db.h"
#include "rocksdb/db.h"

namespace vaquita {

class FileDeletions {
 public:
  // No file of `db` goes while what this returns lives; `this` and `db` outlive it.
  absl::StatusOr<std::unique_ptr<KeptFiles>> Keep(rocksdb::DB* db);

 private:
  class Hold;

  std::mutex mutex_;
  int holds_ = 0;
};

}  // namespace vaquita
