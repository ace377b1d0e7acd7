#include "server/frontend/http/http_message.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <ctime>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/absl_text.h"

namespace vaquita::http {
namespace {

constexpr std::string_view kLineEnd = "\r\n";
constexpr std::string_view kReadMethods = "GET, HEAD";

std::string_view Reason(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 400:
      return "Bad Request";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 414:
      return "URI Too Long";
    case 431:
      return "Request Header Fields Too Large";
    case 500:
      return "Internal Server Error";
    case 503:
      return "Service Unavailable";
    case 505:
      return "HTTP Version Not Supported";
  }
  return "";
}

// Takes what is before `end` off the front of `*text`, and `end`; all, if there is none.
std::string_view TakeUntil(std::string_view end, std::string_view* text) {
  const size_t at = text->find(end);
  const std::string_view taken = text->substr(0, at);
  text->remove_prefix(at == std::string_view::npos ? text->size() : at + end.size());
  return taken;
}

bool IsToken(std::string_view text) {
  constexpr std::string_view kOthers = "!#$%&'*+-.^_`|~";
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || kOthers.find(c) != std::string_view::npos;
  });
}

bool IsVisible(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < 0x7f; });
}

// "HTTP/1.1": its two digits; false: it is none.
bool ParseVersion(std::string_view text, char* major, char* minor) {
  if (text.size() != 8 || !text.starts_with("HTTP/") || text[6] != '.') return false;
  *major = text[5];
  *minor = text[7];
  return std::isdigit(static_cast<unsigned char>(*major)) && std::isdigit(static_cast<unsigned char>(*minor));
}

// Whether the lines of a header are what they must be; `*hosts`: how many of them name the host.
bool CheckHeader(std::string_view lines, int* hosts) {
  while (!lines.empty()) {
    std::string_view line = TakeUntil(kLineEnd, &lines);
    if (line.empty()) return lines.empty();
    const bool has_colon = line.find(':') != std::string_view::npos;
    const std::string_view name = TakeUntil(":", &line);
    if (!has_colon || !IsToken(name)) return false;
    if (absl::EqualsIgnoreCase(AbslText(name), "host")) ++*hosts;
  }
  return true;
}

// A proxy's form, "http://host:port/path", is the path as well.
std::string_view WithoutHost(std::string_view target) {
  constexpr std::string_view kScheme = "http://";
  if (!absl::StartsWithIgnoreCase(AbslText(target), AbslText(kScheme))) return target;
  const size_t path = target.find('/', kScheme.size());
  return path == std::string_view::npos ? "/" : target.substr(path);
}

std::string Date(int64_t now_s) {
  const std::time_t time = static_cast<std::time_t>(now_s);
  std::tm utc{};
  gmtime_r(&time, &utc);
  char text[64];
  return std::string(text, std::strftime(text, sizeof text, "%a, %d %b %Y %H:%M:%S GMT", &utc));
}

}  // namespace

Response StatusResponse(int status) {
  return {.status = status, .body = absl::StrCat(status, " ", AbslText(Reason(status)), "\n")};
}

bool ParseRequest(std::string_view text, Request* request, Response* refusal) {
  std::string_view line = TakeUntil(kLineEnd, &text);
  const std::string_view method = TakeUntil(" ", &line);
  const std::string_view target = TakeUntil(" ", &line);
  char major = 0, minor = 0;
  int hosts = 0;
  *refusal = StatusResponse(400);
  if (!IsToken(method) || !IsVisible(target) || !ParseVersion(line, &major, &minor)) return false;
  if (major != '1') {
    *refusal = StatusResponse(505);
    return false;
  }
  if (!CheckHeader(text, &hosts) || hosts > 1 || (minor != '0' && hosts == 0)) return false;
  request->head = method == "HEAD";
  if (!request->head && method != "GET") {
    *refusal = StatusResponse(405);
    refusal->allow = kReadMethods;
    return false;
  }
  std::string_view rest = WithoutHost(target);
  if (!rest.starts_with('/')) return false;
  request->path = TakeUntil("?", &rest);
  request->query = rest;
  return true;
}

std::string EncodeResponse(const Response& response, bool head, int64_t now_s) {
  std::string text =
      absl::StrCat("HTTP/1.1 ", response.status, " ", AbslText(Reason(response.status)), "\r\nDate: ", Date(now_s),
                   "\r\nContent-Type: ", response.content_type, "\r\nContent-Length: ", response.body.size());
  if (!response.allow.empty()) absl::StrAppend(&text, "\r\nAllow: ", response.allow);
  absl::StrAppend(&text, "\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n");
  if (!head) text += response.body;
  return text;
}

}  // namespace vaquita::http
