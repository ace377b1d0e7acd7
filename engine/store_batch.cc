#include "engine/store_batch.h"

#include "engine/cells/cell_key.h"
#include "engine/cells/stored_row.h"
#include "engine/write_counter.h"
#include "rocksdb/write_batch.h"

namespace vaquita {

StoreBatch::StoreBatch(WriteOrder order) : batch_(std::make_unique<rocksdb::WriteBatch>()), order_(order) {}
StoreBatch::~StoreBatch() = default;
StoreBatch::StoreBatch(StoreBatch&&) noexcept = default;
StoreBatch& StoreBatch::operator=(StoreBatch&&) noexcept = default;

void StoreBatch::Add(const Store& store, std::string_view row, std::string_view qualifier, int64_t timestamp_ms,
                     CellType type, std::string_view value, int64_t ttl_ms) {
  key_.clear();
  value_.clear();
  AppendCellKey({StoredRow(store.row_order(), row, &row_), qualifier, timestamp_ms, type}, &key_);
  const bool numbered = order_ == WriteOrder::kKnown && store.new_version_behavior();
  if (numbered && write_number_ == 0) write_number_ = store.write_counter()->Next();
  AppendStoredValue(value, ttl_ms, &value_, numbered ? write_number_ : 0);
  // It can only fail past a limit on the batch's size, and this batch has none.
  batch_->Put(store.handle(), key_, value_).PermitUncheckedError();

  if (shares_.empty() || shares_.back().store != &store) shares_.push_back({&store, 0, 0});
  shares_.back().bytes += static_cast<int64_t>(key_.size() + value_.size()) + MemstoreGauge::kEntryOverheadBytes;
  shares_.back().cells += 1;
}

void StoreBatch::Clear() {
  batch_->Clear();
  write_number_ = 0;
  shares_.clear();
}

size_t StoreBatch::bytes() const { return batch_->GetDataSize(); }
bool StoreBatch::empty() const { return batch_->Count() == 0; }

}  // namespace vaquita
