// engine/rocksdb/store_file_properties.h: what a store file says of itself, for the rules of major compactions.
//
// HBase keeps the same in an HFile's trailer and its modification time. Stored with the file, so it follows it through
// splits and merges. Threads: the factory may be used by any thread.
#pragma once

#include <cstdint>
#include <memory>

#include "engine/rocksdb/store_settings.h"
#include "rocksdb/table_properties.h"

namespace vaquita {

struct StoreFileProperties {
  int64_t created_ms = 0;        // by the server's clock; 0: unknown
  int64_t min_timestamp_ms = 0;  // of its cells
  bool major = false;            // written by a major compaction
};

// Records the properties of every file that a flush or compaction of the store writes.
std::shared_ptr<rocksdb::TablePropertiesCollectorFactory> NewStoreFilePropertiesFactory(
    std::shared_ptr<const StoreSettings> settings);

StoreFileProperties ReadStoreFileProperties(const rocksdb::TableProperties& properties);

}  // namespace vaquita
