#include "engine/scanner_group.h"

#include <rocksdb/iterator.h>

#include <utility>

#include "base/status.h"
#include "engine/cells/cell_key.h"
#include "engine/cells/stored_row.h"

namespace vaquita {
StoreDb::IteratorBounds BoundsOfRows(RowOrder order, const RowRange& rows, bool reversed) {
  RowRange ascending = rows;
  if (reversed) ascending = {rows.stop, rows.start, rows.stop_inclusive, rows.start_inclusive};
  const RowRange stored = StoredRange(order, std::move(ascending));
  StoreDb::IteratorBounds bounds;
  bounds.lower = FirstKey(stored);
  bounds.upper = EndKey(stored);
  bounds.one_row =
      !stored.start.empty() && stored.start == stored.stop && stored.start_inclusive && stored.stop_inclusive;
  return bounds;
}

StoreDb::IteratorBounds BoundsOfRow(RowOrder order, std::string_view row) {
  std::string scratch;
  const std::string_view stored = StoredRow(order, row, &scratch);
  return {.lower = RowPrefix(stored), .upper = AfterRow(stored), .one_row = true};
}

absl::Status ScannerGroup::Open(const StoreDb& db, std::span<const std::shared_ptr<Store>> stores,
                                StoreDb::IteratorBounds bounds, std::vector<StoreScanOptions> options) {
  if (stores.empty()) return absl::OkStatus();
  const bool one_row = bounds.one_row;
  std::vector<std::unique_ptr<rocksdb::Iterator>> iterators;
  VAQUITA_RETURN_IF_ERROR(db.NewIterators(stores, std::move(bounds), &iterators));
  scanners_.reserve(stores.size());
  for (size_t i = 0; i < stores.size(); ++i) {
    std::shared_ptr<const StoreSpec> spec(stores[i], &stores[i]->spec());  // keeps the store, too
    options[i].one_row = one_row;
    options[i].seeks_past_dead = stores[i]->seeks_past_dead();
    scanners_.emplace_back(std::move(spec), std::move(iterators[i]), std::move(options[i]));
  }
  return absl::OkStatus();
}

absl::Status ScannerGroup::status() const {
  for (const StoreScanner& scanner : scanners_) VAQUITA_RETURN_IF_ERROR(scanner.status());
  return absl::OkStatus();
}

}  // namespace vaquita
