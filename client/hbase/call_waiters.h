// client/hbase/call_waiters.h: the callers that wait for answers, one of whom does the I/O for all.
//
// A thread of its own for I/O would cost each call three changes of threads: to send, to read, to go on. A caller that
// waits alone does it all itself. Threads: any; fibers, too.
#pragma once

#include <algorithm>
#include <mutex>
#include <vector>

#include "base/fibers.h"

namespace vaquita::client {

class CallWaiters {
 public:
  // A caller that may wait. Its call outlives the answer.
  struct Waiter {
    FiberCondition woken;
    bool done = false;  // guarded by the waiters' mutex
  };

  // Returns whether the caller now does the I/O. If so, it calls EndTurn().
  bool TryTurn() {
    const std::lock_guard lock(mutex_);
    if (in_turn_) return false;
    return in_turn_ = true;
  }
  void EndTurn() {
    const std::lock_guard lock(mutex_);
    in_turn_ = false;
    WakeOne();
  }

  bool IsDone(const Waiter& waiter) {
    const std::lock_guard lock(mutex_);
    return waiter.done;
  }
  void SetDone(Waiter* waiter) {
    const std::lock_guard lock(mutex_);
    waiter->done = true;
    waiter->woken.Notify();
  }

  // Waits until the answer is there, the deadline has passed, or nobody does the I/O. Returns whether the caller now
  // does it.
  bool WaitForTurn(Waiter* waiter, FiberTime deadline) {
    std::unique_lock lock(mutex_);
    waiting_.push_back(waiter);
    waiter->woken.WaitUntil(lock, deadline, [&] { return waiter->done || !in_turn_; });
    waiting_.erase(std::find(waiting_.begin(), waiting_.end(), waiter));
    if (!waiter->done && !in_turn_) return in_turn_ = true;
    if (!in_turn_) WakeOne();  // it was woken for a turn, and needs none
    return false;
  }

 private:
  void WakeOne() {
    if (!waiting_.empty()) waiting_.front()->woken.Notify();
  }

  std::mutex mutex_;
  bool in_turn_ = false;
  std::vector<Waiter*> waiting_;
};

}  // namespace vaquita::client
