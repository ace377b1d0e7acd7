// server/frontend/http/http_server.h: pages over HTTP/1.1, for those who watch a process: people, load balancers,
// Prometheus.
//
// One thread serves all connections and makes the pages, so that watchers cost a server one thread's time at most. A
// connection carries one request, of at most kMostRequestBytes, and lives for at most a few seconds, however slow its
// client is; when there are too many, the oldest goes. Pages are read only: GET and HEAD.
// Threads: Listen and Stop on one thread; pages are made on the server's own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "server/frontend/http/http_message.h"

namespace vaquita::http {

using Page = std::function<Response(const Request&)>;
using Pages = std::map<std::string, Page, std::less<>>;  // by path

struct ServerOptions {
  size_t max_connections = 32;
  int64_t connection_ms = 10'000;  // from its beginning to its end
};

class Server {
 public:
  static constexpr size_t kMostRequestBytes = 8192;

  static std::unique_ptr<Server> Create(const ServerOptions& options);
  virtual ~Server() = default;  // stops

  // Listens on a port (0: any free one), which it returns, and serves `pages` there at once. What they need must live
  // until Stop. Unavailable, naming the address, if it cannot listen there.
  virtual absl::StatusOr<int> Listen(const std::string& address, int port, Pages pages) = 0;
  virtual void Stop() = 0;  // closes all connections; the page that is being made is finished
};

}  // namespace vaquita::http
