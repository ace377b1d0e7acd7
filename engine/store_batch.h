// engine/store_batch.h: mutations of any number of stores, which StoreDb::Write applies as one.
//
// Threads: a batch is built and written by one thread at a time. Ownership: the stores outlive the batch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/store.h"
#include "model/cell.h"

namespace rocksdb {
class WriteBatch;
}  // namespace rocksdb

namespace vaquita {

// kLost is for copies of cells whose order is not known. Their writes have no number, as those of before the family had
// NEW_VERSION_BEHAVIOR: a marker masks every put that is not newer by its timestamp.
enum class WriteOrder { kKnown, kLost };

class StoreBatch {
 public:
  explicit StoreBatch(WriteOrder order = WriteOrder::kKnown);
  ~StoreBatch();
  StoreBatch(StoreBatch&&) noexcept;
  StoreBatch& operator=(StoreBatch&&) noexcept;

  // Adds a cell. REQUIRES: bounds and timestamps already checked and filled in.
  void Add(const Store& store, std::string_view row, std::string_view qualifier, int64_t timestamp_ms, CellType type,
           std::string_view value, int64_t ttl_ms = kNoTtl);
  void Clear();
  size_t bytes() const;
  bool empty() const;

 private:
  friend class StoreDb;
  // The bytes that neighbouring cells of one store add to its memstore.
  struct Share {
    const Store* store;
    int64_t bytes;
    int64_t cells;
  };

  std::unique_ptr<rocksdb::WriteBatch> batch_;
  std::vector<Share> shares_;
  WriteOrder order_;
  int64_t write_number_ = 0;       // all numbered cells of a write have the same, as in HBase; 0: none has asked for it
  std::string key_, value_, row_;  // scratch
};

}  // namespace vaquita
