// bench/raw_rocksdb.h: RocksDB alone, with the bytes of a region's store: the limit for a region.
//
// Options are those of a store (no compression, 64 KB blocks, row bloom filters, L0 files only) without its compaction
// filter.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace rocksdb {
class ColumnFamilyHandle;
class DB;
}  // namespace rocksdb

namespace vaquita::bench {

class RawRocksDb {
 public:
  static absl::StatusOr<std::unique_ptr<RawRocksDb>> Open(const std::string& folder);
  ~RawRocksDb();

  // Writes rows [first, first + count) in batches of `batch`, with the log. Returns the seconds spent in RocksDB.
  absl::StatusOr<double> Write(int64_t first, int64_t count, int64_t batch);
  absl::Status Compact();
  // Reads `count` random rows of `rows` with a new iterator each. Returns the seconds.
  absl::StatusOr<double> Get(int64_t rows, int64_t count, uint64_t seed);
  // Reads everything. Returns the number of cells, and the seconds in `*seconds`.
  absl::StatusOr<int64_t> Scan(double* seconds);

 private:
  explicit RawRocksDb(rocksdb::DB* db);
  std::unique_ptr<rocksdb::DB> db_;
};

}  // namespace vaquita::bench
