// server/regionserver/server_recovery.h: turns a dead server's regions into handoffs for others.
//
// Implements RegionServerControl::RecoverServer. The server's folder is taken away (server_folder.h), so that its
// process can no longer change it. Its log is replayed, and every region's memstores are flushed and its files linked.
// When all regions are handed over, the folder is removed; data of no region move to the sideline before, and the
// folder itself if such data are damaged (server/data_root/sideline.h). After a crash the next recoverer does the rest.
// Threads: any; one recovery of a server at a time in one process.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/clock.h"
#include "base/options.h"
#include "model/region_of_table.h"

namespace vaquita {

struct ServerRecovery {
  std::string root;
  std::string recoverer;             // the name of the server that does it
  const Options* options = nullptr;  // outlives the recovery, as the clock
  Clock* clock = nullptr;
  std::atomic<int64_t>* sidelined_stores = nullptr;  // a counter that outlives the recovery; may be null
};

absl::StatusOr<std::vector<absl::Status>> RecoverServer(const ServerRecovery& recovery, std::string_view dead_server,
                                                        const std::vector<RegionOfTable>& regions);

}  // namespace vaquita
