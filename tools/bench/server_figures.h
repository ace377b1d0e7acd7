// tools/bench/server_figures.h: reads the figures of region servers by HTTP: CPU time, memory, bytes written.
//
// Vaquita and HBase both have HBase's beans at /jmx of a server's info port. Threads: functions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace vaquita::bench {

// The sum over region servers. Bytes and CPU time count from each server's start.
struct ServerFigures {
  double cpu_s = 0;
  int64_t memory_bytes = 0;
  bool memory_is_resident = true;  // else it is the Java heap in use, of a server on another machine
  int64_t log_bytes = 0;
  int64_t flushed_bytes = 0;
  int64_t compacted_bytes = 0;

  int64_t written_bytes() const { return log_bytes + flushed_bytes + compacted_bytes; }
};

// Reads the figures of the servers with HTTP at `addresses` (host:port). `server_names` are the cluster's region
// servers; a server of another name is an error, so that no other cluster's figures are taken. Returns the first error.
absl::StatusOr<ServerFigures> ReadServerFigures(const std::vector<std::string>& addresses,
                                                const std::vector<std::string>& server_names);

}  // namespace vaquita::bench
