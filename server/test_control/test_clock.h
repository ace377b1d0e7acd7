// server/test_control/test_clock.h: the machine's clock, until a test moves it or holds it still.
//
// Threads: any.
#pragma once

#include <cstdint>
#include <mutex>
#include <shared_mutex>

#include "base/clock.h"

namespace vaquita {

class TestClock final : public Clock {
 public:
  enum class Mode { kReal, kMoved, kFrozen };

  int64_t NowMs() const override;
  bool AwaitChange(int64_t now_ms) const override;
  Mode mode() const;

  void Freeze();
  void FreezeAt(int64_t now_ms);
  void Advance(int64_t ms);
  void SetReal();

 private:
  int64_t NowLocked() const;

  mutable std::shared_mutex mutex_;
  bool frozen_ = false;
  int64_t frozen_ms_ = 0;
  int64_t ahead_ms_ = 0;  // before the machine's time, while it is not frozen
};

}  // namespace vaquita
