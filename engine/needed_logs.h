// engine/needed_logs.h: the logs that each store of a database needs, by its MANIFEST.
//
// A store has in its files all that it wrote to logs before a number, and RocksDB replays only the others for it. Its
// interface does not tell that number, and the numbers of the cells do not either: imported files have those of another
// database, and cells that skip the log have some, too. Threads: any. Source: RocksDB 7.8, db/version_edit.cc.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace vaquita {

// The number of the first log that a store needs, by column family. A store that is not in it may need all logs.
using NeededLogs = std::map<uint32_t, uint64_t>;

// Applies a record of a MANIFEST. Returns false if it cannot be read.
bool ApplyManifestRecord(std::string_view record, NeededLogs* needed);

// Reads the MANIFEST that CURRENT names.
absl::StatusOr<NeededLogs> ReadNeededLogs(const std::string& database);

}  // namespace vaquita
