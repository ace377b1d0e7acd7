// server/frontend/hbase/rpc/rpc_server.h: HBase's RPC over TCP: listening, connections, calls, and their limits.
//
// A few threads own all connections, and run the calls that do not wait. Workers run calls that may wait
// (RpcService::MayBlock), and those of methods that prove expensive on their connection; administration and system
// tables have separate workers. Answers are sent in the order in which they are ready. The server stops reading from a
// connection while its client does not take its answers, or has too many calls running; while it does not take them,
// none of its calls begins on a worker. It closes one that does not complete its handshake, stops in the middle of a
// frame, or takes nothing for a minute. Threads: Listen, Serve and Stop on one thread. Source: NettyRpcServer,
// ServerRpcConnection, SimpleRpcScheduler (HBase 2.6).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "base/caller.h"
#include "base/clock.h"
#include "base/sasl/sasl_server.h"
#include "server/frontend/hbase/rpc/monitored_call.h"
#include "server/frontend/hbase/rpc/rpc_load.h"
#include "server/frontend/hbase/rpc/rpc_service.h"
#include "server/frontend/hbase/rpc/slow_calls.h"
#include "server/frontend/net/accept_loop.h"

namespace vaquita::hbase {

// The proof that a client shows.
enum class SaslMethod {
  kKerberos,  // by a ticket
  kToken,     // by a delegation token
};

struct RpcServerOptions {
  int io_threads = 2;
  int handler_threads = 30;
  int priority_handler_threads = 20;
  int64_t max_request_bytes = 256 << 20;
  // All connections together: requests that were read and not answered, and answers that clients do not take.
  int64_t max_call_queue_bytes = 1 << 30;
  int64_t idle_connection_threshold = 4000;  // with more connections than this,
  int64_t idle_connection_ms = 10'000;       // those that have been idle for twice as long are closed
  int64_t handshake_timeout_ms = 20'000;     // from the connection to its header
  // In the middle of a frame, either way; a tenth for answers while half of the queue is taken.
  int64_t stall_timeout_ms = 60'000;
  // A part of a wrapped message, which cannot be answered, waits as long for room among the bytes of all calls.
  int64_t room_timeout_ms = 5'000;
  std::shared_ptr<TlsContext> tls;  // null: clients have none
  // Says who a client is; an error closes the connection. Any thread, until Stop. Null: whom the client says, and
  // nobody asks.
  std::function<absl::StatusOr<Caller>(const CallerClaim&)> identify;
  // Makes the server's side of an exchange by which a client proves who it is. Null: clients that want to are told to
  // do without, as a server without security tells them. Any thread, until Stop.
  std::function<std::unique_ptr<SaslServer>(SaslMethod)> authenticate;
  std::string principal;           // with `authenticate`: the server's own, for clients that ask
  SlowCalls slow_calls;            // called by any thread until Stop returns
  Clock* clock = Clock::System();  // for calls' deadlines; outlives the server
};

class RpcServer {
 public:
  static std::unique_ptr<RpcServer> Create(const RpcServerOptions& options);
  virtual ~RpcServer() = default;  // stops

  // Binds a port (0: any free one) and returns it. Clients that connect wait until Serve. Unavailable, naming the
  // address, if it cannot be bound.
  virtual absl::StatusOr<int> Listen(const std::string& address, int port) = 0;
  // Serves `services`, which outlive Stop, on every port.
  virtual void Serve(const std::vector<RpcService*>& services, const std::string& cluster_id) = 0;
  // Serves a connection that was accepted elsewhere. Any thread, after Serve.
  virtual void Give(const net::Accepted& accepted) = 0;
  // Reads no more calls, drops those that have not begun, waits for those that run, and closes all connections. A read
  // that a worker runs is told to end.
  virtual void Stop() = 0;
  virtual int64_t connections() const = 0;  // open now
  virtual RpcLoad load() const = 0;
  virtual std::vector<MonitoredCall> running_calls() const = 0;  // those that hold handlers
};

}  // namespace vaquita::hbase
