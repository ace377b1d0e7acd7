// base/short_waits.h: operations on a thread that others wait for.
//
// A connection's thread serves many clients, so what it runs must not stand still there for one of them. While a
// ShortWaits lives, operations of its thread that would wait for somebody else for longer than a moment (for a row's
// lock, a region that is being altered, memstores that are full, the disk) end with WouldWait() instead, before they
// have changed anything. The caller then runs them again where they may take their time.
// Threads: each has its own.
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
  // What a thread may wait all the same: most locks are free again much sooner.
  static constexpr std::chrono::milliseconds Moment() { return std::chrono::milliseconds(1); }

 private:
  static inline thread_local bool apply_ = false;
};

absl::Status WouldWait();
bool IsWouldWait(const absl::Status& status);

}  // namespace vaquita
