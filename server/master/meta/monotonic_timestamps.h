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
    int64_t left_ms;
    {
      std::lock_guard lock(mutex_);
      left_ms = last_ms_ + 1 - clock_->NowMs();
    }
    if (left_ms > 0) std::this_thread::sleep_for(std::chrono::milliseconds(std::min(left_ms, kAtMostMs)));
  }
  // Makes later timestamps come after `timestamp_ms`, one found in the store.
  void Observe(int64_t timestamp_ms) {
    std::lock_guard lock(mutex_);
    last_ms_ = std::max(last_ms_, timestamp_ms);
  }

 private:
  Clock* const clock_;
  mutable std::mutex mutex_;
  int64_t last_ms_ = 0;
};

}  // namespace vaquita
