// engine/rocksdb/midkey.h: the row in the middle of a store file, found from the file's index and without a scan.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "rocksdb/db.h"

namespace vaquita {

// Returns the row at which to cut `file` of column family `store` in two: the first row of a block, as in HBase. Empty
// if the middle row is the file's first or last one, which HBase refuses, or if the file has one block.
absl::StatusOr<std::string> FindMidkey(rocksdb::DB* db, rocksdb::ColumnFamilyHandle* store,
                                       const rocksdb::SstFileMetaData& file);

// Returns the byte string halfway between `low` and `high`, read as fractions in base 256. REQUIRES: low < high. The
// result has at most one byte more than the longer of the two, and low <= result < high.
std::string HalfwayBetween(std::string_view low, std::string_view high);

}  // namespace vaquita
