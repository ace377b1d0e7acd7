// server/info/tasks_page.h: a server's tasks, as a page for people or, for programs, as JSON: its flushes and
// compactions, and the calls that hold handlers.
//
// Source: /rs-status and /master-status with `filter` and format=json, TaskMonitorTmpl, TaskMonitor.TaskFilter,
// MonitoredTaskImpl, MonitoredRPCHandlerImpl (HBase 2.6).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/task_monitor.h"
#include "server/frontend/hbase/rpc/monitored_call.h"
#include "server/frontend/http/http_message.h"

namespace vaquita {

// `query` is the request's. Its `filter` chooses, as in HBase: "general" (no calls), "handler" and "rpc" (calls),
// "operation" (calls of clients' data), else everything. "format=json" asks for JSON. `now_ms` is by the clock of the
// start times.
http::Response TasksPage(const std::vector<MonitoredTask>& tasks, const std::vector<MonitoredCall>& calls,
                         std::string_view query, int64_t now_ms);

}  // namespace vaquita
