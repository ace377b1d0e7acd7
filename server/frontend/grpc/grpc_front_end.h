// server/frontend/grpc/grpc_front_end.h: Vaquita's gRPC API (proto/vaquita/v1) over a Master and a RegionServer, or
// over a RegionServer alone: bytes <-> plain types, no decision.
//
// With server reflection and the standard health service. hbase:meta is served from the master's region.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "base/clock.h"
#include "server/access/access_control.h"
#include "server/frontend/net/accept_loop.h"
#include "server/frontend/net/call_gate.h"

namespace grpc {
class Service;
}

namespace vaquita {

class Master;
class RegionServer;
class TestControl;

struct GrpcFrontEndOptions {
  std::string bind_address = "127.0.0.1";
  int port = 0;                                     // 0: any
  std::string port_property = "vaquita.grpc.port";  // which sets the port, for errors
  // Null: this process has the master, or will. Otherwise returns the host:port of the master's gRPC, for clients that
  // ask here for it; empty if it is not known. Any thread.
  std::function<std::string()> master_elsewhere;
  // In messages on their way, of all connections; as many again in the parts of requests that run, and in the answers
  // that their clients do not take.
  int64_t max_message_bytes = int64_t{1} << 30;
  int64_t max_request_bytes = int64_t{256} << 20;  // in one request; 32 MB are always taken
  int64_t stall_timeout_ms = 60'000;               // for a client to take an answer (grpc_unsent_answers.h)
  int handshake_timeout_ms = 10'000;               // from the connection to the end of TLS's handshake and HTTP/2's
  int max_streams = 4000;                          // open scans and other calls of a connection at once
  Clock* clock = Clock::System();                  // tells scans' deadlines; outlives the front end
  std::shared_ptr<TlsContext> tls;                 // null: clients have none
  const AccessControl* access = nullptr;           // outlives the front end; null: users have no rights
  net::CallGate* gate = nullptr;                   // calls for data and administration pass it; outlives the front end
  TestControl* control = nullptr;                  // is served, too; outlives the front end; null: no test has control
  std::vector<grpc::Service*> internal;  // a cluster's services among its processes; they outlive the front end
};

class GrpcFrontEnd {
 public:
  // Listens. `master` and `server` may be set later than the listening starts (SetServing), because the region server's
  // name has the port; until then requests are answered with kServerNotRunningYet. The internal services answer at
  // once.
  static absl::StatusOr<std::unique_ptr<GrpcFrontEnd>> Listen(const GrpcFrontEndOptions& options);
  virtual ~GrpcFrontEnd() = default;  // stops
  virtual int port() const = 0;
  // Both outlive Stop(). Null `master`: it is another process, to which AdminService sends clients.
  virtual void SetServing(Master* master, RegionServer* server) = 0;
  // Serves a connection that was accepted elsewhere. Any thread.
  virtual void Give(const net::Accepted& accepted) = 0;
  // Takes the servers away while clients stay connected: waits for the calls that run; later calls wait for Resume,
  // which brings other servers. Scans that are open end then.
  virtual void Pause() = 0;
  virtual void Resume(Master* master, RegionServer* server) = 0;
  virtual void Stop() = 0;  // no new requests; running ones end
};

}  // namespace vaquita
