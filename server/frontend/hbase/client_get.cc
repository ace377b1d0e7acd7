// ClientService.Get.
#include "base/status.h"
#include "proto/hbase/data_codec.h"
#include "server/frontend/hbase/client_call.h"
#include "server/frontend/hbase/rpc/rpc_frame.h"

namespace vaquita::hbase {

absl::StatusOr<RpcResponse> RunGet(const ClientCall& call) {
  CallArena arena;
  auto* request = arena.New<pb::GetRequest>();
  VAQUITA_RETURN_IF_ERROR(ParseParam(call.rpc, request));
  VAQUITA_ASSIGN_OR_RETURN(const Get get, DecodeGet(request->get()));
  CellBlock cells;
  if (call.rpc.takes_tags) cells.CarryTtls();
  VAQUITA_RETURN_IF_ERROR(call.server.Get(request->region().value(), get, &cells, call.rpc.context));

  RpcResponse response;
  auto* message = arena.New<pb::GetResponse>();
  pb::Result* result = message->mutable_result();
  if (call.server.ReplicaIdOf(request->region().value()) != 0) result->set_stale(true);
  const ResultRange all{.first = 0, .count = cells.size()};
  if (get.existence_only) {
    result->set_exists(!cells.empty());
  } else if (call.rpc.takes_cells && ClientIsAtLeast(call.rpc.client_version, 1, 3)) {
    EncodeResultByCount(all, result);
    response.cells = cells.TakeBytes();
  } else {
    EncodeResult(cells, all, result);  // others do not look for a get's cells outside of the message
  }
  VAQUITA_ASSIGN_OR_RETURN(response.param, SerializeAnswer(*message));
  return response;
}

}  // namespace vaquita::hbase
