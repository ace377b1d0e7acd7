// server/master/meta/monotonic_timestamps.h: timestamps for the master's own edits, each later than the one before.
//
// A delete masks every put at or before its timestamp, also one that comes later; two edits of one row in one
// millisecond, or a clock that stands still, must not let an old delete hide a new put. Threads: any.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <thread>

#include "base/clock.h"

namespace vaquita {

class MonotonicTimestamps {
 public:
  explicit MonotonicTimestamps(Clock* clock) : clock_(clock) {}  // `clock` outlives it
  int64_t NextMs() {
    std::lock_guard lock(mutex_);
    return last_ms_ = std::max(clock_->NowMs(), last_ms_ + 1);
  }
  // Waits until the last timestamp lies in the past, because readers may ask for cells before their now. If the clock
  // stands still, it does not wait.
  void LetPass() const {
    constexpr int64_t kAtMostMs = 5;
    const int64_t left_ms = AheadMs() + 1;
    if (left_ms > 0) std::this_thread::sleep_for(std::chrono::milliseconds(std::min(left_ms, kAtMostMs)));
  }
  // Makes later timestamps come after `timestamp_ms`, one found in the store. Returns false, and makes nothing, if it
  // is more than a century ahead: no clock wrote it, and after one near the last timestamp there is soon no later one.
  bool Observe(int64_t timestamp_ms) {
    std::lock_guard lock(mutex_);
    if (timestamp_ms > clock_->NowMs() + kCenturyMs) return false;
    last_ms_ = std::max(last_ms_, timestamp_ms);
    return true;
  }
  // Returns how far the last timestamp is ahead of the clock, in ms; less than 0: it lies in the past.
  int64_t AheadMs() const {
    std::lock_guard lock(mutex_);
    return last_ms_ - clock_->NowMs();
  }

 private:
  static constexpr int64_t kCenturyMs = int64_t{100} * 366 * 24 * 60 * 60 * 1000;

  Clock* const clock_;
  mutable std::mutex mutex_;
  int64_t last_ms_ = 0;
};

}  // namespace vaquita
