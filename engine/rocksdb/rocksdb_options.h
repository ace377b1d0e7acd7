// engine/rocksdb/rocksdb_options.h: how Vaquita sets RocksDB. The design page on RocksDB has the experiments behind
// each choice.
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

// For the whole database. `env` outlives it.
rocksdb::DBOptions DatabaseOptions(const Options& options, rocksdb::Env* env);

// For a store's column family. `block_cache` is shared by all stores.
rocksdb::ColumnFamilyOptions StoreOptions(const Options& options, std::shared_ptr<rocksdb::Cache> block_cache,
                                          std::shared_ptr<const StoreSettings> settings);

rocksdb::CompressionType RocksDbCompression(Compression compression);

// What an alter of the family changes in the options of a column family that is open, as DB::SetOptions takes it. (The
// bloom filter and what compactions drop follow StoreSettings by themselves.)
std::unordered_map<std::string, std::string> AlterableOptions(const FamilyDescriptor& family);

}  // namespace vaquita
