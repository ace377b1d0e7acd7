// console/console_source.h: the parts of a process that the console shows.
//
// The console asks for them again for every page, since servers come and go. Threads: any; `with_...` waits at most
// while its server is being opened or closed.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <type_traits>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/status.h"
#include "console/console_work.h"

namespace vaquita {

class Clock;
class HeatRecorder;
class Master;
class RegionServer;

// Runs the work with a server, which lives until the work returns. Returns Unavailable while the server is not open.
template <typename Server>
using WithServer = std::function<absl::Status(const std::function<absl::Status(Server*)>&)>;

// Returns what `read`, which returns an absl::StatusOr, reads from the server; or the error of `with`.
template <typename Server, typename Read>
std::invoke_result_t<Read, Server*> ReadFrom(const WithServer<Server>& with, const Read& read) {
  std::invoke_result_t<Read, Server*> result = absl::UnavailableError("the server was not asked");
  VAQUITA_RETURN_IF_ERROR(with([&](Server* server) {
    result = read(server);
    return result.status();
  }));
  return result;
}

struct ConsoleSource {
  // Returns the recorder, or null while no region server is open. Null: the process has none.
  std::function<std::shared_ptr<const HeatRecorder>()> heat;
  // The process's master and its region server. Null: the process has none.
  WithServer<Master> with_master;
  WithServer<RegionServer> with_region_server;
  // Sends a GET to the console of the region server with this name, and returns its answer. Waits for at most two
  // seconds. Null: there are no other servers.
  std::function<absl::StatusOr<std::string>(const std::string& server, const std::string& path)> ask_server = nullptr;
  Clock* clock = nullptr;  // outlives the pages
  // The work that pages ask for by POST. If it is empty, the pages say which process does it.
  ConsoleWorks works = {};
  bool may_write = false;  // vaquita.console.write: allows work that changes the cluster
};

}  // namespace vaquita
