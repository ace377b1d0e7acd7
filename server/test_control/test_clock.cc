#include "server/test_control/test_clock.h"

#include <chrono>
#include <thread>

namespace vaquita {

int64_t TestClock::NowLocked() const { return frozen_ ? frozen_ms_ : Clock::System()->NowMs() + ahead_ms_; }

int64_t TestClock::NowMs() const {
  std::shared_lock lock(mutex_);
  return NowLocked();
}

bool TestClock::AwaitChange(int64_t now_ms) const {
  while (NowMs() == now_ms) {
    if (mode() == Mode::kFrozen) return false;
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  return true;
}

TestClock::Mode TestClock::mode() const {
  std::shared_lock lock(mutex_);
  if (frozen_) return Mode::kFrozen;
  return ahead_ms_ == 0 ? Mode::kReal : Mode::kMoved;
}

void TestClock::Freeze() {
  std::unique_lock lock(mutex_);
  frozen_ms_ = NowLocked();
  frozen_ = true;
}

void TestClock::FreezeAt(int64_t now_ms) {
  std::unique_lock lock(mutex_);
  frozen_ms_ = now_ms;
  frozen_ = true;
}

void TestClock::Advance(int64_t ms) {
  std::unique_lock lock(mutex_);
  (frozen_ ? frozen_ms_ : ahead_ms_) += ms;
}

void TestClock::SetReal() {
  std::unique_lock lock(mutex_);
  frozen_ = false;
  ahead_ms_ = 0;
}

}  // namespace vaquita
