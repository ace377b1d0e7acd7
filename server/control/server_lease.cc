#include "server/control/server_lease.h"

#include <time.h>

namespace vaquita {

int64_t ServerLease::MonotonicNs() {
  timespec now;
  clock_gettime(CLOCK_BOOTTIME, &now);
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

void ServerLease::Renew(int64_t sent_ns, int64_t lease_ms) {
  const int64_t end_ns = sent_ns + lease_ms * 1'000'000;
  int64_t old_ns = end_ns_.load(std::memory_order_relaxed);
  while (old_ns != kDead && old_ns < end_ns &&
         !end_ns_.compare_exchange_weak(old_ns, end_ns, std::memory_order_relaxed)) {
  }
}

}  // namespace vaquita
