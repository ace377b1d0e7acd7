#include "console/event_log.h"

#include <algorithm>
#include <utility>

#include "base/json_value.h"
#include "base/status.h"
#include "console/json_text.h"
#include "console/parameters.h"

namespace vaquita {

namespace {

void AddOthers(Json others, Json* events) {
  for (Json& event : others) {
    event.erase("id");
    events->push_back(std::move(event));
  }
  std::stable_sort(events->begin(), events->end(), [](const auto& a, const auto& b) {
    return a.value("time", int64_t{0}) < b.value("time", int64_t{0});
  });
}

}  // namespace

void EventLog::Add(ConsoleEvent event) {
  const std::lock_guard lock(mutex_);
  event.id = ++last_id_;
  events_.push_back(std::move(event));
  if (events_.size() > kMost) events_.pop_front();
}

std::vector<ConsoleEvent> EventLog::Since(int64_t since, int64_t from_ms, std::string_view table) const {
  const std::lock_guard lock(mutex_);
  std::vector<ConsoleEvent> found;
  for (const ConsoleEvent& event : events_) {
    const bool is_of_table = table.empty() || event.table.empty() || event.table == table;
    if (event.id > since && event.time_ms >= from_ms && is_of_table) found.push_back(event);
  }
  return found;
}

absl::StatusOr<std::string> EventsJson(const EventLog& log, const OtherEvents& others, std::string_view query,
                                       int64_t now_ms) {
  VAQUITA_ASSIGN_OR_RETURN(Parameters parameters, Parameters::Parse(query));
  const std::string table = parameters.Take("table");
  int64_t since = 0;
  int64_t from_ms = 0;
  VAQUITA_RETURN_IF_ERROR(parameters.TakeNumber("since", 0, std::numeric_limits<int64_t>::max(), &since));
  VAQUITA_RETURN_IF_ERROR(parameters.TakeNumber("from", 0, std::numeric_limits<int64_t>::max(), &from_ms));
  VAQUITA_RETURN_IF_ERROR(parameters.CheckAllTaken("table, since, from"));
  Json json = {{"version", 1}, {"now", now_ms}, {"events", Json::array()}};
  for (const ConsoleEvent& event : log.Since(since, from_ms, table)) {
    Json row = {{"id", event.id},         {"time", event.time_ms},  {"kind", event.kind},
                {"table", event.table},   {"region", event.region}, {"key", BytesJson(event.start_key)},
                {"server", event.server}, {"text", event.text}};
    if (event.files_out > 0) {
      row["files_in"] = event.files_in;
      row["files_out"] = event.files_out;
      row["bytes_in"] = event.bytes_in;
      row["bytes_out"] = event.bytes_out;
    }
    json["events"].push_back(std::move(row));
  }
  if (others != nullptr && since == 0) AddOthers(others(table, from_ms), &json["events"]);
  return JsonText(json);
}

}  // namespace vaquita
