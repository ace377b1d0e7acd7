// console/console_source.h: the parts of a process that the console shows.
//
// Each is asked again for every page, since servers come and go. Threads: any; `with_...` waits at most while the
// server of it is being opened or closed.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "console/console_work.h"

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
  // Returns the answer of a region server's console, by the server's name, to a GET; it waits for at most two seconds.
  // Null: there are no others.
  std::function<absl::StatusOr<std::string>(const std::string& server, const std::string& path)> ask_server = nullptr;
  Clock* clock = nullptr;  // outlives the pages
  // By POST; empty: there is none, and the pages say where there is.
  ConsoleWorks works = {};
  bool may_write = false;  // vaquita.console.write: work that changes the cluster is done
};

}  // namespace vaquita
