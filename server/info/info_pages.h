// server/info/info_pages.h: the pages at a process's info port: / for people, /health, /metrics, /metrics/regions and
// /jmx, and what the server does (/rs-status, /master-status).
//
// /health answers 200 while the process does its work and 503 while it does not, with a line that says what it does or
// why not. Threads: the pages' functions are called on the HTTP server's thread, from Listen on. Source: the ports and
// their names are those of HBase's info servers (InfoServer, 2.6).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "base/task_monitor.h"
#include "server/frontend/hbase/rpc/monitored_call.h"
#include "server/frontend/http/http_server.h"
#include "server/frontend/http/user_check.h"

namespace vaquita {

class Clock;
class JmxBeans;
class PrometheusText;
struct Options;

struct InfoSource {
  std::function<std::string()> title;
  std::function<absl::StatusOr<std::string>()> health;
  std::function<void(PrometheusText*)> metrics;         // beside those of any process
  std::function<void(PrometheusText*)> region_metrics;  // null: there is no such page
  std::function<void(JmxBeans*)> beans;                 // beside those of any process
  std::function<std::vector<MonitoredCall>()> calls;    // that hold handlers; null: there is no such page
  std::function<std::vector<MonitoredTask>()> tasks;    // beside the calls
  const Clock* clock = nullptr;                         // tells the calls' start times; outlives the pages
  std::function<void(http::Pages*)> add_pages;          // adds pages of others; null: none
  // Checks who reads a page that shows requests or data, and the console; null: everybody may.
  http::UserCheck check_user;
  std::string notice;  // for readers of the first page; empty: no notice
};

enum class InfoPort { kMaster, kRegionServer };

// Listens at the address in `options`. Returns host:port, as others reach it; empty if the options turn the port off.
absl::StatusOr<std::string> ListenForInfo(http::Server* server, const Options& options, InfoPort which,
                                          InfoSource source);

}  // namespace vaquita
