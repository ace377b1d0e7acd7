// ClientService.Mutate: one mutation, perhaps under a condition.
#include <utility>

#include "base/status.h"
#include "model/cell_block_reader.h"
#include "proto/hbase/data_codec.h"
#include "server/frontend/hbase/client_call.h"

namespace vaquita::hbase {
namespace {

bool GivesResult(MutationType type) { return type == MutationType::kIncrement || type == MutationType::kAppend; }

absl::StatusOr<MutateResult> Apply(const ClientCall& call, const pb::MutateRequest& request, Mutation mutation) {
  // HBase ignores the nonces of other mutations, because doing them twice changes nothing.
  Nonce nonce;
  if (GivesResult(mutation.type)) nonce = {request.nonce_group(), request.mutation().nonce()};
  if (!request.has_condition()) return call.server.Mutate(request.region().value(), mutation, nonce, call.rpc.context);
  CheckAndMutate check;
  VAQUITA_RETURN_IF_ERROR(DecodeCondition(request.condition(), &check));
  check.mutations.push_back(std::move(mutation));
  return call.server.CheckAndMutate(request.region().value(), check, nonce, call.rpc.context);
}

}  // namespace

absl::StatusOr<RpcResponse> RunMutate(const ClientCall& call) {
  CallArena arena;
  auto* request = arena.New<pb::MutateRequest>();
  VAQUITA_RETURN_IF_ERROR(ParseParam(call.rpc, request));
  CellBlockReader cells(call.rpc.cells);
  Mutation mutation;
  VAQUITA_RETURN_IF_ERROR(
      DecodeMutation(request->mutable_mutation(), call.rpc.cells.empty() ? nullptr : &cells, &mutation));
  VAQUITA_RETURN_IF_ERROR(CheckCellRights(call, request->mutation()));
  const bool gives_result = GivesResult(mutation.type);
  VAQUITA_ASSIGN_OR_RETURN(const MutateResult result, Apply(call, *request, std::move(mutation)));

  RpcResponse response;
  auto* message = arena.New<pb::MutateResponse>();
  if (request->has_condition() || !gives_result) message->set_processed(result.processed);
  if (gives_result && result.processed) EncodeCells(call, result.cells, &response, message->mutable_result());
  response.param = message->SerializeAsString();
  return response;
}

}  // namespace vaquita::hbase
