// server/frontend/avatica/query_server.h: Phoenix's query server: Avatica's requests (sql/avatica/service.h) over HTTP.
//
// It costs a port and a waiting thread until the first driver comes; then it opens a connection to the cluster, as any
// client does. Requests run on threads of their own, which are made when they are needed. A request with an Origin
// field is refused: it comes from a page in a browser, of another site perhaps. Threads: Listen and Stop on one thread.
// Source: AvaticaProtobufHandler, HttpServer (Avatica 1.26).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "base/clock.h"

namespace vaquita {

struct QueryServerOptions {
  std::string bind_address;
  int port = 0;      // 0: any free one
  std::string host;  // by which drivers know it
  Clock* clock = nullptr;
  int64_t query_ms = 600'000;  // the longest time that a query may take
  // Returns the cluster's address (client/connection.h).
  std::function<std::string()> cluster;
};

class QueryServer {
 public:
  // Returns Unavailable, naming the address, if it cannot listen there.
  static absl::StatusOr<std::unique_ptr<QueryServer>> Listen(const QueryServerOptions& options);
  virtual ~QueryServer() = default;  // stops

  virtual std::string address() const = 0;  // host:port
  // Ends running queries, and drops what was not committed.
  virtual void Stop() = 0;
};

}  // namespace vaquita
