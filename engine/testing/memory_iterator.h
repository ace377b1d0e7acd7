// engine/testing/memory_iterator.h: reads cells in memory as a store scanner reads a store's.
#pragma once

#include <rocksdb/iterator.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>

#include "engine/cells/cell_key.h"
#include "engine/store_db.h"

namespace vaquita::testing {

// Encoded keys and stored values, as RocksDB would hold them.
using StoredCells = std::map<std::string, std::string>;

inline void AddCell(const Cell& cell, StoredCells* cells) {
  std::string key, value;
  AppendCellKey({cell.row, cell.qualifier, cell.timestamp_ms, cell.type}, &key);
  AppendStoredValue(cell.value, cell.ttl_ms, &value);
  (*cells)[key] = value;
}

// Reads a copy of the cells within its bounds. Counts its calls, and copies the key and value it stands on, so that
// tests notice a view that is kept too long.
class MemoryIterator : public rocksdb::Iterator {
 public:
  struct Counts {
    int nexts = 0;
    int seeks = 0;
  };

  MemoryIterator(const StoredCells& cells, const StoreDb::IteratorBounds& bounds, Counts* counts)
      : cells_(cells.lower_bound(bounds.lower),
               bounds.upper.empty() ? cells.end() : cells.lower_bound(std::max(bounds.lower, bounds.upper))),
        counts_(counts),
        at_(cells_.end()) {}

  bool Valid() const override { return at_ != cells_.end(); }
  void SeekToFirst() override { Stand(cells_.begin()); }
  void SeekToLast() override { Stand(cells_.empty() ? cells_.end() : std::prev(cells_.end())); }
  void Seek(const rocksdb::Slice& target) override {
    ++counts_->seeks;
    Stand(cells_.lower_bound(target.ToString()));
  }
  void SeekForPrev(const rocksdb::Slice& target) override {
    ++counts_->seeks;
    const auto after = cells_.upper_bound(target.ToString());
    Stand(after == cells_.begin() ? cells_.end() : std::prev(after));
  }
  void Next() override {
    ++counts_->nexts;
    Stand(std::next(at_));
  }
  void Prev() override { Stand(at_ == cells_.begin() ? cells_.end() : std::prev(at_)); }
  rocksdb::Slice key() const override { return *key_; }
  rocksdb::Slice value() const override { return *value_; }
  rocksdb::Status status() const override { return {}; }

 private:
  void Stand(StoredCells::const_iterator at) {
    at_ = at;
    key_.reset();
    value_.reset();
    if (at == cells_.end()) return;
    key_ = std::make_unique<std::string>(at->first);
    value_ = std::make_unique<std::string>(at->second);
  }

  const StoredCells cells_;  // those within the bounds
  Counts* counts_;           // not owned
  StoredCells::const_iterator at_;
  std::unique_ptr<std::string> key_, value_;
};

}  // namespace vaquita::testing
