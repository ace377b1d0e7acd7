#include "server/info/tasks_page.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "base/absl_text.h"
#include "base/json.h"
#include "server/info/html_text.h"

namespace vaquita {
namespace {

struct Wish {
  std::string filter;  // empty: none
  bool json = false;
};

Wish WishOf(std::string_view query) {
  Wish wish;
  for (absl::string_view parameter : absl::StrSplit(AbslText(query), '&')) {
    if (absl::ConsumePrefix(&parameter, "filter=")) wish.filter = std::string(parameter);
    if (parameter == "format=json") wish.json = true;
  }
  return wish;
}

bool Includes(const Wish& wish, const MonitoredCall& call) {
  if (wish.filter == "general") return false;
  return wish.filter != "operation" || call.service == "ClientService";
}

bool IncludesTasks(const Wish& wish) {
  return wish.filter != "handler" && wish.filter != "rpc" && wish.filter != "operation";
}

std::string StateName(MonitoredTask::State state) {
  switch (state) {
    case MonitoredTask::State::kRunning:
      return "RUNNING";
    case MonitoredTask::State::kComplete:
      return "COMPLETE";
    case MonitoredTask::State::kAborted:
      break;
  }
  return "ABORTED";
}

// The status of a call as HBase's, "Servicing call from HOST:PORT: METHOD".
std::string StatusOf(const MonitoredCall& call) {
  return absl::StrCat("Servicing call from ", call.client_address, ": ", call.method);
}

// HBase's MonitoredTask.toMap. Both later times are that of the end.
std::string TaskJson(const MonitoredTask& task) {
  return absl::StrCat("{\"description\":", JsonString(task.description), ",\"status\":", JsonString(task.status),
                      ",\"state\":\"", StateName(task.state), "\",\"starttimems\":", task.start_ms,
                      ",\"statustimems\":", task.end_ms, ",\"statetimems\":", task.end_ms, "}");
}

std::string TaskJson(const MonitoredCall& call) {
  return absl::StrCat("{\"description\":", JsonString(call.service + "." + call.method),
                      ",\"status\":", JsonString(StatusOf(call)),
                      ",\"state\":\"RUNNING\",\"starttimems\":", call.start_ms,
                      ",\"statustimems\":-1,\"statetimems\":-1,\"rpcCall\":{\"starttimems\":", call.start_ms,
                      ",\"clientaddress\":", JsonString(call.client_address), ",\"user\":", JsonString(call.user),
                      ",\"method\":", JsonString(call.method), ",\"table\":", JsonString(call.table), "}}");
}

std::string SecondsText(int64_t ms) { return absl::StrCat(static_cast<double>(ms) / 1000.0, " s"); }

std::string HtmlRow(const MonitoredTask& task, int64_t now_ms) {
  const bool runs = task.end_ms < 0;
  return absl::StrCat("<tr><td>", runs ? "" : SecondsText(now_ms - task.end_ms) + " ago", "<td>",
                      SecondsText((runs ? now_ms : task.end_ms) - task.start_ms), "<td>", EscapedHtml(task.description),
                      "<td>", StateName(task.state), "<td>", EscapedHtml(task.status), "\n");
}

std::string HtmlRow(const MonitoredCall& call, int64_t now_ms) {
  return absl::StrCat("<tr><td>", SecondsText(now_ms - call.start_ms), "<td>",
                      EscapedHtml(call.service + "." + call.method), "<td>", EscapedHtml(call.table), "<td>",
                      EscapedHtml(call.client_address), "<td>", EscapedHtml(call.user), "\n");
}

std::string HtmlPage(const std::vector<MonitoredTask>& tasks, const std::vector<MonitoredCall>& calls, const Wish& wish,
                     int64_t now_ms) {
  std::string html =
      "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>What this server does</title>\n";
  if (IncludesTasks(wish)) {
    html += "<h1>Flushes and compactions</h1>\n<table>\n<tr><th>ended<th>took<th>work<th>state<th>status\n";
    for (const MonitoredTask& task : tasks) html += HtmlRow(task, now_ms);
    html += "</table>\n";
  }
  if (wish.filter != "general") {
    html += "<h1>Calls that run on handlers</h1>\n<table>\n<tr><th>for<th>call<th>table<th>client<th>user\n";
    for (const MonitoredCall& call : calls) {
      if (Includes(wish, call)) html += HtmlRow(call, now_ms);
    }
    html += "</table>\n";
  }
  return html + "</html>\n";
}

}  // namespace

http::Response TasksPage(const std::vector<MonitoredTask>& tasks, const std::vector<MonitoredCall>& calls,
                         std::string_view query, int64_t now_ms) {
  Wish wish = WishOf(query);
  if (!wish.json) {
    return {.content_type = "text/html; charset=utf-8", .body = HtmlPage(tasks, calls, wish, now_ms)};
  }
  if (wish.filter.empty()) wish.filter = "general";
  std::vector<std::string> entries;
  if (IncludesTasks(wish)) {
    for (const MonitoredTask& task : tasks) entries.push_back(TaskJson(task));
  }
  for (const MonitoredCall& call : calls) {
    if (Includes(wish, call)) entries.push_back(TaskJson(call));
  }
  return {.content_type = "application/json", .body = absl::StrCat("[", absl::StrJoin(entries, ",\n"), "]\n")};
}

}  // namespace vaquita
