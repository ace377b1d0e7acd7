#include "engine/scanner_group.h"

#include <rocksdb/iterator.h>

#include <utility>

#include "base/status.h"
#include "engine/cells/cell_key.h"
#include "engine/cells/stored_row.h"

namespace vaquita {
namespace {

StoreDb::IteratorBounds BoundsOf(const StoreScanOptions& options) {
  const RowRange& rows = options.rows;  // as stored
  const std::string& low = options.reversed ? rows.stop : rows.start;
  const std::string& high = options.reversed ? rows.start : rows.stop;
  const bool low_inclusive = options.reversed ? rows.stop_inclusive : rows.start_inclusive;
  const bool high_inclusive = options.reversed ? rows.start_inclusive : rows.stop_inclusive;
  StoreDb::IteratorBounds bounds;
  if (!low.empty()) bounds.lower = low_inclusive ? RowPrefix(low) : AfterRow(low);
  if (!high.empty()) bounds.upper = high_inclusive ? AfterRow(high) : RowPrefix(high);
  bounds.one_row = !low.empty() && low == high;
  return bounds;
}

}  // namespace

absl::Status ScannerGroup::Open(const StoreDb& db, std::span<const std::shared_ptr<Store>> stores,
                                std::vector<StoreScanOptions> options, bool cache_blocks) {
  if (stores.empty()) return absl::OkStatus();
  for (size_t i = 0; i < stores.size(); ++i) {
    const RowOrder order = stores[i]->spec().row_order;
    if (order != RowOrder::kBytes) options[i].rows = StoredRange(order, std::move(options[i].rows));
  }
  StoreDb::IteratorBounds bounds = BoundsOf(options.front());
  bounds.cache_blocks = cache_blocks;
  std::vector<std::unique_ptr<rocksdb::Iterator>> iterators;
  VAQUITA_RETURN_IF_ERROR(db.NewIterators(stores, bounds, &iterators));
  scanners_.reserve(stores.size());
  for (size_t i = 0; i < stores.size(); ++i) {
    std::shared_ptr<const StoreSpec> spec(stores[i], &stores[i]->spec());  // keeps the store, too
    scanners_.emplace_back(std::move(spec), std::move(iterators[i]), std::move(options[i]));
  }
  return absl::OkStatus();
}

absl::Status ScannerGroup::status() const {
  for (const StoreScanner& scanner : scanners_) VAQUITA_RETURN_IF_ERROR(scanner.status());
  return absl::OkStatus();
}

}  // namespace vaquita
