// server/frontend/avatica/query_server.h: Phoenix's query server: Avatica's requests (sql/avatica/service.h) over HTTP.
//
// Until the first driver comes, it costs a port and a waiting thread; then it opens a connection to the cluster, as any
// client does. Requests run on a pool of threads, which are made when they are needed. The server refuses a request
// with an Origin field: a page in a browser sent it, and perhaps another site's. Threads: Listen and Stop on one
// thread. Source: AvaticaProtobufHandler, HttpServer (Avatica 1.26).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "base/clock.h"
#include "base/worker_pool.h"

namespace vaquita {

namespace http {
class Server;
}
namespace sql {
class Service;
}

struct QueryServerOptions {
  std::string bind_address;
  int port = 0;      // 0: any free one
  std::string host;  // drivers know the server by it
  Clock* clock = nullptr;
  int64_t query_ms = 600'000;  // the longest time that a query may take
  // Returns the cluster's address (client/connection.h).
  std::function<std::string()> cluster;
};

class QueryServer {
 public:
  // Returns Unavailable, naming the address, if it cannot listen there.
  static absl::StatusOr<std::unique_ptr<QueryServer>> Listen(const QueryServerOptions& options);
  QueryServer(const QueryServer&) = delete;
  QueryServer& operator=(const QueryServer&) = delete;
  ~QueryServer();  // stops

  const std::string& address() const { return address_; }  // host:port
  // Ends running queries, and drops what was not committed.
  void Stop();

 private:
  explicit QueryServer(const QueryServerOptions& options);
  absl::Status Open();

  const QueryServerOptions options_;
  std::string address_;
  std::unique_ptr<sql::Service> service_;
  WorkerPool workers_;
  std::unique_ptr<http::Server> http_;
};

}  // namespace vaquita
