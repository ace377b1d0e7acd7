// bench/raw_column_families.h: RocksDB alone with many column families: the limit for a server with many stores.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"

namespace rocksdb {
class ColumnFamilyHandle;
class DB;
class Env;
}  // namespace rocksdb

namespace vaquita::bench {

class RawColumnFamilies {
 public:
  explicit RawColumnFamilies(std::string folder);
  ~RawColumnFamilies();

  absl::Status Open();
  void Close();
  absl::Status Create(int count);
  // Writes one key into each, in one batch.
  absl::Status PutIntoEach();
  absl::Status FlushEach();
  absl::Status DropAll();

 private:
  const std::string folder_;
  const std::unique_ptr<rocksdb::Env> env_;
  std::unique_ptr<rocksdb::DB> db_;
  std::vector<rocksdb::ColumnFamilyHandle*> handles_;
};

}  // namespace vaquita::bench
