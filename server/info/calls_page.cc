#include "server/info/calls_page.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "base/absl_text.h"
#include "server/info/html_text.h"
#include "server/info/json_text.h"

namespace vaquita {
namespace {

bool WantsJson(std::string_view query) {
  for (const absl::string_view parameter : absl::StrSplit(AbslText(query), '&')) {
    if (parameter == "format=json") return true;
  }
  return false;
}

std::string Json(const MonitoredCall& call) {
  return absl::StrCat("{\"description\":", JsonText(call.service + "." + call.method),
                      ",\"state\":\"RUNNING\",\"starttimems\":", call.start_ms,
                      ",\"rpcCall\":{\"starttimems\":", call.start_ms,
                      ",\"clientaddress\":", JsonText(call.client_address), ",\"user\":", JsonText(call.user),
                      ",\"method\":", JsonText(call.method), ",\"table\":", JsonText(call.table), "}}");
}

std::string HtmlRow(const MonitoredCall& call, int64_t now_ms) {
  return absl::StrCat("<tr><td>", absl::StrCat((now_ms - call.start_ms) / 1000.0), " s<td>",
                      EscapedHtml(call.service + "." + call.method), "<td>", EscapedHtml(call.table), "<td>",
                      EscapedHtml(call.client_address), "<td>", EscapedHtml(call.user), "\n");
}

}  // namespace

http::Response CallsPage(const std::vector<MonitoredCall>& calls, std::string_view query, int64_t now_ms) {
  if (WantsJson(query)) {
    const auto append = [](std::string* text, const MonitoredCall& call) { text->append(Json(call)); };
    return {.status = 200,
            .content_type = "application/json",
            .body = absl::StrCat("[", absl::StrJoin(calls, ",\n", append), "]\n")};
  }
  std::string html =
      "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>Calls that run</title>\n"
      "<h1>Calls that run on handlers</h1>\n<table>\n<tr><th>for<th>call<th>table<th>client<th>user\n";
  for (const MonitoredCall& call : calls) html += HtmlRow(call, now_ms);
  return {.status = 200, .content_type = "text/html; charset=utf-8", .body = html + "</table>\n</html>\n"};
}

}  // namespace vaquita
