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

class ScannerGroup {
 public:
  ScannerGroup() = default;
  ScannerGroup(const ScannerGroup&) = delete;
  ScannerGroup& operator=(const ScannerGroup&) = delete;

  // Opens a scanner for each of `stores`, with the options in the same place. REQUIRES: all options have the same rows
  // and direction; called once.
  absl::Status Open(const StoreDb& db, std::span<const std::shared_ptr<Store>> stores,
                    std::vector<StoreScanOptions> options, bool cache_blocks);

  size_t size() const { return scanners_.size(); }
  StoreScanner& operator[](size_t index) { return scanners_[index]; }
  const StoreScanner& operator[](size_t index) const { return scanners_[index]; }
  // Returns the first error among the scanners.
  absl::Status status() const;

 private:
  std::vector<StoreScanner> scanners_;
};

}  // namespace vaquita
