// base/short_waits.h: keeps waits short on a thread that serves many clients.
//
// A connection's thread serves many clients, so an operation on it must not wait for one of them. While a ShortWaits
// lives, an operation of its thread that would wait longer than a moment (for a row's lock, a region that is being
// altered, full memstores, the disk) ends with WouldWait() before it has changed anything. The caller runs it again on
// a thread that may wait. Threads: each has its own.
#pragma once

#include <chrono>

#include "absl/status/status.h"

namespace vaquita {

class ShortWaits {
 public:
  ShortWaits() { apply_ = true; }
  ~ShortWaits() { apply_ = false; }
  ShortWaits(const ShortWaits&) = delete;
  ShortWaits& operator=(const ShortWaits&) = delete;

  static bool Apply() { return apply_; }
  // Returns the longest wait that is allowed: most locks are free again much sooner.
  static constexpr std::chrono::milliseconds Moment() { return std::chrono::milliseconds(1); }

 private:
  static inline thread_local bool apply_ = false;
};

absl::Status WouldWait();
bool IsWouldWait(const absl::Status& status);

}  // namespace vaquita
