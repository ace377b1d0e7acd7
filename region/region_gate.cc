#include "region/region_gate.h"

#include "base/short_waits.h"

namespace vaquita {

bool RegionGate::EnterSlowly() {
  Leave();
  {
    std::unique_lock lock(mu_);
    const auto not_paused = [this] { return state_ != State::kPaused; };
    if (!ShortWaits::Apply()) {
      changed_.wait(lock, not_paused);
    } else if (!changed_.wait_for(lock, ShortWaits::Moment(), not_paused)) {
      return false;
    }
    if (state_ == State::kClosed) return false;
  }
  return Enter();
}

bool RegionGate::Shut(State state) {
  std::unique_lock lock(mu_);
  changed_.wait(lock, [this] { return state_ != State::kPaused; });
  if (state_ == State::kClosed) return false;
  state_ = state;
  users_.fetch_add(kShut, std::memory_order_acq_rel);
  changed_.wait(lock, [this] { return users_.load(std::memory_order_acquire) == kShut; });
  return true;
}

void RegionGate::Open() {
  std::lock_guard lock(mu_);
  users_.fetch_sub(kShut, std::memory_order_release);
  state_ = State::kOpen;
  changed_.notify_all();
}

void RegionGate::Wake() {
  std::lock_guard lock(mu_);
  changed_.notify_all();
}

}  // namespace vaquita
