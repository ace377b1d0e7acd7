#include "engine/rocksdb/row_index.h"

#include <sys/mman.h>

#include <algorithm>
#include <cassert>
#include <functional>
#include <new>
#include <string_view>

#include "engine/cells/cell_key.h"

namespace vaquita {
namespace {

constexpr size_t kFirstPlaces = 16;
// The cells of a row with more are not listed: walking that many costs as much as a search for one.
constexpr int kMostCells = 16;
// A row with more columns is wide. Each cell that is added to it is compared with half of them.
constexpr int kMostColumns = 32;
constexpr size_t kPrefetched = 16;     // entries on their way to the cache while a table is copied
constexpr size_t kInternalSuffix = 8;  // RocksDB appends this many bytes to a user key

size_t HashOf(const rocksdb::Slice& row) { return std::hash<std::string_view>()({row.data(), row.size()}); }

// Smaller tables are not worth a mapping.
constexpr size_t kLeastMappedBytes = 64 * 1024;

}  // namespace

bool RowIndex::Table::mapped() const { return bytes() >= kLeastMappedBytes; }

RowIndex::Table::Table(size_t places)
    : mask(places - 1), words([this]() -> std::atomic<Word>* {
        if (!mapped()) return new std::atomic<Word>[this->places()]();
        void* const pages = mmap(nullptr, bytes(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (pages == MAP_FAILED) throw std::bad_alloc();
        return static_cast<std::atomic<Word>*>(pages);
      }()) {}

RowIndex::Table::~Table() {
  if (mapped()) {
    munmap(words, bytes());
  } else {
    delete[] words;
  }
}

// The addresses stay valid, and their pages become zero, which is an empty slot.
void RowIndex::Table::Drop() {
  if (mapped()) madvise(words, bytes(), MADV_DONTNEED);
}

const char* RowIndex::AnyEntry(Word word) {
  if (KindOf(word) == Kind::kList || KindOf(word) == Kind::kColumns) {
    return static_cast<const Cell*>(AddressOf(word))->entry.load(std::memory_order_acquire);
  }
  return static_cast<const char*>(AddressOf(word));
}

// Returns the part of the entry's key that all cells of its column have.
rocksdb::Slice RowIndex::ColumnOf(const char* entry) const {
  rocksdb::Slice key = compare_.decode_key(entry);
  key.remove_suffix(std::min(key.size(), kKeySuffixLength + kInternalSuffix));
  return key;
}

bool RowIndex::IsInColumnOf(const char* entry, const rocksdb::Slice& user_key) const {
  return user_key.starts_with(ColumnOf(entry));
}

rocksdb::Slice RowIndex::RowOf(const char* entry) const {
  rocksdb::Slice key = compare_.decode_key(entry);
  key.remove_suffix(kInternalSuffix);
  return row_of_.Transform(key);
}

size_t RowIndex::Place(const Table& table, size_t hash, const rocksdb::Slice& row) const {
  for (size_t place = hash & table.mask;; place = (place + 1) & table.mask) {
    const Word word = table.words[place].load(std::memory_order_acquire);
    if (word == 0) return place;
    if (TagOf(word) == TagOf(hash) && RowOf(AnyEntry(word)) == row) return place;
  }
}

RowIndex::Row RowIndex::Find(const rocksdb::Slice& user_key) const {
  const Table* table = table_.load(std::memory_order_acquire);
  if (table == nullptr) return {};
  const rocksdb::Slice row = row_of_.Transform(user_key);
  const size_t hash = HashOf(row);
  Word word = table->words[Place(*table, hash, row)].load(std::memory_order_acquire);
  // An empty slot of a table that was outgrown meanwhile says nothing.
  for (const Table* now = nullptr; word == 0; table = now) {
    now = table_.load(std::memory_order_acquire);
    if (now == table) break;
    word = now->words[Place(*now, hash, row)].load(std::memory_order_acquire);
  }
  switch (KindOf(word)) {
    case Kind::kEmpty:
      break;
    case Kind::kOne:
      return {.only = static_cast<const char*>(AddressOf(word))};
    case Kind::kList:
      return {.first = static_cast<const Cell*>(AddressOf(word))};
    case Kind::kColumns:
      return {.columns = static_cast<const Cell*>(AddressOf(word))};
    case Kind::kWide:
      return {.wide = true};
  }
  return {};
}

void RowIndex::Add(const char* entry) {
  const rocksdb::Slice row = RowOf(entry);
  const size_t hash = HashOf(row);
  std::lock_guard lock(mutex_);
  if (tables_.empty() || rows_ * 4 >= tables_.back()->places() * 3) Grow();
  Table& table = *tables_.back();
  AddTo(&table.words[Place(table, hash, row)], entry, hash);
}

void RowIndex::AddTo(std::atomic<Word>* place, const char* entry, size_t hash) {
  assert(reinterpret_cast<Word>(entry) >> kAddressBits == 0);
  const Word word = place->load(std::memory_order_relaxed);
  const auto set = [&](const void* address, Kind kind) {
    place->store(MakeWord(address, kind, hash), std::memory_order_release);
  };
  switch (KindOf(word)) {
    case Kind::kEmpty:
      ++rows_;
      return set(entry, Kind::kOne);
    case Kind::kOne: {
      Cell* const there = NewCell(static_cast<const char*>(AddressOf(word)));
      Cell* const added = NewCell(entry);
      if (!Insert(there, added)) added->next.store(there, std::memory_order_relaxed);
      return set(added->next.load(std::memory_order_relaxed) == there ? added : there, Kind::kList);
    }
    case Kind::kList: {
      const auto* const first = static_cast<const Cell*>(AddressOf(word));
      int cells = 1;
      for (const Cell* at = first; at != nullptr; at = at->next.load(std::memory_order_relaxed)) ++cells;
      if (cells > kMostCells) {
        const Cell* const columns = AddColumn(ListColumns(first), entry);
        return set(columns, Kind::kColumns);
      }
      Cell* const added = NewCell(entry);
      if (Insert(first, added)) return;
      added->next.store(first, std::memory_order_relaxed);
      return set(added, Kind::kList);
    }
    case Kind::kColumns: {
      const Cell* const first = AddColumn(static_cast<const Cell*>(AddressOf(word)), entry);
      return first != nullptr ? set(first, Kind::kColumns) : set(entry, Kind::kWide);
    }
    case Kind::kWide:
      return;
  }
}

// Returns a list of the newest cell of each column in the list of cells `first`.
const RowIndex::Cell* RowIndex::ListColumns(const Cell* first) {
  Cell* const columns = NewCell(first->entry);
  Cell* last = columns;
  for (const Cell* at = first; at != nullptr; at = at->next.load(std::memory_order_relaxed)) {
    if (ColumnOf(at->entry) == ColumnOf(last->entry)) continue;
    Cell* const column = NewCell(at->entry);
    last->next.store(column, std::memory_order_relaxed);
    last = column;
  }
  return columns;
}

// Adds a cell of any column to a list of columns. Returns the list's first cell, or null if there are too many columns.
const RowIndex::Cell* RowIndex::AddColumn(const Cell* first, const char* entry) {
  const Cell* before = nullptr;
  const Cell* at = first;
  int columns = 0;
  for (; at != nullptr && compare_(at->entry, entry) < 0; at = at->next.load(std::memory_order_relaxed)) {
    before = at;
    ++columns;
  }
  if (before != nullptr && ColumnOf(before->entry) == ColumnOf(entry)) return first;  // it is an older version
  if (at != nullptr && ColumnOf(at->entry) == ColumnOf(entry)) {
    const_cast<Cell*>(at)->entry.store(entry, std::memory_order_release);
    return first;
  }
  for (const Cell* rest = at; rest != nullptr; rest = rest->next.load(std::memory_order_relaxed)) ++columns;
  if (columns >= kMostColumns) return nullptr;
  Cell* const added = NewCell(entry);
  added->next.store(at, std::memory_order_relaxed);
  if (before == nullptr) return added;
  const_cast<Cell*>(before)->next.store(added, std::memory_order_release);
  return first;
}

// Puts `added` where it belongs after `first`; false if it belongs before.
bool RowIndex::Insert(const Cell* first, Cell* added) {
  if (compare_(added->entry, first->entry) < 0) return false;
  const Cell* before = first;
  const Cell* after = before->next.load(std::memory_order_relaxed);
  while (after != nullptr && compare_(after->entry, added->entry) < 0) {
    before = after;
    after = before->next.load(std::memory_order_relaxed);
  }
  added->next.store(after, std::memory_order_relaxed);
  const_cast<Cell*>(before)->next.store(added, std::memory_order_release);
  return true;
}

RowIndex::Cell* RowIndex::NewCell(const char* entry) {
  if (!cells_.has_value()) cells_.emplace();
  Cell& cell = cells_->emplace_back();
  cell.entry.store(entry, std::memory_order_relaxed);
  memory_bytes_.fetch_add(sizeof(Cell), std::memory_order_relaxed);
  return &cell;
}

void RowIndex::Grow() {
  auto grown = std::make_unique<Table>(tables_.empty() ? kFirstPlaces : tables_.back()->places() * 2);
  Table* const from = tables_.empty() ? nullptr : tables_.back().get();
  for (size_t i = 0; from != nullptr && i < from->places(); ++i) {
    if (i + kPrefetched < from->places()) {
      __builtin_prefetch(AddressOf(from->words[i + kPrefetched].load(std::memory_order_relaxed)));
    }
    const Word word = from->words[i].load(std::memory_order_relaxed);
    if (word == 0) continue;
    size_t place = HashOf(RowOf(AnyEntry(word))) & grown->mask;
    while (grown->words[place].load(std::memory_order_relaxed) != 0) place = (place + 1) & grown->mask;
    grown->words[place].store(word, std::memory_order_relaxed);
  }
  memory_bytes_.fetch_add(grown->bytes(), std::memory_order_relaxed);
  table_.store(grown.get(), std::memory_order_release);
  tables_.push_back(std::move(grown));
  if (from == nullptr || !from->mapped()) return;
  from->Drop();
  memory_bytes_.fetch_sub(from->bytes(), std::memory_order_relaxed);
}

}  // namespace vaquita
