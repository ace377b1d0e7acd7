// tools/http/http_get.h: asks a server for one page by HTTP, as the laboratory and `vaquita health` do.
#pragma once

#include <chrono>
#include <string>

#include "absl/status/statusor.h"
#include "base/tls/tls_context.h"

namespace vaquita {

struct HttpAnswer {
  int status = 0;  // 200, 503, ...
  std::string body;
};

// Returns the answer to a GET of `path` from `address` (host:port, [host]:port for IPv6). Each call opens a connection.
// Returns Unavailable, with the address and the reason, if no answer comes within `timeout`. The request is HTTP/1.0's,
// so servers send the body as it is and close the connection behind it. An answer of more than `most_bytes` is
// Unavailable, too. Null `tls`: without TLS.
absl::StatusOr<HttpAnswer> HttpGet(const std::string& address, const std::string& path,
                                   std::chrono::milliseconds timeout, TlsContext* tls = nullptr,
                                   size_t most_bytes = size_t{256} << 20);

}  // namespace vaquita
