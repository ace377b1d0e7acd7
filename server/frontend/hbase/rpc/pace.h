// server/frontend/hbase/rpc/pace.h: tells whether a client's bytes come, or its answers go, as fast as they should.
//
// A transfer at the pace or above is always up to date. Below it, it falls behind, and catches up by being faster.
// A transfer that was fast at first earns no time to be slow later. Threads: one at a time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace vaquita::hbase {

class Pace {
 public:
  static constexpr int64_t kBytesPerMs = 256;  // two megabits a second

  // A transfer begins now.
  void Begin(int64_t now_ms) {
    kept_until_ms_ = now_ms;
    rest_ = 0;
  }
  // Notes that so many bytes have gone.
  void Add(size_t bytes, int64_t now_ms) {
    const int64_t sum = rest_ + static_cast<int64_t>(bytes);
    kept_until_ms_ = std::min(now_ms, kept_until_ms_ + sum / kBytesPerMs);
    rest_ = sum % kBytesPerMs;
  }
  // Returns the time until which the bytes suffice.
  int64_t kept_until_ms() const { return kept_until_ms_; }

 private:
  int64_t kept_until_ms_ = 0;
  int64_t rest_ = 0;  // bytes that did not make a millisecond
};

}  // namespace vaquita::hbase
