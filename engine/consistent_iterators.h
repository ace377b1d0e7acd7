// engine/consistent_iterators.h: iterators over several column families that show one moment of the database.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "engine/store_db.h"
#include "rocksdb/db.h"

namespace vaquita {

// Implements StoreDb::NewIterators.
absl::Status NewConsistentIterators(rocksdb::DB* db, std::span<const std::shared_ptr<Store>> stores,
                                    StoreDb::IteratorBounds bounds,
                                    std::vector<std::unique_ptr<rocksdb::Iterator>>* iterators);

}  // namespace vaquita
