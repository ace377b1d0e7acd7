// model/slow_call.h: a call that took long, or whose answer was large, as a server keeps it.
//
// Source: OnlineLogRecord, TooSlowLog.SlowLogPayload, LogHandlerUtils (2.6).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace vaquita {

struct SlowCall {
  int64_t start_ms = 0;  // since the epoch
  int64_t processing_ms = 0;
  int64_t queue_ms = 0;
  int64_t response_bytes = 0;
  std::string client_address;  // host:port
  std::string server_class;
  std::string method;
  std::string details;    // the method and the type of its request
  std::string parameter;  // the region and the row, as far as the call names them
  std::string region;     // its name; empty if the call is for none
  std::string user;
  int64_t gets = 0;  // those of a call with many actions
  int64_t mutations = 0;
  int64_t service_calls = 0;
  bool slow = false;
  bool large = false;

  friend bool operator==(const SlowCall&, const SlowCall&) = default;
};

// Selects calls. Without a filter all match; otherwise those that match any filter, or, with `all_filters`, all of
// them.
struct SlowCallQuery {
  bool large = false;  // the large calls; false: the slow ones
  int64_t limit = 10;
  std::optional<std::string> region;  // its whole name
  std::optional<std::string> table;   // the begin of a region's name
  std::optional<std::string> client_address;
  std::optional<std::string> user;
  bool all_filters = false;
};

}  // namespace vaquita
