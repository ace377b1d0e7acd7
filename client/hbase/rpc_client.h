// client/hbase/rpc_client.h: calls of HBase's RPC to any server, over one connection per server and service.
//
// The first call makes the connection, as does the first call after it broke; many calls share it. One of the callers
// that wait does the I/O of all connections; while none waits, nobody reads. Errors: the server's own (base/status.h);
// Unavailable if it cannot be reached or the connection breaks; DeadlineExceeded if time is up. Threads: any. Source:
// AbstractRpcClient, NettyRpcConnection, IPCUtil (hbase-client 2.6).
#pragma once

#include <compare>
#include <memory>
#include <string>
#include <string_view>

#include "base/tls/tls_context.h"
#include "client/server_link.h"
#include "google/protobuf/message_lite.h"

namespace vaquita::client {

class PendingCall;

struct RpcTarget {
  std::string address;  // host:port
  std::string service;  // "ClientService"
  friend auto operator<=>(const RpcTarget&, const RpcTarget&) = default;
};

class RpcClient {
 public:
  // Null `tls`: connections have none. `user`: who the client says it is.
  RpcClient(std::shared_ptr<TlsContext> tls, std::string user);
  ~RpcClient();  // pending calls fail

  // Sends a request, with its cells in KeyValueCodec's bytes. The server may drop it unread after `deadline`.
  std::shared_ptr<PendingCall> Start(const RpcTarget& target, std::string_view method,
                                     const google::protobuf::MessageLite& request, std::string cells,
                                     TimePoint deadline);
  // Waits for the answer, and reads its message.
  CallOutcome Finish(PendingCall& call, TimePoint deadline, google::protobuf::MessageLite* response);

  // Starts and finishes a call for messages without cells.
  CallOutcome Call(const RpcTarget& target, std::string_view method, const google::protobuf::MessageLite& request,
                   TimePoint deadline, google::protobuf::MessageLite* response);

 private:
  struct Io;
  const std::unique_ptr<Io> io_;
};

}  // namespace vaquita::client
