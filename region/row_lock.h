// region/row_lock.h: the locks on a region's rows.
//
// A lock is an entry in a set, so an idle region uses no memory for it. Every caller locks its rows in key order, so
// two batches cannot wait for each other. Threads: every method may be called from any thread. Source:
// HRegion.getRowLockInternal (2.6).
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>

#include "absl/container/flat_hash_set.h"

namespace vaquita {

class RowLocks {
 public:
  // Locks `rows`, waiting up to `wait_ms` for each one that is taken. Returns nullopt, or, after a timeout, the place
  // of the row whose lock could not be taken; nothing is locked in that case. REQUIRES: `rows` ascending and distinct;
  // their bytes stay until Unlock.
  std::optional<size_t> Lock(std::span<const std::string_view> rows, int64_t wait_ms);
  void Unlock(std::span<const std::string_view> rows);

 private:
  // REQUIRES: mu_ is held.
  void Release(std::span<const std::string_view> rows);
  bool WaitFor(std::string_view row, int64_t wait_ms, std::unique_lock<std::mutex>* lock);

  std::mutex mu_;
  std::condition_variable released_;
  absl::flat_hash_set<std::string_view> locked_;
  int waiting_ = 0;
};

// Holds the locks of some rows for as long as it lives. `rows` outlives it.
class HeldRows {
 public:
  HeldRows(RowLocks* locks, std::span<const std::string_view> rows, int64_t wait_ms)
      : locks_(locks), rows_(rows), blocked_(locks->Lock(rows, wait_ms)) {}
  ~HeldRows() {
    if (held()) locks_->Unlock(rows_);
  }
  HeldRows(const HeldRows&) = delete;
  HeldRows& operator=(const HeldRows&) = delete;

  bool held() const { return !blocked_.has_value(); }
  std::string_view blocked() const { return rows_[*blocked_]; }  // the row that timed out; REQUIRES: !held()

 private:
  RowLocks* locks_;
  std::span<const std::string_view> rows_;
  std::optional<size_t> blocked_;
};

}  // namespace vaquita
