// engine/rocksdb/rocksdb_status.h: translates RocksDB's errors to the project's.
#pragma once

#include <string_view>

#include "absl/status/status.h"
#include "rocksdb/status.h"

namespace vaquita {

// Returns the project's status for `status`, with `doing` before RocksDB's own words. OK stays OK. Damage, such as a
// wrong checksum, becomes kCorruptHFile, which clients do not retry.
absl::Status FromRocksDb(const rocksdb::Status& status, std::string_view doing);

// Translates an error of opening the database in `path`, or of taking its lock. Returns FailedPrecondition, in one
// line, if another process has it open.
absl::Status FromRocksDbOpen(const rocksdb::Status& status, std::string_view path);

}  // namespace vaquita
