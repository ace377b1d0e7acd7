#include "client/hbase/multi_call.h"

#include <algorithm>
#include <variant>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "proto/hbase/data_codec.h"
#include "proto/hbase/schema_codec.h"
#include "proto/hbase/status_codec.h"

namespace vaquita::client {
namespace {

bool IsSingle(const Action& action) {
  return std::holds_alternative<Get>(action) || std::holds_alternative<Mutation>(action);
}

bool HasCellTtl(const Mutation& mutation) {
  return std::any_of(mutation.cells.begin(), mutation.cells.end(),
                     [](const Cell& cell) { return cell.ttl_ms != kNoTtl; });
}

// Returns the error for an action without an answer, which may have been done all the same.
absl::Status Unanswered() { return absl::InternalError("the server did not answer the action"); }

}  // namespace

void EncodeNumbered(const Mutation& mutation, uint64_t nonce, CellBlock* cells, pb::MutationProto* out) {
  EncodeMutation(mutation, HasCellTtl(mutation) ? nullptr : cells, out);
  if (IsDelta(mutation.type)) out->set_nonce(nonce);
}

// HBase before 2.4 reads past such a condition, and does the mutations.
absl::Status ConditionIgnored() {
  return Error(ErrorKind::kDoNotRetryIO,
               "the server did not say whether the condition held: HBase before 2.4 does not check it, and the "
               "mutations may have been done");
}

void MultiCall::Add(RegionBatch* batch) {
  batches_.push_back(batch);
  for (size_t i = 0; i < batch->actions.size(); ++i) {
    const NumberedAction& action = batch->actions[i];
    if (IsSingle(*action.action)) {
      AddSingle(action, static_cast<uint32_t>(i), AddPart(batch, i, /*as_one=*/false));
    } else if (const auto* row = std::get_if<RowMutations>(action.action)) {
      AddAsOne(row->mutations, action.nonce, AddPart(batch, i, /*as_one=*/true));
    } else {
      const auto& check = std::get<CheckAndMutate>(*action.action);
      pb::RegionAction* out = AddPart(batch, i, /*as_one=*/true);
      EncodeCondition(check, out->mutable_condition());
      AddAsOne(check.mutations, action.nonce, out);
    }
  }
}

// The RegionAction that action number `index` goes into.
pb::RegionAction* MultiCall::AddPart(RegionBatch* batch, size_t index, bool as_one) {
  if (!as_one && !parts_.empty() && parts_.back().batch == batch && !parts_.back().as_one) {
    ++parts_.back().count;
    return request_.mutable_regionaction(request_.regionaction_size() - 1);
  }
  parts_.push_back({batch, index, 1, as_one});
  pb::RegionAction* out = request_.add_regionaction();
  EncodeRegionSpecifier(batch->region->name, out->mutable_region());
  return out;
}

void MultiCall::AddSingle(const NumberedAction& action, uint32_t index, pb::RegionAction* out) {
  pb::Action* message = out->add_action();
  message->set_index(index);
  if (const auto* get = std::get_if<Get>(action.action)) {
    EncodeGet(*get, message->mutable_get());
  } else {
    EncodeNumbered(std::get<Mutation>(*action.action), action.nonce, &cells_, message->mutable_mutation());
  }
}

void MultiCall::AddAsOne(const std::vector<Mutation>& mutations, uint64_t nonce, pb::RegionAction* out) {
  out->set_atomic(true);
  for (const Mutation& mutation : mutations) {
    pb::Action* message = out->add_action();
    message->set_index(static_cast<uint32_t>(out->action_size() - 1));
    EncodeNumbered(mutation, nonce, &cells_, message->mutable_mutation());
  }
}

void MultiCall::Fail(const CallOutcome& outcome) {
  for (RegionBatch* batch : batches_) batch->outcome = outcome;
}

void MultiCall::Decode(const pb::MultiResponse& response, std::string_view cells) {
  if (response.regionactionresult_size() != static_cast<int>(parts_.size())) {
    return Fail({absl::InternalError(absl::StrCat("the server answered ", response.regionactionresult_size(), " of ",
                                                  parts_.size(), " parts of a batch")),
                 /*may_have_run=*/true});
  }
  for (RegionBatch* batch : batches_) {
    batch->outcome = {};
    batch->results.assign(batch->actions.size(), {.status = Unanswered()});
  }
  CellBlockReader reader(cells);
  for (size_t i = 0; i < parts_.size(); ++i) {
    const pb::RegionActionResult& answer = response.regionactionresult(static_cast<int>(i));
    if (parts_[i].as_one) {
      DecodeAsOne(parts_[i], answer, &reader);
    } else {
      DecodeSingles(parts_[i], answer, &reader);
    }
  }
}

void MultiCall::DecodeSingles(const Part& part, const pb::RegionActionResult& answer, CellBlockReader* cells) {
  std::vector<ActionResult>& results = part.batch->results;
  if (answer.has_exception()) {
    const absl::Status status = DecodeStatus(answer.exception());
    for (size_t i = 0; i < part.count; ++i) results[part.first + i].status = status;
    return;
  }
  for (const pb::ResultOrException& each : answer.resultorexception()) {
    if (each.index() >= results.size()) continue;
    ActionResult& result = results[each.index()];
    if (each.has_exception()) {
      result.status = DecodeStatus(each.exception());
      continue;
    }
    result.status = DecodeResult(each.result(), cells, &result.result.cells);
    result.result.exists = each.result().exists() || !result.result.cells.empty();
  }
}

void MultiCall::DecodeAsOne(const Part& part, const pb::RegionActionResult& answer, CellBlockReader* cells) {
  ActionResult& result = part.batch->results[part.first];
  result.status = answer.has_exception() ? DecodeStatus(answer.exception()) : absl::OkStatus();
  result.processed = !answer.has_processed() || answer.processed();
  for (const pb::ResultOrException& each : answer.resultorexception()) {
    if (each.has_exception() && result.status.ok()) result.status = DecodeStatus(each.exception());
    result.status.Update(DecodeResult(each.result(), cells, &result.result.cells));
  }
  const bool has_condition = std::holds_alternative<CheckAndMutate>(*part.batch->actions[part.first].action);
  if (has_condition && !answer.has_processed()) result.status.Update(ConditionIgnored());
}

}  // namespace vaquita::client
