// console/console_source.h: the parts of a process that the console shows.
//
// Each is asked again for every page, since servers come and go. Threads: any; `with_...` waits at most while the
// server of it is being opened or closed.
#pragma once

#include <functional>
#include <memory>

#include "absl/status/status.h"

namespace vaquita {

class Clock;
class HeatRecorder;
class Master;
class RegionServer;

struct ConsoleSource {
  // Returns the recorder, or null while no region server is open. Null: the process has none.
  std::function<std::shared_ptr<const HeatRecorder>()> heat;
  // Runs the work with the process's master, which lives until the work returns. Unavailable while it is not there.
  // Null: the process has none.
  std::function<absl::Status(const std::function<absl::Status(Master*)>&)> with_master;
  // Does so with its region server.
  std::function<absl::Status(const std::function<absl::Status(RegionServer*)>&)> with_region_server;
  Clock* clock = nullptr;  // outlives the pages
};

}  // namespace vaquita
