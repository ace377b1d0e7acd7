// engine/rocksdb/store_compaction_filter.h: drops in flushes and compactions the cells that HBase's would
// (column_tracker.h decides).
#pragma once

#include <memory>

#include "engine/rocksdb/store_settings.h"
#include "rocksdb/compaction_filter.h"

namespace vaquita {

std::shared_ptr<rocksdb::CompactionFilterFactory> NewStoreCompactionFilterFactory(
    std::shared_ptr<const StoreSettings> settings);

}  // namespace vaquita
