#include "client/hbase/hbase_link.h"

#include <deque>
#include <map>
#include <utility>
#include <variant>

#include "base/status.h"
#include "client/hbase/hbase_admin.h"
#include "client/hbase/hbase_region_scan.h"
#include "client/hbase/hbase_servers.h"
#include "client/hbase/meta_regions.h"
#include "client/hbase/multi_call.h"
#include "client/hbase/pending_call.h"
#include "client/nonce.h"
#include "proto/hbase/data_codec.h"
#include "proto/hbase/schema_codec.h"

namespace vaquita::client {
namespace {

constexpr size_t kMaxCallBytes = 4 << 20;  // hbase.client.max.perrequest.heapsize

class HBaseLink final : public ServerLink {
 public:
  explicit HBaseLink(std::unique_ptr<RpcClient> rpc, std::unique_ptr<Registry> registry)
      : servers_(std::move(rpc), std::move(registry)), meta_(&servers_), nonce_group_(NextNonce()) {}

  absl::Status Connect(TimePoint deadline) override { return servers_.MetaServer(deadline).status(); }
  // HBase checks the nonces of increments and appends alone.
  bool KnowsRepeatsOf(const Action& action) const override { return std::holds_alternative<Mutation>(action); }

  bool SuspendsFibers() const override { return true; }

  CallOutcome LocateRow(const TableName& table, std::string_view row, TimePoint deadline,
                        RegionLocation* location) override {
    return meta_.LocateRow(table, row, deadline, location);
  }
  CallOutcome ListRegions(const TableName& table, TimePoint deadline, std::vector<RegionLocation>* locations) override {
    return meta_.ListRegions(table, deadline, locations);
  }
  CallOutcome GetTableState(const TableName& table, TimePoint deadline, TableState* state) override {
    return meta_.GetTableState(table, deadline, state);
  }

  CallOutcome Run(const LocatedRegion& region, NumberedAction action, TimePoint deadline,
                  ActionResult* result) override;
  void RunBatches(std::span<RegionBatch> batches, TimePoint deadline) override;

  std::unique_ptr<RegionScan> OpenScan(Located region, const Scan& scan, TimePoint) override {
    return std::make_unique<HBaseRegionScan>(&servers_.rpc(), std::move(region), scan);
  }
  CallOutcome Aggregate(const LocatedRegion&, const Scan&, std::string_view, TimePoint, AggregateAnswer*) override {
    return {Error(ErrorKind::kUnsupportedOperation, "HBase's RPC has no aggregates of SQL")};
  }
  std::unique_ptr<Admin> MakeAdmin(std::shared_ptr<Cluster> cluster) override {
    return std::make_unique<HBaseAdmin>(std::move(cluster), &servers_, &meta_, nonce_group_);
  }

 private:
  CallOutcome RunGet(const LocatedRegion& region, const Get& get, TimePoint deadline, ActionResult* result);
  CallOutcome RunMutate(const LocatedRegion& region, const Mutation& mutation, uint64_t nonce,
                        const CheckAndMutate* check, TimePoint deadline, ActionResult* result);

  HBaseServers servers_;
  MetaRegions meta_;
  const uint64_t nonce_group_;  // names this client to servers, which remember its numbers
};

RpcTarget DataServiceOf(const LocatedRegion& region) { return {region.location.address, "ClientService"}; }

CallOutcome HBaseLink::Run(const LocatedRegion& region, NumberedAction action, TimePoint deadline,
                           ActionResult* result) {
  if (const auto* get = std::get_if<Get>(action.action)) return RunGet(region, *get, deadline, result);
  if (const auto* mutation = std::get_if<Mutation>(action.action)) {
    return RunMutate(region, *mutation, action.nonce, /*check=*/nullptr, deadline, result);
  }
  const auto* check = std::get_if<CheckAndMutate>(action.action);
  if (check != nullptr && check->mutations.size() == 1) {
    return RunMutate(region, check->mutations[0], action.nonce, check, deadline, result);
  }
  RegionBatch batch{.region = std::make_shared<LocatedRegion>(region), .actions = {action}};
  RunBatches({&batch, 1}, deadline);
  if (!batch.outcome.ok()) return batch.outcome;
  *result = std::move(batch.results[0]);
  return {std::exchange(result->status, absl::OkStatus())};
}

CallOutcome HBaseLink::RunGet(const LocatedRegion& region, const Get& get, TimePoint deadline, ActionResult* result) {
  pb::GetRequest request;
  EncodeRegionSpecifier(region.name, request.mutable_region());
  EncodeGet(get, request.mutable_get());
  const auto call = servers_.rpc().Start(DataServiceOf(region), "Get", request, {}, deadline);
  pb::GetResponse response;
  if (CallOutcome outcome = servers_.rpc().Finish(*call, deadline, &response); !outcome.ok()) return outcome;
  CellBlockReader cells(call->answer_cells());
  result->result.exists = response.result().exists();
  const absl::Status decoded = DecodeResult(response.result(), &cells, &result->result.cells);
  if (!result->result.cells.empty()) result->result.exists = true;
  return {decoded};
}

CallOutcome HBaseLink::RunMutate(const LocatedRegion& region, const Mutation& mutation, uint64_t nonce,
                                 const CheckAndMutate* check, TimePoint deadline, ActionResult* result) {
  pb::MutateRequest request;
  CellBlock block;
  EncodeRegionSpecifier(region.name, request.mutable_region());
  EncodeNumbered(mutation, nonce, &block, request.mutable_mutation());
  request.set_nonce_group(nonce_group_);
  if (check != nullptr) EncodeCondition(*check, request.mutable_condition());
  const auto call = servers_.rpc().Start(DataServiceOf(region), "Mutate", request, block.TakeBytes(), deadline);
  pb::MutateResponse response;
  if (CallOutcome outcome = servers_.rpc().Finish(*call, deadline, &response); !outcome.ok()) return outcome;
  CellBlockReader cells(call->answer_cells());
  result->processed = !response.has_processed() || response.processed();
  if (check != nullptr && !response.has_processed()) return {ConditionIgnored(), /*may_have_run=*/true};
  return {DecodeResult(response.result(), &cells, &result->result.cells), /*may_have_run=*/true};
}

// All regions of a server in one request, or in several if it would be too large.
void HBaseLink::RunBatches(std::span<RegionBatch> batches, TimePoint deadline) {
  struct Sent {
    RpcTarget server;
    MultiCall multi;
    std::shared_ptr<PendingCall> call;
  };
  std::deque<Sent> sent;
  std::map<RpcTarget, Sent*> open;
  for (RegionBatch& batch : batches) {
    const RpcTarget server = DataServiceOf(*batch.region);
    Sent*& request = open[server];
    if (request == nullptr || request->multi.bytes() >= kMaxCallBytes) {
      request = &sent.emplace_back(Sent{server, MultiCall(nonce_group_), nullptr});
    }
    request->multi.Add(&batch);
  }
  RpcClient& rpc = servers_.rpc();
  for (Sent& each : sent) {
    std::string cells = each.multi.TakeCells();
    each.call = rpc.Start(each.server, "Multi", each.multi.request(), std::move(cells), deadline);
  }
  for (Sent& each : sent) {
    pb::MultiResponse response;
    const CallOutcome outcome = rpc.Finish(*each.call, deadline, &response);
    if (outcome.ok()) {
      each.multi.Decode(response, each.call->answer_cells());
    } else {
      each.multi.Fail(outcome);
    }
  }
}

}  // namespace

absl::StatusOr<std::unique_ptr<ServerLink>> MakeHBaseLink(const ConnectionOptions& options) {
  const TlsContext* const tls = options.tls.get();
  const bool all = tls != nullptr && tls->options().tls;
  const bool calls = all || (tls != nullptr && tls->options().tls_client);
  auto rpc = std::make_unique<RpcClient>(calls ? options.tls : nullptr, options.user);
  VAQUITA_ASSIGN_OR_RETURN(std::unique_ptr<Registry> registry,
                           MakeRegistry(options.address, rpc.get(), all ? options.tls : nullptr));
  return std::make_unique<HBaseLink>(std::move(rpc), std::move(registry));
}

}  // namespace vaquita::client
