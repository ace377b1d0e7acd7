#include "tools/http/http_get.h"

#include <iterator>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "asio/ip/tcp.hpp"

namespace vaquita {

absl::StatusOr<HttpAnswer> HttpGet(const std::string& address, const std::string& path,
                                   std::chrono::milliseconds timeout) {
  const auto fails = [&](const std::string& why) {
    return absl::UnavailableError(absl::StrCat("http://", address, path, ": ", why));
  };
  const size_t colon = address.rfind(':');
  if (colon == std::string::npos) return fails("an address is host:port");
  std::string host = address.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);

  asio::ip::tcp::iostream stream;
  stream.expires_after(timeout);
  stream.connect(host, address.substr(colon + 1));
  if (!stream) return fails(stream.error().message());
  stream << "GET " << path << " HTTP/1.0\r\nHost: " << address << "\r\n\r\n" << std::flush;

  HttpAnswer answer;
  std::string version;
  std::string line;
  if (!(stream >> version >> answer.status) || !version.starts_with("HTTP/1.")) {
    const bool ended = !stream.error() || stream.error() == asio::error::eof;
    return fails(ended ? "the answer is not HTTP" : stream.error().message());
  }
  std::getline(stream, line);
  while (std::getline(stream, line) && line != "\r") {
  }
  answer.body.assign(std::istreambuf_iterator<char>(stream), {});
  if (stream.error() && stream.error() != asio::error::eof) return fails(stream.error().message());
  return answer;
}

}  // namespace vaquita
