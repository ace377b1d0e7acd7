// region/region_gate.h: lets in many operations of a region at a time, or one caller alone.
//
// Entering and leaving an open gate cost one atomic addition each. A closed gate refuses; a paused one makes newcomers
// wait, or refuses those whose callers ask for short waits (base/call_context.h).
// Threads: every method may be called from any thread.
// Source: HRegion's closing flag and read-write lock (startRegionOperation, closeRegionOperation).
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace vaquita {

class RegionGate {
 public:
  // Enters, after waiting for the end of a pause: for a moment only if `short_waits`. Returns false if the gate is
  // closed, or the pause too long.
  bool Enter(bool short_waits = false) {
    if (users_.fetch_add(1, std::memory_order_acquire) < kShut) return true;
    return EnterSlowly(short_waits);
  }
  // REQUIRES: Enter returned true.
  void Leave() {
    if (users_.fetch_sub(1, std::memory_order_acq_rel) == kShut + 1) Wake();
  }

  // Shuts the gate and waits until all operations inside have left. Returns false, at once, if it is closed already.
  bool Close() { return Shut(State::kClosed); }
  bool Pause() { return Shut(State::kPaused); }
  // Ends a Close or Pause that returned true.
  void Open();

  bool closed() const { return state_.load(std::memory_order_acquire) == State::kClosed; }

 private:
  enum class State { kOpen, kPaused, kClosed };
  static constexpr int64_t kShut = int64_t{1} << 40;

  bool EnterSlowly(bool short_waits);
  bool Shut(State state);
  void Wake();

  std::atomic<int64_t> users_{0};           // operations inside, plus kShut while the gate is shut
  std::atomic<State> state_{State::kOpen};  // changes under mu_
  std::mutex mu_;
  std::condition_variable changed_;  // state_ changed, or the last operation has left
};

// An operation inside a gate, for as long as it lives.
class GatePass {
 public:
  explicit GatePass(RegionGate* gate, bool short_waits = false) : gate_(gate->Enter(short_waits) ? gate : nullptr) {}
  ~GatePass() {
    if (gate_ != nullptr) gate_->Leave();
  }
  GatePass(const GatePass&) = delete;
  GatePass& operator=(const GatePass&) = delete;
  bool inside() const { return gate_ != nullptr; }

 private:
  RegionGate* gate_;
};

}  // namespace vaquita
