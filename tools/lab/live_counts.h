// tools/lab/live_counts.h: what a running region server has done so far, to lay beside an emulation of the same load.
//
// Both tell it by HTTP, on the info port of the region server: Vaquita at /metrics, HBase at /jmx. They count all
// tables together, so the server had best be quiet otherwise. Threads: one at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"

namespace vaquita {

// Since the counting began.
struct LiveCounts {
  int64_t flushes = 0;
  int64_t compactions = 0;
  double compacted_bytes = 0;  // -1: not told
  friend bool operator==(const LiveCounts&, const LiveCounts&) = default;
};
LiveCounts operator-(const LiveCounts& now, const LiveCounts& begin);

class LiveCounter {
 public:
  virtual ~LiveCounter() = default;
  // Counts begin at the first call.
  virtual absl::StatusOr<LiveCounts> Read() = 0;
  // How long counts must stand still before they are known to be the last ones.
  virtual int64_t quiet_ms() const = 0;
};

// `address`: host:port of the info port. `families`: of the table that is written.
std::unique_ptr<LiveCounter> CountVaquita(const std::string& address, int families);
std::unique_ptr<LiveCounter> CountHBase(const std::string& address);

}  // namespace vaquita
