// engine/rocksdb/rocksdb_status.h: RocksDB's errors as the project's.
#pragma once

#include <string_view>

#include "absl/status/status.h"
#include "rocksdb/status.h"

namespace vaquita {

// The project's status for `status`, with what was being done before RocksDB's own words. OK stays OK. A checksum that
// is wrong, or another damage, is kCorruptHFile, which clients do not retry.
absl::Status FromRocksDb(const rocksdb::Status& status, std::string_view doing);

// Returns the same for opening the database in `path`, or for taking its lock. FailedPrecondition, in one line, if
// another process has it open.
absl::Status FromRocksDbOpen(const rocksdb::Status& status, std::string_view path);

}  // namespace vaquita
