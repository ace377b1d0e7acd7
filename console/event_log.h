// console/event_log.h: the latest events of regions and servers, for marks on the heat map and a list below it.
//
// It keeps the last kMost events, in memory. Threads: any.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "base/json.h"

namespace vaquita {

struct ConsoleEvent {
  int64_t id = 0;         // the log counts from 1
  int64_t time_ms = 0;    // when the console saw it, at most a moment after it happened
  std::string_view kind;  // "flush", "compaction", "split", "merge", "open", "close", "server", "balance"
  std::string table;      // empty: the event is the cluster's
  std::string region;     // encoded name; empty: several regions
  std::string start_key;  // the region's; a split has its split key
  std::string server;
  std::string text;  // a sentence for people
  // Flushes and compactions set these; they are 0 in other events.
  int64_t files_in = 0, files_out = 0;
  int64_t bytes_in = 0, bytes_out = 0;
};

class EventLog {
 public:
  static constexpr size_t kMost = 2'000;

  void Add(ConsoleEvent event);
  // Returns the events after the id `since`, and not before `from_ms`, that belong to `table` or to the cluster, the
  // oldest first. An empty table means all.
  std::vector<ConsoleEvent> Since(int64_t since, int64_t from_ms, std::string_view table) const;

 private:
  mutable std::mutex mutex_;
  std::deque<ConsoleEvent> events_;
  int64_t last_id_ = 0;
};

// Returns the events of `table` in other processes from a time on, as an array of EventsJson's.
using OtherEvents = std::function<Json(const std::string& table, int64_t from_ms)>;
// Answers GET /console/v1/events. If `since` is 0, other processes' events are added, without an id, since each process
// counts its own. `others` may be null. Errors: InvalidArgument names the parameter.
absl::StatusOr<std::string> EventsJson(const EventLog& log, const OtherEvents& others, std::string_view query,
                                       int64_t now_ms);

}  // namespace vaquita
