// engine/rocksdb/store_file_properties.h: properties that a store file carries, for the rules of major compactions.
//
// HBase has them in an HFile's trailer and its modification time. They are stored in the file, so splits and merges
// keep them. Threads: the factory may be used by any thread.
#pragma once

#include <cstdint>
#include <memory>

#include "engine/rocksdb/store_settings.h"

namespace rocksdb {
struct TableProperties;
class TablePropertiesCollectorFactory;
}  // namespace rocksdb

namespace vaquita {

struct StoreFileProperties {
  int64_t created_ms = 0;        // by the server's clock; 0: unknown
  int64_t min_timestamp_ms = 0;  // the smallest of its cells
  bool major = false;            // written by a major compaction
};

// Records the properties of every file that a flush or compaction of the store writes.
std::shared_ptr<rocksdb::TablePropertiesCollectorFactory> NewStoreFilePropertiesFactory(
    std::shared_ptr<const StoreSettings> settings);

StoreFileProperties ReadStoreFileProperties(const rocksdb::TableProperties& properties);

}  // namespace vaquita
