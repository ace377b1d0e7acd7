// tools/lab/live_counts.h: the counters of a running region server, to compare with an emulation of the same load.
//
// They are read by HTTP, on the info port of the region server: Vaquita's at /metrics, HBase's at /jmx. They count all
// tables together, so the server should have no other load. Threads: one at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"

namespace vaquita {

// Counts since the first Read().
struct LiveCounts {
  int64_t flushes = 0;
  int64_t compactions = 0;
  double compacted_bytes = 0;  // -1: not known
  friend bool operator==(const LiveCounts&, const LiveCounts&) = default;
};
LiveCounts operator-(const LiveCounts& now, const LiveCounts& begin);

class LiveCounter {
 public:
  virtual ~LiveCounter() = default;
  // Counts begin at the first call.
  virtual absl::StatusOr<LiveCounts> Read() = 0;
  // Returns how long counts must stay the same before they are final.
  virtual int64_t quiet_ms() const = 0;
};

// `address` is host:port of the info port. `families` is the number of families of the written table.
std::unique_ptr<LiveCounter> CountVaquita(const std::string& address, int families);
std::unique_ptr<LiveCounter> CountHBase(const std::string& address);

}  // namespace vaquita
