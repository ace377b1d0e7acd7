#include "engine/consistent_iterators.h"

#include <string>
#include <utility>

#include "base/status.h"
#include "engine/rocksdb/rocksdb_status.h"
#include "engine/store.h"

namespace vaquita {
namespace {

// An iterator's bounds: RocksDB keeps pointers to the slices as long as the iterator lives.
struct HeldBounds {
  // The tighter of the caller's bounds and the store's.
  HeldBounds(StoreDb::IteratorBounds asked, const KeyBounds& store)
      : lower_bytes(std::move(asked.lower)), upper_bytes(std::move(asked.upper)) {
    if (store.lower > lower_bytes) lower_bytes = store.lower;
    if (upper_bytes.empty() || (!store.upper.empty() && store.upper < upper_bytes)) upper_bytes = store.upper;
    lower = lower_bytes;
    upper = upper_bytes;
  }

  std::string lower_bytes, upper_bytes;
  rocksdb::Slice lower, upper;
};

std::unique_ptr<rocksdb::Iterator> NewIterator(rocksdb::DB* db, const Store& store, StoreDb::IteratorBounds bounds,
                                               const rocksdb::Snapshot* snapshot) {
  rocksdb::ReadOptions read;
  read.snapshot = snapshot;
  // The bloom filters hold rows, so only a seek within one row may ask them. The bounds end that row:
  // prefix_same_as_start would look for the end of the row in every key (4% of a get from memory).
  read.total_order_seek = !bounds.one_row;
  read.fill_cache = bounds.cache_blocks && store.spec().family.block_cache;
  auto held = std::make_unique<HeldBounds>(std::move(bounds), store.bounds());
  if (!held->lower.empty()) read.iterate_lower_bound = &held->lower;
  if (!held->upper.empty()) read.iterate_upper_bound = &held->upper;
  std::unique_ptr<rocksdb::Iterator> iterator(db->NewIterator(read, store.handle()));
  iterator->RegisterCleanup([](void* bounds, void*) { delete static_cast<HeldBounds*>(bounds); }, held.release(),
                            nullptr);
  return iterator;
}

// Returns a number that changes with every installed flush and compaction of the store.
uint64_t FilesVersion(rocksdb::DB* db, const Store& store) {
  uint64_t version = 0;
  db->GetIntProperty(store.handle(), rocksdb::DB::Properties::kCurrentSuperVersionNumber, &version);
  return version;
}

absl::Status CheckAll(const std::vector<std::unique_ptr<rocksdb::Iterator>>& iterators) {
  for (const auto& iterator : iterators) {
    VAQUITA_RETURN_IF_ERROR(FromRocksDb(iterator->status(), "open iterator"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status NewConsistentIterators(rocksdb::DB* db, std::span<const std::shared_ptr<Store>> stores,
                                    StoreDb::IteratorBounds bounds,
                                    std::vector<std::unique_ptr<rocksdb::Iterator>>* iterators) {
  iterators->clear();
  if (stores.size() == 1) {  // one iterator pins its files first and takes its sequence number then: always consistent
    iterators->push_back(NewIterator(db, *stores[0], std::move(bounds), nullptr));
    return CheckAll(*iterators);
  }
  // All iterators share one sequence number. The filter of a flush or compaction ignores snapshots: if one was
  // installed between the snapshot and the pin, a cell of that moment may be gone, so the loop begins again.
  std::vector<uint64_t> versions(stores.size());
  bool moved = true;
  while (moved) {
    iterators->clear();
    for (size_t i = 0; i < stores.size(); ++i) versions[i] = FilesVersion(db, *stores[i]);
    const rocksdb::Snapshot* const snapshot = db->GetSnapshot();
    for (const auto& store : stores) iterators->push_back(NewIterator(db, *store, bounds, snapshot));
    db->ReleaseSnapshot(snapshot);
    moved = false;
    for (size_t i = 0; i < stores.size(); ++i) moved |= FilesVersion(db, *stores[i]) != versions[i];
  }
  return CheckAll(*iterators);
}

}  // namespace vaquita
