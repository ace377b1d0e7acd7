#include "tools/http/http_get.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/host_port.h"
#include "base/status.h"
#include "base/tls/blocking_stream.h"

namespace vaquita {
namespace {

// Returns the body's length, as the lines of the head say; nullopt if they do not.
std::optional<uint64_t> LengthIn(const std::string& head) {
  for (const absl::string_view line : absl::StrSplit(head, "\r\n")) {
    const std::pair<absl::string_view, absl::string_view> field = absl::StrSplit(line, absl::MaxSplits(':', 1));
    uint64_t length = 0;
    if (absl::EqualsIgnoreCase(field.first, "Content-Length") && absl::SimpleAtoi(field.second, &length)) return length;
  }
  return std::nullopt;
}

}  // namespace

absl::StatusOr<HttpAnswer> HttpGet(const std::string& address, const std::string& path,
                                   std::chrono::milliseconds timeout, TlsContext* tls, size_t most_bytes) {
  const auto fails = [&](const std::string& why) {
    return absl::UnavailableError(absl::StrCat(tls == nullptr ? "http://" : "https://", address, path, ": ", why));
  };
  VAQUITA_RETURN_IF_ERROR(CheckHostPort(address));
  BlockingStream stream(HostIn(address), std::to_string(PortIn(address)), tls,
                        std::chrono::steady_clock::now() + timeout);
  std::string bytes;
  if (!stream.Write(absl::StrCat("GET ", path, " HTTP/1.0\r\nHost: ", address, "\r\n\r\n")) ||
      !stream.ReadRest(&bytes, most_bytes)) {
    return fails(stream.error());
  }
  HttpAnswer answer;
  const size_t body = bytes.find("\r\n\r\n");
  const std::string status_line = bytes.substr(0, bytes.find('\r'));
  const size_t blank = status_line.find(' ');
  if (!status_line.starts_with("HTTP/1.") || body == std::string::npos || blank == std::string::npos ||
      !absl::SimpleAtoi(status_line.substr(blank + 1, 3), &answer.status)) {
    return fails("the answer is not HTTP");
  }
  answer.body = bytes.substr(body + 4);
  const std::optional<uint64_t> length = LengthIn(bytes.substr(0, body));
  if (length && answer.body.size() < *length) {
    return fails(absl::StrCat("the answer ends after ", answer.body.size(), " of ", *length, " bytes"));
  }
  return answer;
}

}  // namespace vaquita
