// engine/rocksdb/midkey.h: the row in the middle of a store file, found from the file's index and without a scan.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "rocksdb/db.h"

namespace vaquita {

// The row at which `file` of column family `store` is best cut in two: a block's first one, as in HBase. Empty if its
// middle row is its first or last one, as HBase refuses it then; a file of one block has no middle either.
absl::StatusOr<std::string> FindMidkey(rocksdb::DB* db, rocksdb::ColumnFamilyHandle* store,
                                       const rocksdb::SstFileMetaData& file);

// The byte string halfway between `low` and `high`, read as fractions in base 256. REQUIRES: low < high. It has at most
// one byte more than the longer of the two, and low <= result < high.
std::string HalfwayBetween(std::string_view low, std::string_view high);

}  // namespace vaquita
