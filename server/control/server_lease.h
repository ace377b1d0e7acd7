// server/control/server_lease.h: the time until which a region server may answer clients.
//
// The lease is counted from the moment the report that renewed it was SENT, by a clock that no one sets and that goes
// on while the machine sleeps. A server checks it before a request, and after a write before the acknowledgement. So a
// server that slept past its lease answers no request, and acknowledges no write that its successor may not have:
// clients learn that such a write may have been done (kRegionServerAborted). A check costs one relaxed load and a
// reading of the clock. Threads: any.
#pragma once

#include <atomic>
#include <cstdint>

namespace vaquita {

class ServerLease {
 public:
  using NowNs = int64_t (*)();
  static int64_t MonotonicNs();

  // It begins without a lease.
  explicit ServerLease(NowNs now = &MonotonicNs) : now_(now) {}

  int64_t now_ns() const { return now_(); }
  // Notes that a report sent at `sent_ns` was answered. An older report has no effect.
  void Renew(int64_t sent_ns, int64_t lease_ms);
  // Ends the lease for ever, because the server was taken for dead.
  void EndForGood() { end_ns_.store(kDead, std::memory_order_relaxed); }
  // Returns the time left; below 0 if the lease is over.
  int64_t left_ns() const {
    const int64_t end_ns = end_ns_.load(std::memory_order_relaxed);
    return end_ns == kDead ? -1 : end_ns - now_();
  }
  bool valid() const { return now_() < end_ns_.load(std::memory_order_relaxed); }

 private:
  static constexpr int64_t kDead = INT64_MIN;

  const NowNs now_;
  std::atomic<int64_t> end_ns_{0};
};

}  // namespace vaquita
