// engine/scanner_group.h: the scanners of several stores over one moment of the database.
//
// The region opens its reads here, so that it never sees an iterator. Threads: one at a time. Ownership: neither copied
// nor moved; destroy it before the StoreDb.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "engine/store_db.h"
#include "engine/store_scanner.h"

namespace vaquita {

// Return the keys of rows, in stores with rows of `order`. `rows.start` is the row that is read first, so the larger
// one if `reversed`.
StoreDb::IteratorBounds BoundsOfRows(RowOrder order, const RowRange& rows, bool reversed);
StoreDb::IteratorBounds BoundsOfRow(RowOrder order, std::string_view row);

class ScannerGroup {
 public:
  ScannerGroup() = default;
  ScannerGroup(const ScannerGroup&) = delete;
  ScannerGroup& operator=(const ScannerGroup&) = delete;

  // Opens a scanner over the keys in `bounds` for each of `stores`, with the options in the same place. REQUIRES: all
  // options have the same direction; called once.
  absl::Status Open(const StoreDb& db, std::span<const std::shared_ptr<Store>> stores, StoreDb::IteratorBounds bounds,
                    std::vector<StoreScanOptions> options);

  size_t size() const { return scanners_.size(); }
  StoreScanner& operator[](size_t index) { return scanners_[index]; }
  const StoreScanner& operator[](size_t index) const { return scanners_[index]; }
  // Returns the first error among the scanners.
  absl::Status status() const;

 private:
  std::vector<StoreScanner> scanners_;
};

}  // namespace vaquita
