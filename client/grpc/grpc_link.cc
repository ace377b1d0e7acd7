#include "client/grpc/grpc_link.h"

#include <algorithm>
#include <latch>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "base/status.h"
#include "client/grpc/grpc_admin.h"
#include "client/grpc/grpc_channel.h"
#include "client/nonce.h"
#include "client/retries.h"
#include "proto/vaquita/admin_codec.h"
#include "proto/vaquita/client_identity.h"
#include "proto/vaquita/data_codec.h"
#include "proto/vaquita/grpc_stream.h"
#include "proto/vaquita/status_codec.h"
#include "vaquita/v1/admin.methods.h"
#include "vaquita/v1/data.methods.h"

namespace vaquita::client {
namespace {

// Reads an answer. One that cannot be read is an error of the call.
absl::Status Decode(const v1::Result& answer, Result* result) {
  result->partial = answer.partial();
  result->exists = answer.exists();
  return FromProto(answer, &result->cells);
}

absl::StatusOr<RegionLocation> LocationFromProto(const v1::RegionLocation& wire, const std::string& address) {
  RegionLocation location;
  VAQUITA_RETURN_IF_ERROR(FromProto(wire.region(), &location.info));
  location.server_name = wire.server_name();
  location.address = wire.address().empty() ? address : wire.address();
  return location;
}

// Returns whether doing the action twice would differ from once, so that the server must recognize a repeated request.
bool NeedsNonce(const Action& action) { return RepeatableOf(action, false) == Repeatable::kOnlyIfNotRun; }

template <typename Message>
void SetNonce(uint64_t group, uint64_t value, Message* message) {
  message->mutable_nonce()->set_group(group);
  message->mutable_nonce()->set_value(value);
}

// A region's scan as a stream, which the server fills while the caller works.
class GrpcRegionScan final : public RegionScan {
 public:
  GrpcRegionScan(GrpcChannel* channel, const LocatedRegion& region, const Scan& scan, TimePoint last)
      : channel_(channel) {
    context_.set_deadline(ForGrpc(last));
    channel_->Identify(&context_);
    request_.set_region(region.encoded_name);
    ToProto(scan, request_.mutable_scan());
    request_.set_results_as_block(true);
  }

  CallOutcome Next(TimePoint deadline, ScanAnswer* answer) override {
    if (!stream_) {
      if (!channel_->Connect(deadline)) return channel_->NotConnected();
      stream_.emplace(channel_->channel(), &context_, v1::DataMethods::Scan, request_);
    }
    if (!stream_->Read(&response_, ForGrpc(deadline))) return End(answer);
    std::vector<ScannedResult> results;
    if (absl::Status decoded = FromProto(response_, &results); !decoded.ok()) return {decoded};
    answer->results.reserve(results.size());
    for (ScannedResult& result : results) {
      answer->results.push_back({.cells = std::move(result.cells), .partial = result.partial, .exists = true});
    }
    if (response_.has_next_region()) next_ = {response_.next_region().start_row(), response_.next_region().inclusive()};
    return {};
  }

 private:
  CallOutcome End(ScanAnswer* answer) {
    answer->region_done = true;
    answer->next = std::move(next_);
    return OutcomeOf(stream_->Finish());
  }

  GrpcChannel* const channel_;
  grpc::ClientContext context_;
  v1::ScanRequest request_;
  std::optional<GrpcStream<v1::ScanResponse>> stream_;  // from the first Next on
  v1::ScanResponse response_;
  std::optional<ScanAnswer::Start> next_;
};

// A batch on its way.
struct BatchCall {
  v1::BatchRequest request;
  v1::BatchResponse response;
  grpc::ClientContext context;

  BatchCall(const RegionBatch& batch, uint64_t nonce_group, TimePoint deadline) {
    context.set_deadline(ForGrpc(deadline));
    request.set_region(batch.region->encoded_name);
    request.set_cells_as_block(true);
    for (const NumberedAction& action : batch.actions) {
      v1::Action* const sent = request.add_actions();
      ToProto(*action.action, sent);
      if (NeedsNonce(*action.action)) SetNonce(nonce_group, action.nonce, sent);
    }
  }
  GrpcExchange Exchange() { return {v1::DataMethods::Batch, request, &response}; }
  std::vector<ActionResult> Results() const {
    std::vector<ActionResult> results;
    for (const v1::ActionResult& answer : response.results()) {
      ActionResult& result = results.emplace_back();
      if (answer.has_error()) {
        result.status = FromProto(answer.error());
        continue;
      }
      result.processed = !answer.has_processed() || answer.processed();
      result.status = Decode(answer.result(), &result.result);
    }
    return results;
  }
};

// The channels to a cluster's servers: one to the server of the connection's address, which has the master, and one to
// each server that has regions. Threads: any.
class GrpcServers {
 public:
  explicit GrpcServers(const ConnectionOptions& options)
      : options_(options), master_(options.address, GrpcChannel::IfDown::kWait, options) {}

  GrpcChannel& master() { return master_; }
  // Returns the channel to the server at host:port. It lives as long as this.
  GrpcChannel& At(const std::string& address) {
    if (address == master_.address()) return master_;
    std::lock_guard lock(mutex_);
    std::unique_ptr<GrpcChannel>& channel = others_[address];
    if (channel == nullptr) channel = std::make_unique<GrpcChannel>(address, GrpcChannel::IfDown::kGiveUp, options_);
    return *channel;
  }

 private:
  const ConnectionOptions options_;
  GrpcChannel master_;
  std::mutex mutex_;
  std::map<std::string, std::unique_ptr<GrpcChannel>> others_;  // by address
};

class GrpcLink final : public ServerLink {
 public:
  explicit GrpcLink(const ConnectionOptions& options) : servers_(options), nonce_group_(NextNonce()) {}

  absl::Status Connect(TimePoint deadline) override {
    return servers_.master().Connect(deadline) ? absl::OkStatus() : servers_.master().NotConnected().status;
  }
  bool KnowsRepeatsOf(const Action&) const override { return true; }

  CallOutcome LocateRow(const TableName& table, std::string_view row, TimePoint deadline,
                        RegionLocation* location) override;
  CallOutcome ListRegions(const TableName& table, TimePoint deadline, std::vector<RegionLocation>* locations) override;
  CallOutcome GetTableState(const TableName& table, TimePoint deadline, TableState* state) override;

  CallOutcome Run(const LocatedRegion& region, NumberedAction action, TimePoint deadline,
                  ActionResult* result) override;
  void RunBatches(std::span<RegionBatch> batches, TimePoint deadline) override;
  std::unique_ptr<RegionScan> OpenScan(Located region, const Scan& scan, TimePoint last) override {
    return std::make_unique<GrpcRegionScan>(&ServerOf(*region), *region, scan, last);
  }
  CallOutcome Aggregate(const LocatedRegion& region, const Scan& scan, std::string_view plan, TimePoint deadline,
                        AggregateAnswer* answer) override;
  std::unique_ptr<Admin> MakeAdmin(std::shared_ptr<Cluster> cluster) override {
    return MakeGrpcAdmin(std::move(cluster), &servers_.master());
  }

 private:
  GrpcChannel& ServerOf(const LocatedRegion& region) { return servers_.At(region.location.address); }
  // Sends `request` to `region`, and reads the result of the answer.
  template <typename Request, typename Response>
  CallOutcome Send(GrpcMethod<Request, Response> method, const LocatedRegion& region, Request* request,
                   Response* response, TimePoint deadline, ActionResult* result) {
    request->set_region(region.encoded_name);
    request->set_cells_as_block(true);
    CallOutcome outcome = ServerOf(region).Call({method, *request, response}, deadline);
    if (outcome.ok()) outcome.status = Decode(response->result(), &result->result);
    return outcome;
  }

  // Sends the batches that have a call, all at once, and waits for all.
  void SendAndWait(std::span<RegionBatch> batches, std::span<const std::unique_ptr<BatchCall>> calls);

  GrpcServers servers_;
  const uint64_t nonce_group_;
};

// --- Where regions are.

CallOutcome GrpcLink::LocateRow(const TableName& table, std::string_view row, TimePoint deadline,
                                RegionLocation* location) {
  v1::LocateRowRequest request;
  request.set_table(table.ToString());
  request.set_row(row.data(), row.size());
  v1::RegionLocation response;
  const CallOutcome outcome = servers_.master().CallMaster({v1::AdminMethods::LocateRow, request, &response}, deadline);
  if (!outcome.ok()) return outcome;
  absl::StatusOr<RegionLocation> decoded = LocationFromProto(response, servers_.master().master_address());
  if (!decoded.ok()) return {decoded.status()};
  *location = *std::move(decoded);
  return {absl::OkStatus()};
}

CallOutcome GrpcLink::ListRegions(const TableName& table, TimePoint deadline, std::vector<RegionLocation>* locations) {
  locations->clear();
  v1::TableRequest request;
  request.set_table(table.ToString());
  v1::ListRegionsResponse response;
  const CallOutcome outcome =
      servers_.master().CallMaster({v1::AdminMethods::ListRegions, request, &response}, deadline);
  if (!outcome.ok()) return outcome;
  for (const v1::RegionLocation& region : response.regions()) {
    if (region.region().split()) continue;
    absl::StatusOr<RegionLocation> location = LocationFromProto(region, servers_.master().master_address());
    if (!location.ok()) return {location.status()};
    locations->push_back(*std::move(location));
  }
  return {};
}

CallOutcome GrpcLink::GetTableState(const TableName& table, TimePoint deadline, TableState* state) {
  v1::TableRequest request;
  request.set_table(table.ToString());
  v1::GetTableStateResponse response;
  CallOutcome outcome = servers_.master().CallMaster({v1::AdminMethods::GetTableState, request, &response}, deadline);
  if (outcome.ok()) outcome.status = FromProto(response.state(), state);
  return outcome;
}

// --- Data.

CallOutcome GrpcLink::Run(const LocatedRegion& region, NumberedAction action, TimePoint deadline,
                          ActionResult* result) {
  if (const auto* get = std::get_if<Get>(action.action)) {
    v1::GetRequest request;
    ToProto(*get, request.mutable_get());
    v1::GetResponse response;
    return Send(v1::DataMethods::Get, region, &request, &response, deadline, result);
  }
  if (const auto* check = std::get_if<CheckAndMutate>(action.action)) {
    v1::CheckAndMutateRequest request;
    ToProto(*check, request.mutable_check_and_mutate());
    SetNonce(nonce_group_, action.nonce, &request);
    v1::CheckAndMutateResponse response;
    const CallOutcome outcome = Send(v1::DataMethods::CheckAndMutate, region, &request, &response, deadline, result);
    result->processed = response.processed();
    return outcome;
  }
  v1::MutateRequest request;
  if (const auto* mutation = std::get_if<Mutation>(action.action)) {
    ToProto(*mutation, request.mutable_mutation());
  } else {
    ToProto(std::get<RowMutations>(*action.action), request.mutable_row_mutations());
  }
  if (NeedsNonce(*action.action)) SetNonce(nonce_group_, action.nonce, &request);
  v1::MutateResponse response;
  return Send(v1::DataMethods::Mutate, region, &request, &response, deadline, result);
}

CallOutcome GrpcLink::Aggregate(const LocatedRegion& region, const Scan& scan, std::string_view plan,
                                TimePoint deadline, AggregateAnswer* answer) {
  v1::AggregateRequest request;
  request.set_region(region.encoded_name);
  ToProto(scan, request.mutable_scan());
  request.set_plan(plan.data(), plan.size());
  v1::AggregateResponse response;
  CallOutcome outcome = ServerOf(region).Call({v1::DataMethods::Aggregate, request, &response}, deadline);
  ErrorKind kind;
  if (outcome.status.code() == absl::StatusCode::kUnimplemented && !GetErrorKind(outcome.status, &kind)) {
    outcome.status = Error(ErrorKind::kUnsupportedOperation, "the server is older: it has no aggregates of SQL");
  }
  if (!outcome.ok()) return outcome;
  answer->parts = std::move(*response.mutable_parts());
  answer->rows_read = response.rows();
  if (response.has_next_row()) answer->next_row = std::move(*response.mutable_next_row());
  return outcome;
}

void GrpcLink::RunBatches(std::span<RegionBatch> batches, TimePoint deadline) {
  std::vector<std::unique_ptr<BatchCall>> calls(batches.size());
  std::map<GrpcChannel*, bool> connected;  // so that one that is down is waited for once
  for (size_t i = 0; i < batches.size(); ++i) {
    GrpcChannel* const server = &ServerOf(*batches[i].region);
    const auto [it, is_new] = connected.try_emplace(server, false);
    if (is_new) it->second = server->Connect(deadline);
    if (it->second) {
      calls[i] = std::make_unique<BatchCall>(batches[i], nonce_group_, deadline);
      server->Identify(&calls[i]->context);
    } else {
      batches[i].outcome = server->NotConnected();
    }
  }
  if (batches.size() == 1 && calls[0] != nullptr) {
    grpc::Channel* const channel = ServerOf(*batches[0].region).channel();
    batches[0].outcome = OutcomeOf(CallGrpc(channel, &calls[0]->context, calls[0]->Exchange()));
  } else {
    SendAndWait(batches, calls);
  }
  for (size_t i = 0; i < batches.size(); ++i) {
    if (batches[i].outcome.ok()) batches[i].results = calls[i]->Results();
  }
}

void GrpcLink::SendAndWait(std::span<RegionBatch> batches, std::span<const std::unique_ptr<BatchCall>> calls) {
  const auto sent = std::count_if(calls.begin(), calls.end(), [](const auto& call) { return call != nullptr; });
  // Shared: a callback may still be in it when wait() returns.
  const auto done = std::make_shared<std::latch>(sent);
  for (size_t i = 0; i < batches.size(); ++i) {
    if (calls[i] == nullptr) continue;
    StartGrpcCall(ServerOf(*batches[i].region).channel(), &calls[i]->context, calls[i]->Exchange(),
                  [&outcome = batches[i].outcome, done](const grpc::Status& status) {
                    outcome = OutcomeOf(status);
                    done->count_down();
                  });
  }
  done->wait();
}

}  // namespace

absl::StatusOr<std::unique_ptr<ServerLink>> MakeGrpcLink(const ConnectionOptions& options) {
  VAQUITA_RETURN_IF_ERROR(CheckToken(options.token));
  return std::make_unique<GrpcLink>(options);
}

}  // namespace vaquita::client
