// server/control/server_lease.h: until when a region server may answer clients.
//
// The lease is counted from the moment the report that renewed it was SENT, by a clock that no one sets and that goes
// on while the machine sleeps. A server asks before it begins a request, and after a write, before it is acknowledged:
// so one that slept past its lease answers nothing, and acknowledges nothing that its successor may not have: of such a
// write clients are told that it may have been done (kRegionServerAborted). Costs one relaxed load and a look at the
// clock. Threads: any.
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
  // A report sent at `sent_ns` was answered. An older one than before changes nothing.
  void Renew(int64_t sent_ns, int64_t lease_ms);
  // The server was taken for dead: no lease ever again.
  void EndForGood() { end_ns_.store(kDead, std::memory_order_relaxed); }
  // Below 0: it is over.
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
