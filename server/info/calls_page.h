// server/info/calls_page.h: the calls that hold a server's handlers, as a page for people or, for programs, as JSON.
//
// Source: /rs-status and /master-status with filter=handler and format=json, TaskMonitorTmpl, MonitoredRPCHandlerImpl
// (HBase 2.6).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "server/frontend/hbase/rpc/monitored_call.h"
#include "server/frontend/http/http_message.h"

namespace vaquita {

// `query` is the request's; "format=json" asks for JSON. `now_ms` is by the clock of the calls' start times.
http::Response CallsPage(const std::vector<MonitoredCall>& calls, std::string_view query, int64_t now_ms);

}  // namespace vaquita
