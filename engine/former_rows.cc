#include "engine/former_rows.h"

#include <memory>
#include <string>

#include "base/fault_point.h"
#include "base/log.h"
#include "base/status.h"
#include "engine/append_marks.h"
#include "engine/cells/cell_key.h"
#include "engine/cells/stored_row.h"
#include "engine/rocksdb/rocksdb_status.h"
#include "rocksdb/db.h"
#include "rocksdb/write_batch.h"

namespace vaquita {
namespace {

constexpr size_t kBatchBytes = 4096;

// Moves cells to their new keys, a batch at a time.
class CellMover {
 public:
  explicit CellMover(Store* store) : store_(*store) {}

  absl::Status Move(std::string_view key, const rocksdb::Slice& value) {
    CellKey cell;
    VAQUITA_RETURN_IF_ERROR(ParseCellKey(key, &scratch_, &cell));
    cell.row = StoredRow(store_.row_order(), cell.row, &row_);
    key_.clear();
    AppendCellKey(cell, &key_);
    rocksdb::Status added = batch_.Delete(store_.handle(), rocksdb::Slice(key.data(), key.size()));
    if (added.ok()) added = batch_.Put(store_.handle(), key_, value);
    VAQUITA_RETURN_IF_ERROR(FromRocksDb(added, "convert store " + store_.spec().name));
    ++cells_;
    return batch_.GetDataSize() < kBatchBytes ? absl::OkStatus() : Write(/*sync=*/false);
  }

  absl::Status Write(bool sync) {
    rocksdb::WriteOptions write;
    write.sync = sync;
    VAQUITA_RETURN_IF_ERROR(
        FromRocksDb(store_.rocksdb()->Write(write, &batch_), "convert store " + store_.spec().name));
    batch_.Clear();
    if (store_.mark() != nullptr) StoreMark::Raise(&store_.mark()->last, store_.rocksdb()->GetLatestSequenceNumber());
    FaultPoint("former_rows:some");
    return absl::OkStatus();
  }

  int64_t cells() const { return cells_; }

 private:
  Store& store_;
  rocksdb::WriteBatch batch_;
  std::string scratch_, row_, key_;
  int64_t cells_ = 0;
};

}  // namespace

absl::StatusOr<bool> ConvertFormerRows(Store* store) {
  rocksdb::ReadOptions read;
  read.total_order_seek = true;
  const std::unique_ptr<rocksdb::Iterator> at(store->rocksdb()->NewIterator(read, store->handle()));
  CellMover mover(store);
  for (at->Seek(rocksdb::Slice(kFormerMetaRows.data(), kFormerMetaRows.size())); at->Valid(); at->Next()) {
    VAQUITA_RETURN_IF_ERROR(
        Annotate(mover.Move({at->key().data(), at->key().size()}, at->value()), "store " + store->spec().name));
  }
  VAQUITA_RETURN_IF_ERROR(FromRocksDb(at->status(), "read store " + store->spec().name));
  if (mover.cells() == 0) return false;
  VAQUITA_RETURN_IF_ERROR(mover.Write(/*sync=*/true));
  spdlog::info("store {}: the keys of {} cells are now in the order of {}", store->spec().name, mover.cells(),
               "HBase's hbase:meta");
  return true;
}

}  // namespace vaquita
