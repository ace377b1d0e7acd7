#include "region/region_gate.h"

#include "base/call_context.h"

namespace vaquita {

bool RegionGate::EnterSlowly(bool short_waits) {
  Leave();
  {
    std::unique_lock lock(mu_);
    const auto not_paused = [this] { return state_ != State::kPaused; };
    if (!short_waits) {
      changed_.wait(lock, not_paused);
    } else if (!changed_.wait_for(lock, kShortWait, not_paused)) {
      return false;
    }
    if (state_ == State::kClosed) return false;
  }
  return Enter(short_waits);
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
