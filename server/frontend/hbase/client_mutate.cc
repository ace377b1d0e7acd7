// ClientService.Mutate: one mutation, perhaps under a condition.
#include <memory>
#include <utility>

#include "base/status.h"
#include "model/cell_block_reader.h"
#include "proto/hbase/data_codec.h"
#include "server/frontend/hbase/client_call.h"
#include "server/frontend/hbase/endpoint/cell_rights.h"
#include "server/frontend/hbase/rpc/call_group.h"
#include "server/regionserver/put_group.h"

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

// The puts of a connection's CallGroup.
struct GroupedPuts final : CallGroup::Changes {
  explicit GroupedPuts(RegionServer* server) : puts(server) {}
  absl::Status Commit() override { return puts.Commit(); }
  PutGroup puts;
};

// Returns whether the mutation is done when the call's group is committed. Otherwise commits it now, since the mutation
// may be of a row in it.
absl::StatusOr<bool> JoinGroup(const ClientCall& call, const pb::MutateRequest& request, const Mutation& mutation) {
  if (call.rpc.group == nullptr) return false;
  if (mutation.type == MutationType::kPut && !request.has_condition()) {
    const auto make = [&] { return std::make_unique<GroupedPuts>(&call.server); };
    PutGroup& puts = call.rpc.group->ChangesOf<GroupedPuts>(make)->puts;
    VAQUITA_ASSIGN_OR_RETURN(const bool added, puts.Add(request.region().value(), mutation, call.rpc.context));
    if (added) return true;
  }
  call.rpc.group->Commit();
  return false;
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
  VAQUITA_RETURN_IF_ERROR(CheckCellRights(call.server, request->mutation()));
  const bool gives_result = GivesResult(mutation.type);
  RpcResponse response;
  VAQUITA_ASSIGN_OR_RETURN(response.in_group, JoinGroup(call, *request, mutation));
  MutateResult result;
  if (!response.in_group) {
    VAQUITA_ASSIGN_OR_RETURN(result, Apply(call, *request, std::move(mutation)));
  }

  auto* message = arena.New<pb::MutateResponse>();
  if (request->has_condition() || !gives_result) message->set_processed(result.processed);
  if (gives_result && result.processed) EncodeCells(call, result.cells, &response, message->mutable_result());
  VAQUITA_ASSIGN_OR_RETURN(response.param, SerializeAnswer(*message));
  return response;
}

}  // namespace vaquita::hbase
