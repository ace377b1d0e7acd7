// tools/bench/server_figures.h: reads the figures of region servers by HTTP: CPU time, memory, bytes written.
//
// Vaquita and HBase both have HBase's beans at /jmx of a server's info port. Threads: functions.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/bench/run_record.h"

namespace vaquita::bench {

// Returns the sum over the servers with HTTP at `addresses` (host:port), whose bytes and CPU time count from each
// server's start. `server_names` are the cluster's region servers; a server of another name is an error, so that no
// other cluster's figures are taken. Returns the first error.
absl::StatusOr<ServerRecord> ReadServerFigures(const std::vector<std::string>& addresses,
                                               const std::vector<std::string>& server_names);

}  // namespace vaquita::bench
