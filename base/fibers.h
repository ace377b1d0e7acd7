// base/fibers.h: many callers in one thread, each with a stack of its own.
//
// While a fiber waits, its thread runs the others. So callers that share a connection cost no changes of threads, and
// what they send goes out together. Only FiberCondition and SleepUntil make a fiber wait: whatever else blocks, blocks
// its whole thread, and a mutex that a waiting fiber holds may block it for ever. Threads: RunFibers may run in any
// number of threads, each with its own fibers. A function that is called in no fiber works as threads are used to.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <vector>

namespace vaquita {

using FiberTime = std::chrono::steady_clock::time_point;

// Runs each function in a fiber of this thread. Returns when all have returned.
void RunFibers(std::vector<std::function<void()>> functions);

// Returns whether the caller is in a fiber.
bool InFiber();
// Returns whether other fibers of the thread can go on.
bool OtherFibersAreReady();
// Lets the thread's other fibers go on that can. Returns false if there are none.
bool YieldFiber();
// Returns when the first of the thread's fibers has waited for long enough, or the end of time. A fiber that blocks its
// thread on purpose does so until then at most.
FiberTime NextFiberTime();

// Sleeps, and lets other fibers run.
void SleepUntil(FiberTime time);

class Fiber;

// A condition that one fiber or thread at a time waits for. Threads: any.
class FiberCondition {
 public:
  // Waits until `holds()`, which is called with the lock held, or until `deadline`. Returns `holds()`.
  template <typename Predicate>
  bool WaitUntil(std::unique_lock<std::mutex>& lock, FiberTime deadline, const Predicate& holds) {
    if (!InFiber()) return thread_.wait_until(lock, deadline, holds);
    while (!holds()) {
      if (!WaitInFiber(lock, deadline)) return holds();
    }
    return true;
  }

  // Wakes the one who waits. REQUIRES: the lock is held.
  void Notify();

 private:
  bool WaitInFiber(std::unique_lock<std::mutex>& lock, FiberTime deadline);

  std::condition_variable thread_;
  Fiber* fiber_ = nullptr;  // the one who waits; guarded by the lock
};

}  // namespace vaquita
