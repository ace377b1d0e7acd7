// engine/store_link.h: makes a store's column family out of other stores' files, by hard links.
//
// Files keep their sequence numbers, so RocksDB must not mix the level 0 files of two stores: their numbers interleave,
// and it would hang. A merge therefore puts each store's runs into the deeper levels, oldest deepest; files of two
// regions never overlap within a level.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "absl/status/statusor.h"
#include "engine/store.h"
#include "rocksdb/db.h"

namespace vaquita {

// Returns the folder of the database in which exports stand while they are imported. Opening removes leftovers of a
// crash.
std::string ExportRoot(const std::string& db_path);

// Creates column family `name` with `options` from the files of `from`, which are flushed; without files it is empty.
// FailedPrecondition for a merge while a source has references. The caller owns the handle.
absl::StatusOr<rocksdb::ColumnFamilyHandle*> LinkStores(rocksdb::DB* db, std::span<const std::shared_ptr<Store>> from,
                                                        const std::string& name,
                                                        const rocksdb::ColumnFamilyOptions& options);

}  // namespace vaquita
