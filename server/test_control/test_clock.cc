#include "server/test_control/test_clock.h"

#include <chrono>
#include <thread>

#include "absl/strings/str_cat.h"

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

absl::Status TestClock::FreezeAt(int64_t now_ms) {
  if (now_ms < 1 || now_ms > kLastMs) {
    return absl::InvalidArgumentError(
        absl::StrCat(now_ms, " must be from 1 to ", kLastMs, ", ms since 1970 up to the year 9999"));
  }
  std::unique_lock lock(mutex_);
  frozen_ms_ = now_ms;
  frozen_ = true;
  return absl::OkStatus();
}

absl::Status TestClock::Advance(int64_t ms) {
  std::unique_lock lock(mutex_);
  const int64_t now_ms = NowLocked();
  if (ms < 1 - now_ms || ms > kLastMs - now_ms) {
    return absl::InvalidArgumentError(absl::StrCat(ms, " ms from now, ", now_ms, ", is not within 1970 to 9999"));
  }
  (frozen_ ? frozen_ms_ : ahead_ms_) += ms;
  return absl::OkStatus();
}

void TestClock::SetReal() {
  std::unique_lock lock(mutex_);
  frozen_ = false;
  ahead_ms_ = 0;
}

}  // namespace vaquita
