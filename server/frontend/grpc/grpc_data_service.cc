#include "server/frontend/grpc/grpc_data_service.h"

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "proto/vaquita/data_codec.h"
#include "proto/vaquita/status_codec.h"
#include "server/frontend/grpc/grpc_aggregate.h"
#include "server/frontend/grpc/grpc_gate.h"
#include "server/frontend/grpc/grpc_region_address.h"
#include "server/frontend/grpc/grpc_watch.h"

namespace vaquita {
namespace {

ResultRange All(const CellBlock& cells) { return {.first = 0, .count = cells.size()}; }

Nonce NonceFromProto(const v1::Nonce& nonce) { return {nonce.group(), nonce.value()}; }

void EncodeGet(const CellBlock& cells, bool existence_only, bool as_block, v1::Result* result) {
  if (existence_only) {
    result->set_exists(!cells.empty());
  } else {
    ToProto(cells, All(cells), as_block, result);
  }
}

void EncodeOutcome(const Action& action, const ActionOutcome& outcome, bool as_block, v1::ActionResult* result) {
  if (!outcome.status.ok()) {
    ToProto(outcome.status, result->mutable_error());
    return;
  }
  if (const Get* get = std::get_if<Get>(&action)) {
    EncodeGet(outcome.cells, get->existence_only, as_block, result->mutable_result());
    return;
  }
  if (std::holds_alternative<CheckAndMutate>(action)) result->set_processed(outcome.result.processed);
  const CellBlock& cells = outcome.result.cells;
  if (!cells.empty()) ToProto(cells, All(cells), as_block, result->mutable_result());
}

absl::Status DecodeActions(const v1::BatchRequest& request, std::vector<Action>* actions, std::vector<Nonce>* nonces) {
  actions->resize(request.actions_size());
  nonces->resize(request.actions_size());
  for (int i = 0; i < request.actions_size(); ++i) {
    (*nonces)[i] = NonceFromProto(request.actions(i).nonce());
    absl::Status decoded = FromProto(request.actions(i), &(*actions)[i]);
    if (!decoded.ok()) return Annotate(decoded, absl::StrCat("actions[", i, "]"));
  }
  return absl::OkStatus();
}

// Its calls have the names that HBase's ClientService has for them.
GrpcCall ClientCallOf(std::string_view method, const grpc::ServerContextBase& context,
                      const google::protobuf::Message& request, const google::protobuf::Message* response) {
  return {.service = "ClientService", .method = method, .context = context, .request = request, .response = response};
}

std::vector<net::CallTarget> TargetsOfBatch(const GrpcServing& slot, const v1::BatchRequest& request) {
  std::vector<net::CallTarget> targets;
  for (const v1::Action& action : request.actions()) {
    const std::string& row = action.has_get()             ? action.get().row()
                             : action.has_mutation()      ? action.mutation().row()
                             : action.has_row_mutations() ? action.row_mutations().row()
                                                          : action.check_and_mutate().row();
    for (net::CallTarget& target : TargetsOfRow(slot, request, row)) targets.push_back(std::move(target));
  }
  return targets;
}

// Runs `run(context)`, which returns an absl::Status, for the call's user.
template <typename Run>
absl::Status AsCaller(const GrpcServing& slot, grpc::ServerContext* context, Run run) {
  VAQUITA_ASSIGN_OR_RETURN(const Caller caller, slot.CallerOf(*context));
  GrpcWatch watch(context);
  return run(CallContext{.caller = &caller, .watch = &watch});
}

}  // namespace

grpc::Status GrpcDataService::Get(grpc::ServerContext* context, const v1::GetRequest* request,
                                  v1::GetResponse* response) {
  return ThroughGate(
      slot_->gate(), ClientCallOf("Get", *context, *request, response),
      [&] { return TargetsOfRow(*slot_, *request, request->get().row()); },
      [&] {
        return AsCaller(*slot_, context, [&](const CallContext& by) { return AnswerGet(*request, by, response); });
      });
}

grpc::ServerWriteReactor<v1::ScanResponse>* GrpcDataService::Scan(grpc::CallbackServerContext* context,
                                                                  const v1::ScanRequest* request) {
  return new GrpcScanStream(slot_, unsent_, &workers_, request, context);  // it deletes itself
}

grpc::Status GrpcDataService::Mutate(grpc::ServerContext* context, const v1::MutateRequest* request,
                                     v1::MutateResponse* response) {
  const auto targets = [&] {
    return TargetsOfRow(*slot_, *request,
                        request->has_mutation() ? request->mutation().row() : request->row_mutations().row());
  };
  return ThroughGate(slot_->gate(), ClientCallOf("Mutate", *context, *request, response), targets, [&] {
    return AsCaller(*slot_, context, [&](const CallContext& by) { return AnswerMutate(*request, by, response); });
  });
}

grpc::Status GrpcDataService::CheckAndMutate(grpc::ServerContext* context, const v1::CheckAndMutateRequest* request,
                                             v1::CheckAndMutateResponse* response) {
  return ThroughGate(
      slot_->gate(), ClientCallOf("Mutate", *context, *request, response),
      [&] { return TargetsOfRow(*slot_, *request, request->check_and_mutate().row()); },
      [&] {
        return AsCaller(*slot_, context,
                        [&](const CallContext& by) { return AnswerCheckAndMutate(*request, by, response); });
      });
}

grpc::Status GrpcDataService::Batch(grpc::ServerContext* context, const v1::BatchRequest* request,
                                    v1::BatchResponse* response) {
  return ThroughGate(
      slot_->gate(), ClientCallOf("Multi", *context, *request, response),
      [&] { return TargetsOfBatch(*slot_, *request); },
      [&] {
        return AsCaller(*slot_, context, [&](const CallContext& by) { return AnswerBatch(*request, by, response); });
      });
}

grpc::Status GrpcDataService::Aggregate(grpc::ServerContext* context, const v1::AggregateRequest* request,
                                        v1::AggregateResponse* response) {
  return ThroughGate(
      slot_->gate(), ClientCallOf("Scan", *context, *request, response),
      [&] { return TargetsOfRow(*slot_, *request, request->scan().rows().start()); },
      [&] {
        return AsCaller(*slot_, context,
                        [&](const CallContext& by) { return AnswerAggregate(*request, by, response); });
      });
}

absl::Status GrpcDataService::AnswerGet(const v1::GetRequest& request, const CallContext& context,
                                        v1::GetResponse* response) const {
  VAQUITA_ASSIGN_OR_RETURN(const Serving serving, slot_->Get());
  if (!request.has_get()) return MissingField("get");
  vaquita::Get get;
  VAQUITA_RETURN_IF_ERROR(FromProto(request.get(), &get));
  VAQUITA_ASSIGN_OR_RETURN(const std::string region,
                           RegionOfRequest(serving, request.region(), request.table(), get.row));
  CellBlock cells;
  VAQUITA_RETURN_IF_ERROR(serving.server->Get(region, get, &cells, context));
  EncodeGet(cells, get.existence_only, request.cells_as_block(), response->mutable_result());
  return absl::OkStatus();
}

absl::Status GrpcDataService::AnswerMutate(const v1::MutateRequest& request, const CallContext& context,
                                           v1::MutateResponse* response) const {
  VAQUITA_ASSIGN_OR_RETURN(const Serving serving, slot_->Get());
  const auto execute = [&](auto operation, const auto& message) -> absl::StatusOr<MutateResult> {
    VAQUITA_RETURN_IF_ERROR(FromProto(message, &operation));
    VAQUITA_ASSIGN_OR_RETURN(const std::string region,
                             RegionOfRequest(serving, request.region(), request.table(), operation.row));
    return serving.server->Mutate(region, operation, NonceFromProto(request.nonce()), context);
  };
  if (request.kind_case() == v1::MutateRequest::KIND_NOT_SET) return MissingField("kind");
  VAQUITA_ASSIGN_OR_RETURN(const MutateResult result, request.has_mutation()
                                                          ? execute(Mutation(), request.mutation())
                                                          : execute(RowMutations(), request.row_mutations()));
  ToProto(result.cells, All(result.cells), request.cells_as_block(), response->mutable_result());
  return absl::OkStatus();
}

absl::Status GrpcDataService::AnswerCheckAndMutate(const v1::CheckAndMutateRequest& request, const CallContext& context,
                                                   v1::CheckAndMutateResponse* response) const {
  VAQUITA_ASSIGN_OR_RETURN(const Serving serving, slot_->Get());
  if (!request.has_check_and_mutate()) return MissingField("check_and_mutate");
  vaquita::CheckAndMutate check;
  VAQUITA_RETURN_IF_ERROR(FromProto(request.check_and_mutate(), &check));
  VAQUITA_ASSIGN_OR_RETURN(const std::string region,
                           RegionOfRequest(serving, request.region(), request.table(), check.row));
  VAQUITA_ASSIGN_OR_RETURN(const MutateResult result,
                           serving.server->CheckAndMutate(region, check, NonceFromProto(request.nonce()), context));
  response->set_processed(result.processed);
  ToProto(result.cells, All(result.cells), request.cells_as_block(), response->mutable_result());
  return absl::OkStatus();
}

absl::Status GrpcDataService::AnswerBatch(const v1::BatchRequest& request, const CallContext& context,
                                          v1::BatchResponse* response) const {
  VAQUITA_ASSIGN_OR_RETURN(const Serving serving, slot_->Get());
  std::vector<Action> actions;
  std::vector<Nonce> nonces;
  VAQUITA_RETURN_IF_ERROR(DecodeActions(request, &actions, &nonces));
  const BatchOptions options{
      .nonces = nonces, .max_result_bytes = serving.server->options().scanner_max_result_bytes, .context = context};
  std::vector<ActionOutcome> outcomes;
  if (!request.region().empty()) {
    outcomes = serving.server->Batch(request.region(), actions, options);
  } else {
    std::vector<std::string> regions(actions.size());
    for (size_t i = 0; i < actions.size(); ++i) {
      VAQUITA_ASSIGN_OR_RETURN(regions[i], RegionOfRequest(serving, {}, request.table(), RowOf(actions[i])));
    }
    outcomes = serving.server->BatchByRegion(regions, actions, options);
  }
  response->mutable_results()->Reserve(request.actions_size());
  for (size_t i = 0; i < actions.size(); ++i) {
    EncodeOutcome(actions[i], outcomes[i], request.cells_as_block(), response->add_results());
  }
  return absl::OkStatus();
}

absl::Status GrpcDataService::AnswerAggregate(const v1::AggregateRequest& request, const CallContext& context,
                                              v1::AggregateResponse* response) const {
  VAQUITA_ASSIGN_OR_RETURN(const Serving serving, slot_->Get());
  vaquita::Scan scan;
  VAQUITA_RETURN_IF_ERROR(FromProto(request.scan(), &scan));
  VAQUITA_ASSIGN_OR_RETURN(const std::string name,
                           RegionOfRequest(serving, request.region(), request.table(), scan.rows.start));
  VAQUITA_ASSIGN_OR_RETURN(const std::shared_ptr<Region> region, serving.server->FindRegion(name));
  if (const AccessControl* access = slot_->access()) {
    std::optional<ColumnSelection> readable;
    VAQUITA_RETURN_IF_ERROR(
        access->CheckRead(context.caller, *region->table(), scan.columns, /*exists=*/false, &readable));
    if (readable.has_value()) scan.columns = *std::move(readable);
  }
  return AggregateRows(*region, scan, request.plan(), slot_->clock(), context, response);
}

}  // namespace vaquita
