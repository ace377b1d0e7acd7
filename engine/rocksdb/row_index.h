// engine/rocksdb/row_index.h: finds the cells of a row in a memtable: a hash table from row to entries in key order.
//
// A row with many cells in few columns has the newest cell of each column here. Rows are only added. Threads: any
// thread may add, one at a time inside; any thread may read, without waiting. A reader sees every entry that was added
// before its look-up began, which is all that its snapshot can have. Memory: 8 bytes for a slot, of which three eighths
// to three quarters are taken, and 16 bytes for each cell of a row that has several, or each column of one that has
// many.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "rocksdb/memtablerep.h"
#include "rocksdb/slice_transform.h"

namespace vaquita {

class RowIndex {
 public:
  // An element of a list in key order. `entry` is as RocksDB's memtables have it, and as `KeyComparator` compares it.
  struct Cell {
    std::atomic<const char*> entry = nullptr;  // changes to a newer cell of the column, in a list of columns
    std::atomic<const Cell*> next = nullptr;
  };
  // A row's cells: one entry, or a list of all, or a list of the newest of each column, or too many to be kept here, or
  // none.
  struct Row {
    const char* only = nullptr;
    const Cell* first = nullptr;
    const Cell* columns = nullptr;
    bool wide = false;
  };

  // Both outlive it. `row_of` finds the row in a user key.
  RowIndex(const rocksdb::MemTableRep::KeyComparator& compare, const rocksdb::SliceTransform& row_of)
      : compare_(compare), row_of_(row_of) {}

  bool IsOfRow(const rocksdb::Slice& user_key) const { return row_of_.InDomain(user_key); }
  // Adds an entry. REQUIRES: its key has a row, and the entry outlives this.
  void Add(const char* entry);
  // Finds the row of `user_key`. REQUIRES: the key has a row.
  Row Find(const rocksdb::Slice& user_key) const;
  // Returns whether `user_key` begins as all keys of the entry's column do.
  bool IsInColumnOf(const char* entry, const rocksdb::Slice& user_key) const;

  size_t MemoryBytes() const { return memory_bytes_.load(std::memory_order_relaxed); }

 private:
  // A slot of the table is one word, so that it changes in one step: the address of an entry or of a list's first Cell,
  // its kind, and some bits of the row's hash, by which most other rows are told apart without following the address.
  enum class Kind : uint64_t { kEmpty = 0, kOne = 1, kList = 2, kColumns = 3, kWide = 4 };
  using Word = uint64_t;
  struct Table {
    explicit Table(size_t places);
    ~Table();
    Table(const Table&) = delete;
    size_t places() const { return mask + 1; }
    size_t bytes() const { return places() * sizeof(Word); }
    bool mapped() const;  // the memory is the kernel's pages, not malloc's
    // Gives the pages back. A reader that is still here finds its slot as it was, or empty.
    void Drop();

    const size_t mask;  // number of slots - 1; the number is a power of two
    std::atomic<Word>* const words;
  };

  static constexpr int kAddressBits = 48;  // bits of a process's address on x86-64 and on ARM64
  static constexpr int kKindBits = 3;
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
  // Returns the row's slot, or the empty slot where it belongs.
  size_t Place(const Table& table, size_t hash, const rocksdb::Slice& row) const;
  // REQUIRES: mutex_ is held.
  void AddTo(std::atomic<Word>* place, const char* entry, size_t hash);
  bool Insert(const Cell* first, Cell* added);
  rocksdb::Slice ColumnOf(const char* entry) const;
  const Cell* ListColumns(const Cell* first);
  const Cell* AddColumn(const Cell* first, const char* entry);
  Cell* NewCell(const char* entry);
  void Grow();

  const rocksdb::MemTableRep::KeyComparator& compare_;
  const rocksdb::SliceTransform& row_of_;
  std::atomic<const Table*> table_ = nullptr;  // the last of tables_
  std::atomic<size_t> memory_bytes_ = 0;
  std::mutex mutex_;  // held while a cell is added
  size_t rows_ = 0;
  std::vector<std::unique_ptr<Table>> tables_;  // outgrown ones may have readers
  std::optional<std::deque<Cell>> cells_;       // an empty one takes 600 bytes, and most stores have none
};

}  // namespace vaquita
