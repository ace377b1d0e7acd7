#include "engine/rocksdb/row_memtable.h"

#include <cstddef>
#include <mutex>
#include <utility>
#include <vector>

#include "base/prefetch.h"
#include "engine/rocksdb/row_index.h"
#include "rocksdb/memtablerep.h"

namespace vaquita {
namespace {

using rocksdb::KeyHandle;
using rocksdb::MemTableRep;
using rocksdb::Slice;

Slice UserKeyOf(const Slice& internal_key) { return {internal_key.data(), internal_key.size() - 8}; }

// Storage of destroyed iterators. Threads: each has its own.
class SpareStorage {
 public:
  static constexpr size_t kBytes = 128;  // an iterator has less

  ~SpareStorage() {
    ended = true;
    for (void* storage : spare_) ::operator delete(storage);
  }
  // True at the end of a thread. It may destroy iterators still later, those of a server that a static variable has.
  static inline thread_local bool ended = false;
  // Keeps the storage of such an iterator until the process ends.
  static void KeepForever(void* storage) {
    static std::mutex mutex;
    static auto* const storages = new std::vector<void*>;
    const std::lock_guard lock(mutex);
    storages->push_back(storage);
  }

  void* Take() {
    if (spare_.empty()) return ::operator new(kBytes);
    void* const storage = spare_.back();
    spare_.pop_back();
    return storage;
  }
  // The destructor of the iterator there may still be running, so the storage is neither freed nor used before this
  // thread asks.
  void Keep(void* storage) {
    if (spare_.size() >= kMost) {
      ::operator delete(spare_.front());
      spare_.front() = storage;
    } else {
      spare_.push_back(storage);
    }
  }

 private:
  static constexpr size_t kMost = 64;
  std::vector<void*> spare_;
};
thread_local SpareStorage spare_storage;

// RocksDB destroys an iterator that it gave an arena for, but does not delete it, and its arenas are hidden. So a
// thread keeps the storage of destroyed iterators, and makes its next ones there.
class KeptIterator : public MemTableRep::Iterator {
 public:
  ~KeptIterator() override {
    if (SpareStorage::ended) {
      SpareStorage::KeepForever(this);
    } else {
      spare_storage.Keep(this);
    }
  }
  static void* operator new(size_t) {
    return SpareStorage::ended ? ::operator new(SpareStorage::kBytes) : spare_storage.Take();
  }
  static void operator delete(void*) {}  // ~KeptIterator has done so
};

// Walks all cells of a skip list. Neighbours lie anywhere in memory, so a scan would wait for most of them: while one
// is read, the next one is fetched into the processor's cache.
class ListIterator final : public KeptIterator {
 public:
  ListIterator(MemTableRep* cells, rocksdb::Arena* arena)
      : in_arena_(arena != nullptr), at_(cells->GetIterator(arena)) {}
  ~ListIterator() override { in_arena_ ? at_->~Iterator() : delete at_; }

  bool Valid() const override { return entry_ != nullptr; }
  const char* key() const override { return entry_; }
  void Next() override {
    at_->Next();
    Arrive();
  }
  void Seek(const Slice& internal_key, const char* memtable_key) override {
    at_->Seek(internal_key, memtable_key);
    Arrive();
  }
  void SeekToFirst() override {
    at_->SeekToFirst();
    Arrive();
  }
  void Prev() override {
    at_->Prev();
    Arrive();
  }
  void SeekForPrev(const Slice& internal_key, const char* memtable_key) override {
    at_->SeekForPrev(internal_key, memtable_key);
    Arrive();
  }
  void SeekToLast() override {
    at_->SeekToLast();
    Arrive();
  }

 private:
  static constexpr size_t kNodeBytes = 192;  // a cell of a hundred has fewer

  // RocksDB's list has the address of the next node in front of the entry (memtable/inlineskiplist.h). If it had
  // something else there, this would be useless, but not wrong: any address may be fetched.
  void Arrive() {
    entry_ = at_->Valid() ? at_->key() : nullptr;
    if (entry_ == nullptr) return;
    const void* const next = __atomic_load_n(reinterpret_cast<void* const*>(entry_) - 1, __ATOMIC_RELAXED);
    Prefetch(next, kNodeBytes);
  }

  const bool in_arena_;
  MemTableRep::Iterator* const at_;
  const char* entry_ = nullptr;
};
static_assert(sizeof(ListIterator) <= SpareStorage::kBytes);

// Walks the cells of one row, that of the key last sought. A move beyond the row continues on the skip list's iterator.
class RowIterator final : public KeptIterator {
 public:
  RowIterator(MemTableRep* all, const RowIndex* index, const MemTableRep::KeyComparator& compare)
      : all_(all), index_(index), compare_(compare) {}

  bool Valid() const override { return in_all_ != nullptr ? in_all_->Valid() : entry_ != nullptr; }
  const char* key() const override { return in_all_ != nullptr ? in_all_->key() : entry_; }

  void Seek(const Slice& internal_key, const char* memtable_key) override {
    const Slice user_key = UserKeyOf(internal_key);
    const bool indexed = index_->IsOfRow(user_key);
    const RowIndex::Row row = indexed ? index_->Find(user_key) : RowIndex::Row{.wide = true};
    if (row.wide) return All()->Seek(internal_key, memtable_key);
    if (row.columns != nullptr) {
      if (!SeekColumn(row.columns, internal_key)) All()->Seek(internal_key, memtable_key);
      return;
    }
    in_all_ = nullptr;
    column_ = nullptr;
    cell_ = row.first;
    entry_ = cell_ != nullptr ? cell_->entry.load(std::memory_order_acquire) : row.only;
    while (entry_ != nullptr && compare_(entry_, internal_key) < 0) Next();
  }

  void Next() override {
    if (in_all_ == nullptr && column_ != nullptr) All()->Seek(compare_.decode_key(entry_), entry_);
    if (in_all_ != nullptr) return in_all_->Next();
    if (cell_ != nullptr) cell_ = cell_->next.load(std::memory_order_acquire);
    entry_ = cell_ != nullptr ? cell_->entry.load(std::memory_order_acquire) : nullptr;
  }

  void Prev() override {
    const char* const from = key();
    const Slice internal_key = compare_.decode_key(from);
    if (in_all_ == nullptr) All()->Seek(internal_key, from);
    in_all_->Prev();
  }
  void SeekForPrev(const Slice& internal_key, const char* memtable_key) override {
    All()->SeekForPrev(internal_key, memtable_key);
  }
  void SeekToFirst() override { All()->SeekToFirst(); }
  void SeekToLast() override { All()->SeekToLast(); }

 private:
  // Moves to the first cell of a column at or after `internal_key`, from the column where it stood if that is before.
  // Returns false if the key is among the older versions of a column, which the index does not have.
  bool SeekColumn(const RowIndex::Cell* first, const Slice& internal_key) {
    const RowIndex::Cell* before = nullptr;
    const RowIndex::Cell* at = first;
    if (columns_ == first && column_ != nullptr && compare_(column_->entry, internal_key) < 0) at = column_;
    columns_ = first;
    for (; at != nullptr && compare_(at->entry, internal_key) < 0; at = at->next.load(std::memory_order_acquire)) {
      before = at;
    }
    column_ = at != nullptr ? at : before;
    if (before != nullptr && index_->IsInColumnOf(before->entry, UserKeyOf(internal_key))) return false;
    in_all_ = nullptr;
    cell_ = nullptr;
    entry_ = at != nullptr ? at->entry.load(std::memory_order_acquire) : nullptr;
    return true;
  }

  MemTableRep::Iterator* All() {
    if (of_all_ == nullptr) of_all_.reset(all_->GetIterator(nullptr));
    return in_all_ = of_all_.get();
  }

  MemTableRep* const all_;
  const RowIndex* const index_;
  const MemTableRep::KeyComparator& compare_;
  const char* entry_ = nullptr;           // where it stands, in the index
  const RowIndex::Cell* cell_ = nullptr;  // the cell of this entry, if the row has several
  std::unique_ptr<MemTableRep::Iterator> of_all_;
  const RowIndex::Cell* columns_ = nullptr;  // the columns of the row, and the one last sought, if it has many cells
  const RowIndex::Cell* column_ = nullptr;
  MemTableRep::Iterator* in_all_ = nullptr;  // the position, if it is not in the index
};

static_assert(sizeof(RowIterator) <= SpareStorage::kBytes);

class RowMemtable final : public MemTableRep {
 public:
  RowMemtable(rocksdb::Allocator* allocator, std::unique_ptr<MemTableRep> cells, const KeyComparator& compare,
              const rocksdb::SliceTransform& row_of)
      : MemTableRep(allocator), cells_(std::move(cells)), compare_(compare), index_(compare, row_of) {}

  // Returns the entry as its handle.
  KeyHandle Allocate(size_t bytes, char** entry) override { return cells_->Allocate(bytes, entry); }

  void Insert(KeyHandle handle) override { InsertKey(handle); }
  bool InsertKey(KeyHandle handle) override { return Index(handle, cells_->InsertKey(handle)); }
  void InsertWithHint(KeyHandle handle, void** hint) override { InsertKeyWithHint(handle, hint); }
  bool InsertKeyWithHint(KeyHandle handle, void** hint) override {
    return Index(handle, cells_->InsertKeyWithHint(handle, hint));
  }
  void InsertWithHintConcurrently(KeyHandle handle, void** hint) override {
    InsertKeyWithHintConcurrently(handle, hint);
  }
  bool InsertKeyWithHintConcurrently(KeyHandle handle, void** hint) override {
    return Index(handle, cells_->InsertKeyWithHintConcurrently(handle, hint));
  }
  void InsertConcurrently(KeyHandle handle) override { InsertKeyConcurrently(handle); }
  bool InsertKeyConcurrently(KeyHandle handle) override { return Index(handle, cells_->InsertKeyConcurrently(handle)); }

  bool Contains(const char* entry) const override { return cells_->Contains(entry); }
  void MarkReadOnly() override { cells_->MarkReadOnly(); }
  void MarkFlushed() override { cells_->MarkFlushed(); }
  void Get(const rocksdb::LookupKey& key, void* argument, bool (*visit)(void*, const char*)) override {
    cells_->Get(key, argument, visit);
  }
  uint64_t ApproximateNumEntries(const Slice& start, const Slice& end) override {
    return cells_->ApproximateNumEntries(start, end);
  }
  void UniqueRandomSample(uint64_t entries, uint64_t wanted, std::unordered_set<const char*>* sample) override {
    cells_->UniqueRandomSample(entries, wanted, sample);
  }
  size_t ApproximateMemoryUsage() override { return cells_->ApproximateMemoryUsage() + index_.MemoryBytes(); }

  Iterator* GetIterator(rocksdb::Arena* arena) override { return new ListIterator(cells_.get(), arena); }
  Iterator* GetDynamicPrefixIterator(rocksdb::Arena*) override {
    return new RowIterator(cells_.get(), &index_, compare_);
  }

 private:
  bool Index(KeyHandle handle, bool inserted) {
    const char* const entry = static_cast<const char*>(handle);
    if (inserted && index_.IsOfRow(UserKeyOf(compare_.decode_key(entry)))) index_.Add(entry);
    return inserted;
  }

  const std::unique_ptr<MemTableRep> cells_;
  const KeyComparator& compare_;
  RowIndex index_;
};

class RowMemtableFactory final : public rocksdb::MemTableRepFactory {
 public:
  const char* Name() const override { return "vaquita.RowMemtable"; }
  MemTableRep* CreateMemTableRep(const MemTableRep::KeyComparator& compare, rocksdb::Allocator* allocator,
                                 const rocksdb::SliceTransform* row_of, rocksdb::Logger* logger) override {
    std::unique_ptr<MemTableRep> cells(skip_lists_.CreateMemTableRep(compare, allocator, row_of, logger));
    if (row_of == nullptr) return cells.release();  // RocksDB's list of deleted ranges
    return new RowMemtable(allocator, std::move(cells), compare, *row_of);
  }
  bool IsInsertConcurrentlySupported() const override { return true; }
  bool CanHandleDuplicatedKey() const override { return true; }

 private:
  rocksdb::SkipListFactory skip_lists_;
};

}  // namespace

std::shared_ptr<rocksdb::MemTableRepFactory> NewRowMemtableFactory() { return std::make_shared<RowMemtableFactory>(); }

}  // namespace vaquita
