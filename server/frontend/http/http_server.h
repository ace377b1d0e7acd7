// server/frontend/http/http_server.h: pages over HTTP/1.1, for people, load balancers, Prometheus and programs that
// control a process.
//
// One thread serves all connections, so that watchers cost a server one thread's time at most. A connection carries one
// request, or one after the other if the options let it wait for more. A request's header, its body, and the time that
// a client takes to send it and to read the answer are bounded; when there are too many connections, the oldest goes,
// one without a request first. When all requests and answers take too many bytes, a new request is refused with 503,
// and a new answer closes the connection that has been reading its own for longest. A page is made on that thread at
// once, or later on any thread: a reader that waits for news takes a connection, but no thread. Threads: Listen and
// Stop on one thread; handlers run on the server's own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "absl/status/statusor.h"
#include "server/frontend/http/http_message.h"
#include "server/frontend/net/accept_loop.h"

namespace vaquita::http {

// Sends the answer: once, from any thread, also when the client or the server has gone.
using Reply = std::function<void(Response)>;
// Answers a request at once or later. It runs on the server's thread and must not wait.
using Handler = std::function<void(const Request&, Reply)>;

// Returns a handler that answers at once.
inline Handler AtOnce(std::function<Response(const Request&)> make) {
  return [make = std::move(make)](const Request& request, const Reply& reply) { reply(make(request)); };
}

// A path answers the methods that it has a handler of, and others with 405.
struct Page {
  Page() = default;
  // A page to read, which is made at once.
  template <typename Make>
  requires std::is_invocable_r_v<Response, Make, const Request&> Page(Make make) : get(AtOnce(std::move(make))) {}

  Handler get;  // HEAD, too
  Handler post;
  Handler remove;  // DELETE
};
using Pages = std::map<std::string, Page, std::less<>>;  // by path

struct ServerOptions {
  size_t max_connections = 32;
  // A client has this time for its request, and again for the answer.
  int64_t connection_ms = 10'000;
  // A handler has this time for its answer. After that the connection closes.
  int64_t answer_ms = 600'000;
  size_t most_body_bytes = 16 << 20;
  size_t most_held_bytes = 256 << 20;  // all requests that come in or run, all answers that wait
  // A connection waits so long for its next request; 0: it carries one.
  int64_t idle_ms = 0;
  std::shared_ptr<TlsContext> tls;  // null: clients have none
  net::Protocol protocol =
      net::Protocol::kHttp;  // has the bound of its connections (server/frontend/net/descriptors.h)
};

class Server {
 public:
  static constexpr size_t kMostRequestBytes = 8192;  // without the body

  static std::unique_ptr<Server> Create(const ServerOptions& options);
  virtual ~Server() = default;  // stops

  // Listens on a port (0: any free one), which it returns, and serves `pages` there at once. Everything that they use
  // must live until Stop. Returns Unavailable, naming the address, if it cannot listen there.
  virtual absl::StatusOr<int> Listen(const std::string& address, int port, Pages pages) = 0;
  // Serves a connection that was accepted elsewhere, with the pages of the first port. Any thread, after Listen.
  virtual void Give(const net::Accepted& accepted) = 0;
  // Closes all connections; waits for the handler that is running. Later replies are dropped.
  virtual void Stop() = 0;
};

}  // namespace vaquita::http
