// engine/rocksdb/rocksdb_logger.h: writes RocksDB's warnings and errors to the process's own log instead of a LOG file
// in the data folder.
#pragma once

#include <memory>

#include "rocksdb/env.h"

namespace vaquita {

std::shared_ptr<rocksdb::Logger> NewRocksDbLogger();

}  // namespace vaquita
