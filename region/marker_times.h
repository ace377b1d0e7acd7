// region/marker_times.h: when rows got delete markers last, so that what is written to them afterwards gets a later
// time.
//
// A marker hides what has its own millisecond. HBase is rarely so fast that a client's next write to the row falls into
// it; this server often is, and a put would be gone that came after a delete. So such a write waits for the next
// millisecond. Rows share a few thousand places: a write may wait for another row's marker, which does no harm.
// Only the machine's clock is waited for: a test's clock stands still.
// Threads: any; one for all regions of the process.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "absl/hash/hash.h"

namespace vaquita {

class MarkerTimes {
 public:
  void Set(const void* region, std::string_view row, int64_t now_ms) {
    Place(region, row).store(now_ms, std::memory_order_relaxed);
  }
  // Whether a write to the row at `now_ms` could be hidden.
  bool IsAt(const void* region, std::string_view row, int64_t now_ms) {
    return Place(region, row).load(std::memory_order_relaxed) == now_ms;
  }

 private:
  static constexpr size_t kPlaces = 4096;
  std::atomic<int64_t>& Place(const void* region, std::string_view row) {
    return times_[absl::HashOf(region, row) % kPlaces];
  }

  std::array<std::atomic<int64_t>, kPlaces> times_{};
};

}  // namespace vaquita
