// engine/tolerant_open.h: opens a database that RocksDB's usual checks refuse, to examine or repair it.
//
// Missing and damaged files do not stop the opening; a read of them fails. Private to the engine. Threads: any.
// REQUIRES: no other process changes the database meanwhile.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/options.h"
#include "engine/store_db.h"
#include "rocksdb/db.h"

namespace vaquita {

// A RocksDB with the handles of all its column families, which are destroyed before it.
struct OpenDatabase {
  std::unique_ptr<rocksdb::Env> env;
  std::unique_ptr<rocksdb::DB> db;
  std::vector<rocksdb::ColumnFamilyHandle*> handles;  // the first is the default one

  OpenDatabase() = default;
  OpenDatabase(OpenDatabase&&) = default;
  ~OpenDatabase();
};

// Opens it for reading. It replays the readable part of the log into memory, and writes nothing.
absl::StatusOr<OpenDatabase> OpenToLook(const std::string& path);

// Opens it to change it, through the file system `files`. `resolve` gives the stores' specs.
absl::StatusOr<OpenDatabase> OpenToMend(const StoreDbOptions& options, const StoreDb::Resolve& resolve,
                                        std::shared_ptr<rocksdb::FileSystem> files);

// Calls `visit` with each live file of the store and its level, as `void(const rocksdb::SstFileMetaData&, int32_t)`.
template <typename Visit>
void ForEachLiveFile(rocksdb::DB* db, rocksdb::ColumnFamilyHandle* handle, Visit visit) {
  rocksdb::ColumnFamilyMetaData data;
  db->GetColumnFamilyMetaData(handle, &data);
  for (const rocksdb::LevelMetaData& level : data.levels) {
    for (const rocksdb::SstFileMetaData& file : level.files) visit(file, level.level);
  }
}

// Checks that a live file exists with its size, footer and index, and first and last key. Sets `*inode` if it exists.
// DataLoss says what is wrong. Unavailable: nobody can tell, because the disk does not give the file now.
absl::Status CheckStoreFile(const rocksdb::SstFileMetaData& file, uint64_t* inode);

}  // namespace vaquita
