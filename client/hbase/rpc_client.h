// client/hbase/rpc_client.h: calls of HBase's RPC to any server, over one connection per server and service.
//
// A connection is made when it is first needed, and again by the first call after it broke; calls share it, many at
// once. One thread does the I/O of all of them; a call is waited for in the thread that makes it.
// Errors: what the server says, as it says it (base/status.h); Unavailable when it cannot be reached or the
// connection breaks; DeadlineExceeded when time is up. Threads: any. Source: AbstractRpcClient, NettyRpcConnection,
// IPCUtil (hbase-client 2.6).
#pragma once

#include <compare>
#include <memory>
#include <string>
#include <string_view>

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
  RpcClient();
  ~RpcClient();  // calls that are waited for fail

  // Sends a request, with KeyValueCodec's bytes of its cells. The server may drop it unread after `deadline`.
  std::shared_ptr<PendingCall> Start(const RpcTarget& target, std::string_view method,
                                     const google::protobuf::MessageLite& request, std::string cells,
                                     TimePoint deadline);
  // Waits for the answer, and reads its message.
  CallOutcome Finish(PendingCall& call, TimePoint deadline, google::protobuf::MessageLite* response);

  // Both, for messages without cells.
  CallOutcome Call(const RpcTarget& target, std::string_view method, const google::protobuf::MessageLite& request,
                   TimePoint deadline, google::protobuf::MessageLite* response);

 private:
  struct Io;
  const std::unique_ptr<Io> io_;
};

}  // namespace vaquita::client
