// engine/rocksdb/row_index.h: where the cells of each row stand in a memtable: a hash table from row to entries, in key
// order.
//
// Rows are only ever added. Threads: adding from any thread, one at a time inside; reading from any thread, without
// waiting: a reader sees at least every entry whose adding ended before its look-up began, which is all that its
// snapshot can have. Memory: 8 bytes for a place, of which up to three quarters are taken, as much again for outgrown
// tables, and 16 bytes for each cell of a row that has several.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "rocksdb/memtablerep.h"
#include "rocksdb/slice_transform.h"

namespace vaquita {

class RowIndex {
 public:
  // A row's cells: a list in key order. `entry` is as RocksDB's memtables have it, and as `KeyComparator` compares it.
  struct Cell {
    const char* entry = nullptr;
    std::atomic<const Cell*> next = nullptr;
  };
  // What a row has: one entry; or a list; or more than is kept here; or nothing.
  struct Row {
    const char* only = nullptr;
    const Cell* first = nullptr;
    bool wide = false;
  };

  // Both outlive it. `row_of` finds the row in a user key.
  RowIndex(const rocksdb::MemTableRep::KeyComparator& compare, const rocksdb::SliceTransform& row_of)
      : compare_(compare), row_of_(row_of) {}

  bool IsOfRow(const rocksdb::Slice& user_key) const { return row_of_.InDomain(user_key); }
  // `entry`'s key has a row, and the entry outlives this.
  void Add(const char* entry);
  // `user_key` has a row.
  Row Find(const rocksdb::Slice& user_key) const;

  size_t MemoryBytes() const { return memory_bytes_.load(std::memory_order_relaxed); }

 private:
  // A place of the table is one word, so that it changes in one step: the address of an entry or of a list's first
  // Cell, which of them it is, and some bits of the row's hash, so that most other rows are told apart without a look.
  enum class Kind : uint64_t { kEmpty = 0, kOne = 1, kList = 2, kWide = 3 };
  using Word = uint64_t;
  struct Table {
    explicit Table(size_t places) : mask(places - 1), words(places) {}
    const size_t mask;  // places - 1; a power of two of places
    std::vector<std::atomic<Word>> words;
  };

  static constexpr int kAddressBits = 48;  // of a user's address on x86-64 and on ARM64
  static constexpr int kKindBits = 2;
  static Kind KindOf(Word word) { return static_cast<Kind>(word >> kAddressBits & ((1 << kKindBits) - 1)); }
  static const void* AddressOf(Word word) {
    return reinterpret_cast<const void*>(word & ((Word{1} << kAddressBits) - 1));
  }
  static Word TagOf(size_t hash) { return Word{hash} >> (kAddressBits + kKindBits) << (kAddressBits + kKindBits); }
  static Word MakeWord(const void* address, Kind kind, size_t hash) {
    return TagOf(hash) | static_cast<Word>(kind) << kAddressBits | reinterpret_cast<Word>(address);
  }

  static const char* AnyEntry(Word word);
  rocksdb::Slice RowOf(const char* entry) const;
  // The row's place, or the empty one where it belongs.
  size_t Place(const Table& table, size_t hash, const rocksdb::Slice& row) const;
  // Under mutex_:
  void AddTo(std::atomic<Word>* place, const char* entry, size_t hash);
  bool Insert(const Cell* first, Cell* added);
  Cell* NewCell(const char* entry);
  void Grow();

  const rocksdb::MemTableRep::KeyComparator& compare_;
  const rocksdb::SliceTransform& row_of_;
  std::atomic<const Table*> table_ = nullptr;  // the last of tables_
  std::atomic<size_t> memory_bytes_ = 0;
  std::mutex mutex_;  // who adds
  size_t rows_ = 0;
  std::vector<std::unique_ptr<Table>> tables_;  // outgrown ones may have readers
  std::deque<Cell> cells_;
};

}  // namespace vaquita
