// base/clock.h: the source of time, passed in so that tests can stop and move it.
//
// Units: milliseconds since the epoch, as HBase's timestamps. Threads: every method may be called from any thread.
#pragma once

#include <atomic>
#include <cstdint>

namespace vaquita {

class Clock {
 public:
  virtual ~Clock() = default;
  virtual int64_t NowMs() const = 0;
  // Waits until NowMs() is another time than `now_ms`. Returns false, at once, if time does not pass by itself.
  virtual bool AwaitChange(int64_t now_ms) const { return false; }

  // The machine's clock. Lives as long as the process.
  static Clock* System();
};

// A clock that moves only when told to.
class ManualClock : public Clock {
 public:
  explicit ManualClock(int64_t now_ms) : now_ms_(now_ms) {}
  int64_t NowMs() const override { return now_ms_.load(std::memory_order_relaxed); }
  void Set(int64_t now_ms) { now_ms_.store(now_ms, std::memory_order_relaxed); }
  void Advance(int64_t ms) { now_ms_.fetch_add(ms, std::memory_order_relaxed); }

 private:
  std::atomic<int64_t> now_ms_;
};

}  // namespace vaquita
