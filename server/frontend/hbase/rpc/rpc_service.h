// server/frontend/hbase/rpc/rpc_service.h: a service of HBase's RPC, as the connections see it: method name and bytes
// in, bytes out.
//
// The RPC server (rpc_server.h) owns sockets, frames, headers, call ids and cell blocks on the wire; a service decodes
// the message of a method, calls RegionServer or Master, and encodes the answer. It decides nothing else. Threads: Call
// is called from many threads at once. Source: RPC.proto, HBaseRpcController, NettyRpcServer (HBase 2.6).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "base/call_context.h"
#include "base/read_watch.h"
#include "google/protobuf/descriptor.h"
#include "server/frontend/net/call_gate.h"

namespace vaquita::hbase {

class CallGroup;

// Refusals of a Multi's regions, by the names that the request has for them.
using RefusedRegions = std::map<std::string, absl::Status, std::less<>>;

// One call. The views live until Call returns.
struct RpcRequest {
  std::string_view method;   // e.g. "Multi"
  std::string_view param;    // the request message's bytes
  std::string_view cells;    // the call's cell block as KeyValueCodec bytes (model/cell_block.h); empty without one
  bool takes_cells = false;  // true if the client named a codec, so that the answer may carry a cell block
  bool takes_tags = false;   // and whether its cells may have tags
  int64_t deadline_ms = -1;  // when the client gives up, by the server's clock; -1: unknown
  CallContext context;       // its watch tells whether anybody still waits for the answer
  std::string_view user;
  std::string_view client_address;                  // host:port
  std::string_view client_version;                  // e.g. "2.6.0"; empty if the client did not say
  std::string_view cluster_id;                      // as the registry says it
  const RefusedRegions* refused_regions = nullptr;  // a Multi does not do the actions of these; null: none is refused
  // Calls that this one may join (RpcResponse::in_group). A call that changes data and does not join them commits them
  // first. Null: there are none, and none follow.
  CallGroup* group = nullptr;
};

struct RpcResponse {
  std::string param;  // the answer message's bytes
  std::string cells;  // KeyValueCodec bytes; only if the request takes them
  net::CallFate::Answer answer = net::CallFate::Answer::kGiven;
  bool in_group = false;  // holds once the request's group is committed
};

class RpcService {
 public:
  virtual ~RpcService() = default;
  virtual std::string_view name() const = 0;  // e.g. "ClientService"
  // An unknown method is kUnsupportedOperation, naming it. An error's exception class goes to the client as it is
  // (base/status.h).
  virtual absl::StatusOr<RpcResponse> Call(const RpcRequest& request) = 0;
  // Returns whether the method may take long (it waits, flushes): then it is called from the workers' threads, not from
  // a connection's. Others may have to wait, or to read much, once in a while: if the request asks for short waits
  // (base/call_context.h) they answer WouldWait() then, with nothing changed, and are called again from a worker's.
  virtual bool MayBlock(std::string_view method) const = 0;
  // Returns the type of the method's request, by which a large one is refused before it is read if it has too many
  // parts (proto/wire/message_parts.h). Null: the method reads none.
  virtual const google::protobuf::Descriptor* RequestType(std::string_view method) const { return nullptr; }
  // The table that a running call is about, for those who watch the server; empty if it is about none.
  virtual std::string TableOf(const RpcRequest& request) const { return ""; }
  // Where in the data the call is for, and the rows in its answer: for a gate.
  virtual std::vector<net::CallTarget> TargetsOf(const RpcRequest& request) const { return {}; }
  virtual int64_t RowsIn(const RpcRequest& request, const RpcResponse& response) const { return 0; }
};

}  // namespace vaquita::hbase
