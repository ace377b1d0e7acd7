// ClientService.Multi: runs actions of several regions, one region after the other. Puts that follow each other are
// written together, since a write for each region costs more than a few puts.
//
// The answer has a failure in the place of the failed action, or of its region if the region's actions are one. All
// mutations of all regions share the cell block, so the cells of a failed one are skipped.
#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "model/cell_block_reader.h"
#include "proto/hbase/data_codec.h"
#include "proto/hbase/status_codec.h"
#include "server/frontend/hbase/client_call.h"
#include "server/frontend/hbase/endpoint/cell_rights.h"
#include "server/frontend/hbase/rpc/rpc_frame.h"
#include "server/regionserver/put_group.h"

namespace vaquita::hbase {
namespace {

constexpr size_t kMostGroupedPuts = 500;  // their rows are locked until they are written
constexpr size_t kPrefetchedRegions = 8;  // at a time: few enough to be still in the cache when their turn comes

bool GivesResult(const pb::MutationProto& mutation) {
  return mutation.mutate_type() == pb::MutationProto::INCREMENT || mutation.mutate_type() == pb::MutationProto::APPEND;
}

class MultiCall {
 public:
  MultiCall(const ClientCall& call, pb::MultiRequest* request, pb::MultiResponse* answer)
      : call_(call),
        request_(request),
        answer_(answer),
        takes_parts_(ClientIsAtLeast(call.rpc.client_version, 1, 2)),
        cells_(call.rpc.cells),
        puts_(&call.server) {}

  absl::StatusOr<RpcResponse> Run();

 private:
  CellBlockReader* cells() { return call_.rpc.cells.empty() ? nullptr : &cells_; }
  void FindRegions();
  absl::Status CheckServed(const std::string& region, const std::shared_ptr<Region>& found) const;
  void RunRegion(pb::RegionAction* region, const std::shared_ptr<Region>& found, pb::RegionActionResult* result);
  void RunSingly(pb::RegionAction* region, const std::shared_ptr<Region>& found, pb::RegionActionResult* result);
  bool HasRefused(const Region& region, std::span<const Action> actions) const;
  size_t GroupPuts(const std::string& region, std::span<const Action> actions, std::span<const uint32_t> indexes,
                   pb::RegionActionResult* result);
  void CommitPuts();
  void RunAsOne(pb::RegionAction* region, const pb::Condition* condition, pb::RegionActionResult* result);
  absl::StatusOr<MutateResult> ApplyAsOne(pb::RegionAction* region, const pb::Condition* condition);
  void RunService(const pb::RegionAction& region, const pb::Action& action, pb::ResultOrException* outcome);
  absl::StatusOr<Action> DecodeAction(pb::Action* action);
  Nonce NonceOf(const pb::RegionAction& region) const;
  void EncodeOutcome(const Action& action, const ActionOutcome& outcome, pb::ResultOrException* out);
  BatchOptions Options(const std::shared_ptr<Region>& region, std::span<const Nonce> nonces) const;
  int64_t MostAnswerBytes() const;
  bool AnswerIsFull() const { return answer_bytes_ > MostAnswerBytes(); }
  absl::Status AnswerTooLarge() const;
  void EncodeException(absl::Status status, pb::NameBytesPair* out);

  const ClientCall& call_;
  pb::MultiRequest* const request_;
  pb::MultiResponse* const answer_;
  const bool takes_parts_;  // the client asks again for what a large answer lacks
  CellBlockReader cells_;
  std::vector<std::shared_ptr<Region>> regions_;  // the request's, in its order; null: not served
  PutGroup puts_;                                 // whatever else runs commits them first
  std::vector<pb::ResultOrException*> grouped_;   // the outcomes of puts_, which are not known yet
  RpcResponse response_;
  int64_t answer_bytes_ = 0;  // all cells and exceptions in the answer
  bool stale_ = false;        // the present region is a replica
};

absl::StatusOr<RpcResponse> MultiCall::Run() {
  // Clients before 2.4 put the condition beside the one region's actions that it is for, and look for its outcome
  // there.
  const bool old_condition = request_->has_condition();
  FindRegions();
  answer_->mutable_regionactionresult()->Reserve(request_->regionaction_size());
  for (size_t i = 0; i < regions_.size(); ++i) {
    if (i % kPrefetchedRegions == 0) {
      RegionServer::Prefetch(std::span(regions_).subspan(i, std::min(kPrefetchedRegions, regions_.size() - i)));
    }
    pb::RegionAction* const region = request_->mutable_regionaction(static_cast<int>(i));
    pb::RegionActionResult* result = answer_->add_regionactionresult();
    if (old_condition) {
      RunAsOne(region, &request_->condition(), result);
      break;
    }
    RunRegion(region, regions_[i], result);
  }
  CommitPuts();
  if (old_condition && request_->regionaction_size() == 0) answer_->set_processed(true);
  if (!old_condition) answer_->mutable_regionstatistics();
  VAQUITA_ASSIGN_OR_RETURN(response_.param, SerializeAnswer(*answer_));
  return std::move(response_);
}

void MultiCall::FindRegions() {
  regions_.reserve(request_->regionaction_size());
  for (const pb::RegionAction& region : request_->regionaction()) {
    regions_.push_back(call_.server.FindRegion(region.region().value()).value_or(nullptr));
  }
}

void MultiCall::RunRegion(pb::RegionAction* region, const std::shared_ptr<Region>& found,
                          pb::RegionActionResult* result) {
  if (region->has_condition() || region->atomic()) {
    CommitPuts();
    RunAsOne(region, region->has_condition() ? &region->condition() : nullptr, result);
  } else {
    RunSingly(region, found, result);
  }
}

absl::Status MultiCall::CheckServed(const std::string& region, const std::shared_ptr<Region>& found) const {
  if (const RefusedRegions* refused = call_.rpc.refused_regions) {
    if (const auto it = refused->find(region); it != refused->end()) return it->second;
  }
  return found != nullptr ? absl::OkStatus() : call_.server.FindRegion(region).status();
}

// --- Actions by themselves.

void MultiCall::RunSingly(pb::RegionAction* region, const std::shared_ptr<Region>& found,
                          pb::RegionActionResult* result) {
  const absl::Status served = CheckServed(region->region().value(), found);
  stale_ = call_.server.ReplicaIdOf(region->region().value()) != 0;
  std::vector<Action> actions;
  std::vector<Nonce> nonces;
  std::vector<uint32_t> indexes;
  actions.reserve(region->action_size());
  indexes.reserve(region->action_size());
  result->mutable_resultorexception()->Reserve(region->action_size());
  for (pb::Action& action : *region->mutable_action()) {
    if (!served.ok()) {
      // The block goes on with the next region's cells; if it cannot be read, that will be seen there.
      (void)SkipCells(action.mutation(), cells());
      continue;
    }
    if (action.has_service_call()) {
      CommitPuts();
      RunService(*region, action, result->add_resultorexception());
      continue;
    }
    absl::StatusOr<Action> decoded = DecodeAction(&action);
    if (!decoded.ok()) {
      pb::ResultOrException* outcome = result->add_resultorexception();
      outcome->set_index(action.index());
      EncodeException(decoded.status(), outcome->mutable_exception());
      continue;
    }
    if (action.has_mutation() && GivesResult(action.mutation()) && action.mutation().nonce() != 0) {
      nonces.resize(actions.size());
      nonces.push_back({request_->noncegroup(), action.mutation().nonce()});
    }
    actions.push_back(*std::move(decoded));
    indexes.push_back(action.index());
  }
  if (!served.ok()) return EncodeException(served, result->mutable_exception());
  // A get does not see the puts before it (RegionServer::Batch).
  const bool has_get = std::any_of(actions.begin(), actions.end(),
                                   [](const Action& action) { return std::holds_alternative<Get>(action); });
  const bool groups = nonces.empty() && !has_get && !HasRefused(*found, actions);
  const size_t grouped = groups ? GroupPuts(region->region().value(), actions, indexes, result) : 0;
  if (grouped == actions.size()) return;
  CommitPuts();
  if (!nonces.empty()) nonces.resize(actions.size());

  const std::span<const Action> others = std::span(actions).subspan(grouped);
  const std::vector<ActionOutcome> outcomes =
      call_.server.Batch(region->region().value(), others, Options(found, nonces));
  for (size_t i = 0; i < outcomes.size(); ++i) {
    pb::ResultOrException* outcome = result->add_resultorexception();
    outcome->set_index(indexes[grouped + i]);
    EncodeOutcome(others[i], outcomes[i], outcome);
  }
}

// Returns whether the client has no right to one of the actions. Then RegionServer::Batch refuses others with it.
bool MultiCall::HasRefused(const Region& region, std::span<const Action> actions) const {
  if (call_.server.access() == nullptr) return false;
  const std::vector<absl::Status> statuses = call_.server.CheckActions(call_.rpc.context, region, actions);
  return std::any_of(statuses.begin(), statuses.end(), [](const absl::Status& status) { return !status.ok(); });
}

// Adds the puts at the beginning of a region's actions to puts_, and returns their number.
size_t MultiCall::GroupPuts(const std::string& region, std::span<const Action> actions,
                            std::span<const uint32_t> indexes, pb::RegionActionResult* result) {
  CallContext context = call_.rpc.context;
  context.short_waits = true;  // nothing may wait while rows are locked
  for (size_t i = 0; i < actions.size(); ++i) {
    const auto* put = std::get_if<Mutation>(&actions[i]);
    if (put == nullptr) return i;
    if (grouped_.size() == kMostGroupedPuts) CommitPuts();
    const absl::StatusOr<bool> added = puts_.Add(region, *put, context);
    if (IsWouldWait(added.status()) || (added.ok() && !*added)) return i;
    pb::ResultOrException* outcome = result->add_resultorexception();
    outcome->set_index(indexes[i]);
    if (added.ok()) {
      grouped_.push_back(outcome);
    } else {
      EncodeException(added.status(), outcome->mutable_exception());
    }
  }
  return actions.size();
}

void MultiCall::CommitPuts() {
  if (grouped_.empty()) return;
  const absl::Status written = puts_.Commit();
  for (pb::ResultOrException* outcome : grouped_) {
    if (written.ok()) {
      outcome->mutable_result();
    } else {
      EncodeException(written, outcome->mutable_exception());
    }
  }
  grouped_.clear();
}

void MultiCall::RunService(const pb::RegionAction& region, const pb::Action& action, pb::ResultOrException* outcome) {
  outcome->set_index(action.index());
  if (AnswerIsFull()) return EncodeException(ResultsTooLarge(answer_bytes_), outcome->mutable_exception());
  pb::NameBytesPair* answer = outcome->mutable_service_result()->mutable_value();
  const absl::Status status = ExecOnRegion(call_, region.region().value(), action.service_call(), answer);
  answer_bytes_ += static_cast<int64_t>(answer->value().size());
  if (status.ok()) return;
  outcome->clear_service_result();
  EncodeException(status, outcome->mutable_exception());
}

absl::StatusOr<Action> MultiCall::DecodeAction(pb::Action* action) {
  if (action->has_get()) {
    VAQUITA_ASSIGN_OR_RETURN(Get get, DecodeGet(action->get()));
    return get;
  }
  if (!action->has_mutation()) return Error(ErrorKind::kHBaseIO, "Unexpected Action type");
  Mutation mutation;
  VAQUITA_RETURN_IF_ERROR(DecodeMutation(action->mutable_mutation(), cells(), &mutation));
  VAQUITA_RETURN_IF_ERROR(CheckCellRights(call_.server, action->mutation()));
  return mutation;
}

BatchOptions MultiCall::Options(const std::shared_ptr<Region>& region, std::span<const Nonce> nonces) const {
  return {.nonces = nonces,
          .max_result_bytes = MostAnswerBytes(),
          .earlier_result_bytes = answer_bytes_,
          .carry_ttls = call_.rpc.takes_tags,
          .context = call_.rpc.context,
          .region = region};
}

// Clients before 1.2, and those that do not say which they are, do not know what to do with a part of an answer. Theirs
// may be as large as a request.
int64_t MultiCall::MostAnswerBytes() const {
  const vaquita::Options& server = call_.server.options();
  return takes_parts_ ? server.scanner_max_result_bytes : server.max_request_bytes;
}

absl::Status MultiCall::AnswerTooLarge() const {
  return Error(ErrorKind::kDoNotRetryIO,
               absl::StrCat("the answers of this call have more than ", call_.server.options().max_request_bytes,
                            " bytes; ask for fewer rows at a time, or raise hbase.ipc.max.request.size"));
}

// As HBase, an answer that is full takes no exception but a short one, by which the client sends the action again.
void MultiCall::EncodeException(absl::Status status, pb::NameBytesPair* out) {
  if (AnswerIsFull()) status = ResultsTooLarge(answer_bytes_);
  if (IsError(status, ErrorKind::kMultiActionResultTooLarge) && !takes_parts_) status = AnswerTooLarge();
  EncodeStatus(status, out);
  answer_bytes_ += static_cast<int64_t>(out->ByteSizeLong());
}

void MultiCall::EncodeOutcome(const Action& action, const ActionOutcome& outcome, pb::ResultOrException* out) {
  if (!outcome.status.ok()) return EncodeException(outcome.status, out->mutable_exception());
  answer_bytes_ += static_cast<int64_t>(outcome.cells.bytes().size() + outcome.result.cells.bytes().size());
  pb::Result* result = out->mutable_result();
  if (const Get* get = std::get_if<Get>(&action)) {
    if (stale_) result->set_stale(true);
    if (get->existence_only) {
      result->set_exists(!outcome.cells.empty());
    } else {
      EncodeCells(call_, outcome.cells, &response_, result);
    }
    return;
  }
  if (!outcome.result.cells.empty()) EncodeCells(call_, outcome.result.cells, &response_, result);
}

// --- Mutations of one row as one.

void MultiCall::RunAsOne(pb::RegionAction* region, const pb::Condition* condition, pb::RegionActionResult* result) {
  const absl::StatusOr<MutateResult> outcome = ApplyAsOne(region, condition);
  if (!outcome.ok()) return EncodeException(outcome.status(), result->mutable_exception());
  result->set_processed(outcome->processed);
  // Clients before 2.4 look for it here.
  if (condition == nullptr || request_->has_condition()) answer_->set_processed(outcome->processed);
  for (int i = 0; i < region->action_size(); ++i) {
    pb::ResultOrException* each = result->add_resultorexception();
    each->set_index(static_cast<uint32_t>(i));
    if (condition == nullptr) each->mutable_result();
  }
  // The results of all increments and appends stand in the first action's place.
  const CellBlock& cells = outcome->cells;
  answer_bytes_ += static_cast<int64_t>(cells.bytes().size());
  if (!cells.empty()) {
    EncodeResult(cells, {.first = 0, .count = cells.size()}, result->mutable_resultorexception(0)->mutable_result());
  }
}

absl::StatusOr<MutateResult> MultiCall::ApplyAsOne(pb::RegionAction* region, const pb::Condition* condition) {
  const std::string& name = region->region().value();
  const Nonce nonce = NonceOf(*region);
  if (AnswerIsFull()) {
    for (const pb::Action& action : region->action()) VAQUITA_RETURN_IF_ERROR(SkipCells(action.mutation(), cells()));
    return ResultsTooLarge(answer_bytes_);
  }
  RowMutations mutations;
  VAQUITA_RETURN_IF_ERROR(DecodeRowMutations(region, cells(), &mutations));
  for (const pb::Action& action : region->action())
    VAQUITA_RETURN_IF_ERROR(CheckCellRights(call_.server, action.mutation()));
  if (call_.rpc.refused_regions != nullptr) VAQUITA_RETURN_IF_ERROR(CheckServed(name, nullptr));
  if (condition == nullptr) return call_.server.Mutate(name, mutations, nonce, call_.rpc.context);
  CheckAndMutate check;
  VAQUITA_RETURN_IF_ERROR(DecodeCondition(*condition, &check));
  check.mutations = std::move(mutations.mutations);
  return call_.server.CheckAndMutate(name, check, nonce, call_.rpc.context);
}

// The last one, as in HBase.
Nonce MultiCall::NonceOf(const pb::RegionAction& region) const {
  Nonce nonce;
  for (const pb::Action& action : region.action()) {
    if (action.has_mutation() && GivesResult(action.mutation())) {
      nonce = {request_->noncegroup(), action.mutation().nonce()};
    }
  }
  return nonce;
}

}  // namespace

absl::StatusOr<RpcResponse> RunMulti(const ClientCall& call) {
  CallArena arena;
  auto* request = arena.New<pb::MultiRequest>();
  VAQUITA_RETURN_IF_ERROR(ParseParam(call.rpc, request));
  return MultiCall(call, request, arena.New<pb::MultiResponse>()).Run();
}

}  // namespace vaquita::hbase
