// server/frontend/hbase/client_call.h: ClientService's methods, each a function from a call to its answer.
//
// Threads: any.
#pragma once

#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "google/protobuf/arena.h"
#include "hbase/Client.pb.h"
#include "model/operations.h"
#include "proto/hbase/pb.h"
#include "server/frontend/hbase/rpc/rpc_service.h"
#include "server/frontend/hbase/service_methods.h"
#include "server/regionserver/region_server.h"

namespace vaquita::hbase {

// The objects that a method works on.
struct ClientCall {
  RegionServer& server;
  const RpcRequest& rpc;
  Master* master = nullptr;  // null: it is another process
};

// The memory for the messages of one call, on its stack as far as they fit. All are freed together.
class CallArena {
 public:
  CallArena() : arena_(Options(this)) {}
  template <typename Message>
  Message* New() {
    return google::protobuf::Arena::CreateMessage<Message>(&arena_);
  }

 private:
  static google::protobuf::ArenaOptions Options(CallArena* self) {
    google::protobuf::ArenaOptions options;
    options.initial_block = self->block_;
    options.initial_block_size = sizeof(self->block_);
    options.start_block_size = 16 * 1024;
    options.max_block_size = 256 * 1024;
    return options;
  }

  alignas(8) char block_[4096];
  google::protobuf::Arena arena_;
};

// Puts the cells into `*response`, if the client takes cell blocks, or into the message.
void EncodeCells(const ClientCall& call, const CellBlock& cells, RpcResponse* response, pb::Result* result);

absl::StatusOr<RpcResponse> RunGet(const ClientCall& call);
absl::StatusOr<RpcResponse> RunMutate(const ClientCall& call);
absl::StatusOr<RpcResponse> RunMulti(const ClientCall& call);
absl::StatusOr<RpcResponse> RunScan(const ClientCall& call);
absl::StatusOr<RpcResponse> RunExecService(const ClientCall& call);

// Runs a coprocessor's method on a region. Returns kUnknownProtocol if the service is unknown.
absl::Status ExecOnRegion(const ClientCall& call, std::string_view region, const pb::CoprocessorServiceCall& service,
                          pb::NameBytesPair* answer);

}  // namespace vaquita::hbase
