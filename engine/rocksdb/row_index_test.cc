#include "engine/rocksdb/row_index.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "engine/cells/cell_key.h"
#include "engine/rocksdb/row_prefix_transform.h"
#include "gtest/gtest.h"

namespace vaquita {
namespace {

using rocksdb::Slice;

class ByteOrder : public rocksdb::MemTableRep::KeyComparator {
 public:
  int operator()(const char* a, const char* b) const override { return decode_key(a).compare(decode_key(b)); }
  int operator()(const char* a, const Slice& key) const override { return decode_key(a).compare(key); }
};

// A key of the column's version number `version`; the newest is 0.
std::string UserKey(const std::string& row, int column, int version = 0) {
  return RowPrefix(row) + std::to_string(1000 + column) + std::to_string(100'000'000 + version);
}

class RowIndexTest : public ::testing::Test {
 protected:
  // An entry as a memtable has it: length, user key, 8 bytes of RocksDB's own.
  const char* Entry(const std::string& row, int column, int version = 0) {
    const std::string key = UserKey(row, column, version) + std::string(8, 's');
    auto entry = std::make_unique<char[]>(1 + key.size());
    entry[0] = static_cast<char>(key.size());
    std::memcpy(entry.get() + 1, key.data(), key.size());
    entries_.push_back(std::move(entry));
    return entries_.back().get();
  }

  std::vector<const char*> CellsOf(const std::string& row) const {
    const RowIndex::Row found = index_.Find(UserKey(row, 0));
    EXPECT_FALSE(found.wide || found.columns != nullptr);
    if (found.only != nullptr) return {found.only};
    std::vector<const char*> cells;
    for (const RowIndex::Cell* at = found.first; at != nullptr; at = at->next.load()) cells.push_back(at->entry);
    return cells;
  }

  const ByteOrder order_{};
  RowIndex index_{order_, *RowPrefixTransform()};
  std::vector<std::unique_ptr<char[]>> entries_;
};

TEST_F(RowIndexTest, FindsNothingInAnEmptyOne) {
  EXPECT_TRUE(CellsOf("row").empty());
  EXPECT_EQ(index_.MemoryBytes(), 0u) << "an idle store costs nothing";
}

TEST_F(RowIndexTest, HasEveryRowsCellsInOrder) {
  std::mt19937 random(7);
  std::map<std::string, std::map<int, const char*>> rows;
  for (int i = 0; i < 50'000; ++i) {
    const std::string row = "row" + std::to_string(random() % 20'000);
    const int column = static_cast<int>(random() % 1000);
    auto& cells = rows[row];
    if (cells.size() == 16 || cells.contains(column)) continue;
    index_.Add(cells[column] = Entry(row, column));
  }
  for (const auto& [row, cells] : rows) {
    std::vector<const char*> expected;
    for (const auto& [column, entry] : cells) expected.push_back(entry);
    EXPECT_EQ(CellsOf(row), expected) << row;
  }
  EXPECT_TRUE(CellsOf("another").empty());
}

TEST_F(RowIndexTest, SaysOfAWideRowOnlyThatItIsWide) {
  for (int column = 0; column < 100; ++column) index_.Add(Entry("wide", column));
  index_.Add(Entry("narrow", 1));
  EXPECT_TRUE(index_.Find(UserKey("wide", 3)).wide);
  EXPECT_EQ(CellsOf("narrow").size(), 1u);
}

// In whatever order the versions come.
TEST_F(RowIndexTest, HasTheNewestCellOfEachColumnOfARowWithManyCells) {
  std::mt19937 random(11);
  std::map<int, std::map<int, const char*>> columns;
  for (int i = 0; i < 2'000; ++i) {
    const int column = static_cast<int>(random() % 20);
    const int version = static_cast<int>(random() % 100'000);
    if (columns[column].contains(version)) continue;
    index_.Add(columns[column][version] = Entry("hot", column, version));
    if (i < 100) continue;
    auto expected = columns.begin();
    for (const RowIndex::Cell* at = index_.Find(UserKey("hot", 0)).columns; at != nullptr; at = at->next.load()) {
      ASSERT_NE(expected, columns.end());
      ASSERT_EQ(at->entry.load(), expected->second.begin()->second) << "column " << expected->first;
      ++expected;
    }
    ASSERT_EQ(expected, columns.end());
  }
  const char* const entry = columns[5].begin()->second;
  EXPECT_TRUE(index_.IsInColumnOf(entry, UserKey("hot", 5, 99'999)));
  EXPECT_FALSE(index_.IsInColumnOf(entry, UserKey("hot", 6, 0)));
}

TEST_F(RowIndexTest, KeysWithoutARowAreNotItsAffair) {
  EXPECT_FALSE(index_.IsOfRow("no terminator"));
  EXPECT_TRUE(index_.IsOfRow(UserKey("", 0)));
}

TEST_F(RowIndexTest, OutgrownTablesTakeNoMemory) {
  constexpr int kRows = 50'000;
  for (int i = 0; i < kRows; ++i) index_.Add(Entry("row" + std::to_string(i), 0));
  // 131,072 slots, and the tables of less than 64 KiB that came before.
  EXPECT_LT(index_.MemoryBytes(), 131'072u * 8 + 64 * 1024);
}

// A reader finds what was added before it looked, while tables grow and lists are begun.
TEST_F(RowIndexTest, ReadersSeeWhatWasAddedBefore) {
  constexpr int kRows = 30'000;
  std::vector<const char*> entries;
  for (int i = 0; i < 2 * kRows; ++i) entries.push_back(Entry("row" + std::to_string(i / 2), i % 2));
  std::atomic<int> added = 0;
  std::vector<std::thread> readers;
  for (int reader = 0; reader < 3; ++reader) {
    readers.emplace_back([&, reader] {
      std::mt19937 random(reader);
      for (int until = 0; until < 2 * kRows;) {
        until = added.load(std::memory_order_acquire);
        if (until == 0) continue;
        const int i = static_cast<int>(random() % until);
        const std::vector<const char*> cells = CellsOf("row" + std::to_string(i / 2));
        ASSERT_NE(std::find(cells.begin(), cells.end(), entries[i]), cells.end()) << i;
      }
    });
  }
  for (const char* entry : entries) {
    index_.Add(entry);
    added.fetch_add(1, std::memory_order_release);
  }
  for (std::thread& reader : readers) reader.join();
}

}  // namespace
}  // namespace vaquita
