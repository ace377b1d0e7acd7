// engine/rocksdb/rocksdb_options.h: the options that Vaquita gives RocksDB, with the reason for each in the .cc.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>

#include "base/options.h"
#include "engine/rocksdb/store_settings.h"
#include "model/family_descriptor.h"
#include "rocksdb/cache.h"
#include "rocksdb/options.h"

namespace vaquita {

// Returns the options of a database. `env` outlives it.
rocksdb::DBOptions DatabaseOptions(const Options& options, rocksdb::Env* env);

// The levels of a store with files of merged regions (engine/store_link.h). Others have one: each costs 1.5 KB of
// memory.
inline constexpr int kMergeLevels = 7;

// Returns the options of a store's column family. `block_cache` is shared by all stores.
rocksdb::ColumnFamilyOptions StoreOptions(const Options& options, std::shared_ptr<rocksdb::Cache> block_cache,
                                          std::shared_ptr<const StoreSettings> settings);

rocksdb::CompressionType RocksDbCompression(Compression compression);

// Returns the options that an alter of the family changes in an open column family, for DB::SetOptions. (The bloom
// filter and the compaction filter follow StoreSettings by themselves.)
std::unordered_map<std::string, std::string> AlterableOptions(const FamilyDescriptor& family);

}  // namespace vaquita
