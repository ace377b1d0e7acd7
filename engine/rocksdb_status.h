// engine/rocksdb_status.h: RocksDB's errors as the project's.
#pragma once

#include <string_view>

#include "absl/status/status.h"
#include "rocksdb/status.h"

namespace vaquita {

// The project's status for `status`, with what was being done before RocksDB's own words. OK stays OK. A checksum that
// is wrong, or another damage, is kCorruptHFile, which clients do not retry.
absl::Status FromRocksDb(const rocksdb::Status& status, std::string_view doing);

}  // namespace vaquita
