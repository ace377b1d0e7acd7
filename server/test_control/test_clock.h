// server/test_control/test_clock.h: the machine's clock, until a test moves it or holds it still.
//
// Threads: any.
#pragma once

#include <cstdint>
#include <mutex>
#include <shared_mutex>

#include "absl/status/status.h"
#include "base/clock.h"

namespace vaquita {

class TestClock final : public Clock {
 public:
  enum class Mode { kReal, kMoved, kFrozen };

  // The last millisecond of the year 9999. Sums with leases and times to live stay far below 2^63.
  static constexpr int64_t kLastMs = 253'402'300'799'999;

  int64_t NowMs() const override;
  bool AwaitChange(int64_t now_ms) const override;
  Mode mode() const;

  // Both return InvalidArgument, and change nothing, if the time would not be from 1 to kLastMs.
  absl::Status FreezeAt(int64_t now_ms);
  absl::Status Advance(int64_t ms);
  void SetReal();

 private:
  int64_t NowLocked() const;

  mutable std::shared_mutex mutex_;
  bool frozen_ = false;
  int64_t frozen_ms_ = 0;
  int64_t ahead_ms_ = 0;  // before the machine's time, while it is not frozen
};

}  // namespace vaquita
