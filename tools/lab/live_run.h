// tools/lab/live_run.h: runs an emulation's load on a running cluster of Vaquita or HBase, for comparison.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "absl/status/statusor.h"
#include "client/connection.h"
#include "lab/emulator/emulation.h"
#include "model/table_name.h"
#include "tools/lab/live_counts.h"

namespace vaquita {

struct LiveRun {
  LiveCounts counts;
  int64_t regions = 0;
  int64_t splits = 0;
  int64_t files = 0;
  int64_t data_bytes = 0;
  double load_ms = 0;  // time of the writes
};

// Creates `table` with the regions of `splits` and the load's families, flush size and region size. Writes the load's
// records at its pace, or as fast as the cluster takes them if that is slower, and waits until flushes, compactions and
// splits are over. The sample must have every record of the load. `counter` counts that table. The table must not exist
// before; it is not dropped. Calls `progress` with the number of records written.
absl::StatusOr<LiveRun> RunLive(client::Connection* cluster, const TableName& table, const lab::EmulatedLoad& load,
                                const lab::KeySample& sample, const lab::SplitKeys& splits, LiveCounter* counter,
                                const std::function<void(uint64_t)>& progress = nullptr);

}  // namespace vaquita
