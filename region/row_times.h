// region/row_times.h: the times of writes that hide other writes of the same millisecond.
//
// A delete marker hides cells of its own millisecond. An increment or append takes the millisecond after the version
// that it replaces, if the clock has not moved on: it hides puts until the clock gets there, and a delete before that
// misses it. HBase is rarely so fast that a client's next write falls into that time. This server often is, and a put
// after a delete or an increment would be lost. So such a write waits for the next millisecond. Rows share a few
// thousand slots, so a write may wait because of another row, which does no harm. Writes wait for the machine's clock
// alone: a test's clock stands still. Threads: any; one for all regions of the process.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "absl/hash/hash.h"

namespace vaquita {

class RowTimes {
 public:
  void Set(const void* region, std::string_view row, int64_t time_ms) {
    Place(region, row).store(time_ms, std::memory_order_relaxed);
  }
  // Returns whether the row's time is `now_ms` or up to `ahead_ms` after it.
  bool IsFrom(const void* region, std::string_view row, int64_t now_ms, int64_t ahead_ms) {
    const int64_t time_ms = Place(region, row).load(std::memory_order_relaxed);
    return time_ms >= now_ms && time_ms <= now_ms + ahead_ms;
  }

 private:
  static constexpr size_t kPlaces = 4096;
  std::atomic<int64_t>& Place(const void* region, std::string_view row) {
    return times_[absl::HashOf(region, row) % kPlaces];
  }

  std::array<std::atomic<int64_t>, kPlaces> times_{};
};

}  // namespace vaquita
