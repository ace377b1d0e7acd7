// server/regionserver/server_recovery.h: what a dead server had, made handoffs for the others.
//
// As RegionServerControl::RecoverServer. Its folder is taken away (server_folder.h), which ends whatever its process
// may still do; its log is replayed, every region's rest flushed and its files linked; and when all are handed over, it
// is removed. Data that no region has move to the sideline before (server/data_root/sideline.h). A crash anywhere
// leaves what is done done, and the rest for the next recoverer. Threads: any; one recovery of a server at a time in
// one process.
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
#include "model/region_to_open.h"

namespace vaquita {

struct ServerRecovery {
  std::string root;
  std::string recoverer;             // the name of the server that does it
  const Options* options = nullptr;  // outlives the recovery, as the clock
  Clock* clock = nullptr;
  std::atomic<int64_t>* sidelined_stores = nullptr;  // counts, if it is not null; outlives the recovery
};

absl::StatusOr<std::vector<absl::Status>> RecoverServer(const ServerRecovery& recovery, std::string_view dead_server,
                                                        const std::vector<RegionOfTable>& regions);

}  // namespace vaquita
