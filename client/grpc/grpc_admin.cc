#include "client/grpc/grpc_admin.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/absl_text.h"
#include "base/java_regex.h"
#include "base/status.h"
#include "client/admin_base.h"
#include "client/nonce.h"
#include "client/retries.h"
#include "proto/vaquita/admin_codec.h"
#include "proto/vaquita/operations_codec.h"
#include "vaquita/v1/admin.methods.h"

namespace vaquita::client {
namespace {

using Methods = v1::AdminMethods;

// Returns whether a table's name matches, as in HMaster.filterTablesByRegex: names of the default namespace match with
// it or without it.
absl::StatusOr<bool> Matches(const TableName& table, JavaRegex& pattern) {
  VAQUITA_ASSIGN_OR_RETURN(const bool short_name, pattern.IsFoundIn(table.ToString()));
  if (short_name) return true;
  return pattern.IsFoundIn(table.ns + ":" + table.qualifier);
}

v1::TableRequest TableRequestFor(const TableName& table) {
  v1::TableRequest request;
  request.set_table(table.ToString());
  return request;
}

v1::RegionRequest RegionRequestFor(std::string_view region) {
  v1::RegionRequest request;
  request.set_region(region.data(), region.size());
  return request;
}

template <typename T, typename Messages>
absl::StatusOr<std::vector<T>> Decoded(const Messages& messages) {
  std::vector<T> decoded;
  for (const auto& message : messages) VAQUITA_RETURN_IF_ERROR(FromProto(message, &decoded.emplace_back()));
  return decoded;
}

class GrpcAdmin final : public AdminBase {
 public:
  GrpcAdmin(std::shared_ptr<Cluster> cluster, GrpcChannel* channel)
      : AdminBase(std::move(cluster)), channel_(channel), nonce_group_(NextNonce()) {}

  // Tables.
  absl::StatusOr<int64_t> CreateTableAsync(const TableDescriptor& table,
                                           const std::vector<std::string>& split_keys) override {
    v1::CreateTableRequest request;
    ToProto(table, request.mutable_table());
    for (const std::string& key : split_keys) request.add_split_keys(key);
    return Start(Methods::CreateTable, request);
  }
  absl::StatusOr<Procedure> GetProcedure(int64_t id) override {
    v1::ProcedureRequest request;
    request.set_procedure_id(id);
    v1::Procedure response;
    VAQUITA_RETURN_IF_ERROR(Read({Methods::GetProcedure, request, &response}));
    Procedure procedure;
    VAQUITA_RETURN_IF_ERROR(FromProto(response, &procedure));
    return procedure;
  }
  absl::Status WaitForProcedure(int64_t id) override {
    v1::ProcedureRequest request;
    request.set_procedure_id(id);
    v1::Procedure response;
    for (Retries retries(options());;) {
      const CallOutcome outcome =
          channel_->CallMaster({Methods::WaitForProcedure, request, &response}, retries.OperationDeadline());
      if (outcome.ok() || IsItsEnd(id, outcome.status) || !retries.Again(outcome, Repeatable::kYes)) {
        return outcome.status;
      }
    }
  }
  absl::Status DeleteTable(const TableName& table) override {
    return StartAndWait(Methods::DeleteTable, TableRequestFor(table));
  }
  absl::Status TruncateTable(const TableName& table, bool preserve_splits) override {
    v1::TruncateTableRequest request;
    request.set_table(table.ToString());
    request.set_preserve_splits(preserve_splits);
    return StartAndWait(Methods::TruncateTable, request);
  }
  absl::Status EnableTable(const TableName& table) override {
    return StartAndWait(Methods::EnableTable, TableRequestFor(table));
  }
  absl::Status DisableTable(const TableName& table) override {
    return StartAndWait(Methods::DisableTable, TableRequestFor(table));
  }
  absl::Status ModifyTable(const TableDescriptor& table) override {
    v1::ModifyTableRequest request;
    ToProto(table, request.mutable_table());
    return StartAndWait(Methods::ModifyTable, request);
  }
  absl::StatusOr<TableDescriptor> GetDescriptor(const TableName& table) override {
    v1::TableDescriptor response;
    VAQUITA_RETURN_IF_ERROR(Read({Methods::GetTableDescriptor, TableRequestFor(table), &response}));
    TableDescriptor descriptor;
    VAQUITA_RETURN_IF_ERROR(FromProto(response, &descriptor));
    return descriptor;
  }
  absl::StatusOr<std::vector<TableName>> ListTableNames(std::string_view regex, bool system) override {
    VAQUITA_ASSIGN_OR_RETURN(const auto pattern, JavaRegex::CompileForNames(regex.empty() ? ".*" : regex));
    v1::ListTablesRequest request;
    request.set_system(system);
    v1::ListTablesResponse response;
    VAQUITA_RETURN_IF_ERROR(Read({Methods::ListTables, request, &response}));
    std::vector<TableName> tables;
    for (const std::string& name : response.tables()) {
      VAQUITA_ASSIGN_OR_RETURN(TableName table, TableName::Parse(name));
      VAQUITA_ASSIGN_OR_RETURN(const bool matches, Matches(table, *pattern));
      if (matches) tables.push_back(std::move(table));
    }
    std::sort(tables.begin(), tables.end());
    return tables;
  }

  // Namespaces.
  absl::Status CreateNamespace(const NamespaceDescriptor& ns) override {
    return Change(Methods::CreateNamespace, Encode(ns));
  }
  absl::Status ModifyNamespace(const NamespaceDescriptor& ns) override {
    return Change(Methods::ModifyNamespace, Encode(ns));
  }
  absl::Status DeleteNamespace(std::string_view name) override {
    return Change(Methods::DeleteNamespace, NamespaceRequestFor(name));
  }
  absl::StatusOr<std::vector<NamespaceDescriptor>> ListNamespaces() override {
    v1::ListNamespacesResponse response;
    VAQUITA_RETURN_IF_ERROR(Read({Methods::ListNamespaces, v1::ListNamespacesRequest(), &response}));
    std::vector<NamespaceDescriptor> namespaces;
    for (const v1::NamespaceDescriptor& ns : response.namespaces()) namespaces.push_back(FromProto(ns));
    return namespaces;
  }
  absl::StatusOr<NamespaceDescriptor> GetNamespace(std::string_view name) override {
    v1::NamespaceDescriptor response;
    VAQUITA_RETURN_IF_ERROR(Read({Methods::GetNamespace, NamespaceRequestFor(name), &response}));
    return FromProto(response);
  }

  // Regions.
  absl::Status Flush(const TableName& table) override {
    v1::FlushRequest request;
    request.set_table(table.ToString());
    v1::Done response;
    return Wait({Methods::Flush, request, &response});
  }
  absl::Status FlushRegion(std::string_view region) override {
    v1::FlushRequest request;
    request.set_region(region.data(), region.size());
    v1::Done response;
    return OfRegion(region, WaitOnce({Methods::Flush, request, &response}));
  }
  absl::Status CompactRegion(std::string_view region, std::string_view family, bool major) override {
    v1::CompactRequest request;
    request.set_region(region.data(), region.size());
    request.set_family(family.data(), family.size());
    request.set_major(major);
    request.set_wait(true);
    v1::Done response;
    return OfRegion(region, WaitOnce({Methods::Compact, request, &response}));
  }
  absl::StatusOr<bool> IsCompacting(const TableName& table) override {
    VAQUITA_ASSIGN_OR_RETURN(const std::vector<RegionMetrics> regions, GetRegionMetrics(table));
    return std::any_of(regions.begin(), regions.end(), [](const RegionMetrics& region) {
      return std::any_of(region.stores.begin(), region.stores.end(),
                         [](const auto& store) { return store.metrics.compacting; });
    });
  }
  absl::Status MergeRegions(const std::vector<std::string>& regions, bool forcible) override {
    v1::MergeRegionsRequest request;
    for (const std::string& region : regions) request.add_regions(region);
    request.set_forcible(forcible);
    return StartAndWait(Methods::MergeRegions, request);
  }
  absl::Status MoveRegion(std::string_view region, std::string_view server_name) override {
    v1::MoveRegionRequest request;
    request.set_region(region.data(), region.size());
    request.set_server_name(server_name.data(), server_name.size());
    v1::Done response;
    return Wait({Methods::MoveRegion, request, &response});
  }
  absl::Status AssignRegion(std::string_view region) override {
    return StartAndWait(Methods::AssignRegion, RegionRequestFor(region));
  }
  absl::Status UnassignRegion(std::string_view region) override {
    return StartAndWait(Methods::UnassignRegion, RegionRequestFor(region));
  }
  absl::Status TruncateRegion(std::string_view region) override {
    return StartAndWait(Methods::TruncateRegion, RegionRequestFor(region));
  }
  absl::StatusOr<std::vector<RegionInTransition>> ListRegionsInTransition() override {
    v1::ListRegionsInTransitionResponse response;
    VAQUITA_RETURN_IF_ERROR(Read({Methods::ListRegionsInTransition, v1::ListRegionsInTransitionRequest(), &response}));
    return Decoded<RegionInTransition>(response.regions());
  }

  // Snapshots.
  absl::Status DeleteSnapshot(std::string_view name) override {
    v1::SnapshotRequest request;
    request.set_snapshot(name.data(), name.size());
    return Change(Methods::DeleteSnapshot, request);
  }

  // The cluster.
  absl::StatusOr<ClusterStatus> GetClusterStatus() override {
    v1::ClusterStatus response;
    VAQUITA_RETURN_IF_ERROR(Read({Methods::GetClusterStatus, v1::GetClusterStatusRequest(), &response}));
    ClusterStatus status;
    VAQUITA_RETURN_IF_ERROR(FromProto(response, &status));
    return status;
  }
  absl::StatusOr<std::vector<RegionMetrics>> GetRegionMetrics(const TableName& table) override {
    v1::GetRegionMetricsResponse response;
    VAQUITA_RETURN_IF_ERROR(Read({Methods::GetRegionMetrics, TableRequestFor(table), &response}));
    return Decoded<RegionMetrics>(response.regions());
  }
  absl::Status DecommissionServers(const std::vector<std::string>& servers, bool offload) override {
    v1::DecommissionServersRequest request;
    for (const std::string& server : servers) request.add_servers(server);
    request.set_offload(offload);
    return Change(Methods::DecommissionServers, request);
  }
  absl::Status RecommissionServer(std::string_view server, const std::vector<std::string>& regions) override {
    v1::RecommissionServerRequest request;
    request.set_server(server.data(), server.size());
    for (const std::string& region : regions) request.add_regions(region);
    v1::Done response;
    return Wait({Methods::RecommissionServer, request, &response});
  }
  absl::StatusOr<std::vector<std::string>> ListDecommissionedServers() override {
    v1::ListDecommissionedServersResponse response;
    VAQUITA_RETURN_IF_ERROR(
        Read({Methods::ListDecommissionedServers, v1::ListDecommissionedServersRequest(), &response}));
    return std::vector<std::string>(response.servers().begin(), response.servers().end());
  }
  absl::StatusOr<bool> SwitchCompactions(std::string_view server, bool on) override {
    v1::SetSwitchRequest request;
    request.set_on(on);
    v1::SwitchState response;
    VAQUITA_RETURN_IF_ERROR(TellServer(server, {Methods::SwitchCompactions, request, &response}));
    return response.on();
  }
  absl::StatusOr<std::vector<SlowCall>> ListSlowCalls(std::string_view server, const SlowCallQuery& query) override {
    v1::ListSlowCallsRequest request;
    ToProto(query, &request);
    v1::ListSlowCallsResponse response;
    VAQUITA_RETURN_IF_ERROR(AskServer(server, {Methods::ListSlowCalls, request, &response}));
    std::vector<SlowCall> calls;
    for (const auto& call : response.calls()) calls.push_back(FromProto(call));
    return calls;
  }
  absl::StatusOr<bool> ClearSlowCalls(std::string_view server) override {
    v1::SwitchState response;
    VAQUITA_RETURN_IF_ERROR(TellServer(server, {Methods::ClearSlowCalls, v1::ClearSlowCallsRequest(), &response}));
    return response.on();
  }
  absl::Status RollLog(std::string_view server) override {
    v1::Done response;
    return AskServer(server, {Methods::RollLog, v1::RollLogRequest(), &response});
  }
  absl::Status StopMaster() override { return Change(Methods::StopMaster, v1::StopMasterRequest()); }
  absl::Status StopServer(std::string_view server) override {
    v1::Done response;
    return TellServer(server, {Methods::StopServer, v1::StopServerRequest(), &response});
  }
  absl::Status UpdateConfiguration(std::string_view server) override {
    v1::Done response;
    VAQUITA_ASSIGN_OR_RETURN(const ClusterStatus status, GetClusterStatus());
    if (status.master == server) {
      return Call({Methods::UpdateMasterConfiguration, v1::UpdateConfigurationRequest(), &response}, Repeatable::kYes);
    }
    return AskServer(server, {Methods::UpdateConfiguration, v1::UpdateConfigurationRequest(), &response});
  }
  absl::StatusOr<CacheEviction> ClearBlockCache(const TableName& table) override {
    VAQUITA_ASSIGN_OR_RETURN(const std::vector<RegionLocation> regions, GetRegions(table));
    std::set<std::string> servers;
    for (const RegionLocation& region : regions) {
      if (!region.server_name.empty()) servers.insert(region.server_name);
    }
    CacheEviction evicted;
    for (const std::string& server : servers) {
      v1::ClearBlockCacheResponse response;
      VAQUITA_RETURN_IF_ERROR(TellServer(server, {Methods::ClearBlockCache, v1::ClearBlockCacheRequest(), &response}));
      evicted.evicted_blocks += response.evicted_blocks();
      evicted.evicted_bytes += response.evicted_bytes();
      evicted.capacity_bytes += response.capacity_bytes();
    }
    return evicted;
  }

  // Replication peers.
  absl::Status AddReplicationPeer(const ReplicationPeer& peer) override {
    v1::ReplicationPeer request;
    ToProto(peer, &request);
    return StartAndWait(Methods::AddReplicationPeer, request);
  }
  absl::Status RemoveReplicationPeer(std::string_view id) override {
    v1::ReplicationPeerRequest request;
    request.set_id(id.data(), id.size());
    return StartAndWait(Methods::RemoveReplicationPeer, request);
  }
  absl::Status SwitchReplicationPeer(std::string_view id, bool on) override {
    v1::SwitchReplicationPeerRequest request;
    request.set_id(id.data(), id.size());
    request.set_enabled(on);
    return StartAndWait(Methods::SwitchReplicationPeer, request);
  }
  absl::Status UpdateReplicationPeer(std::string_view id, const ReplicationPeerConfig& config) override {
    v1::ReplicationPeer request;
    ToProto(ReplicationPeer{.id = std::string(id), .enabled = true, .config = config}, &request);
    return StartAndWait(Methods::UpdateReplicationPeer, request);
  }
  absl::StatusOr<std::vector<ReplicationPeer>> ListReplicationPeers() override {
    v1::ListReplicationPeersResponse response;
    VAQUITA_RETURN_IF_ERROR(Read({Methods::ListReplicationPeers, v1::ListReplicationPeersRequest(), &response}));
    std::vector<ReplicationPeer> peers;
    for (const v1::ReplicationPeer& message : response.peers()) {
      VAQUITA_ASSIGN_OR_RETURN(peers.emplace_back(), FromProto(message));
    }
    return peers;
  }

  // Users' rights.
  absl::Status Grant(const UserPermission& permission, bool merge) override {
    v1::GrantRequest request;
    ToProto(permission, request.mutable_permission());
    request.set_merge(merge);
    return Change(Methods::Grant, request);
  }
  absl::Status Revoke(const UserPermission& permission) override {
    v1::RevokeRequest request;
    ToProto(permission, request.mutable_permission());
    return Change(Methods::Revoke, request);
  }
  absl::StatusOr<std::vector<UserPermission>> ListUserPermissions(const PermissionQuery& query) override {
    v1::ListUserPermissionsRequest request;
    ToProto(UserPermission{query.user, {query.scope, query.ns, query.table, query.family, query.qualifier, {}}},
            request.mutable_query());
    v1::ListUserPermissionsResponse response;
    VAQUITA_RETURN_IF_ERROR(Read({Methods::ListUserPermissions, request, &response}));
    return Decoded<UserPermission>(response.permissions());
  }
  absl::StatusOr<bool> HasAuthorization() override {
    v1::Security response;
    VAQUITA_RETURN_IF_ERROR(Read({Methods::GetSecurity, v1::GetSecurityRequest(), &response}));
    return response.authorization();
  }

  // Quotas.
  absl::Status SetQuota(std::string_view request) override {
    v1::SetQuotaRequest message;
    message.set_request(request.data(), request.size());
    return Change(Methods::SetQuota, message);
  }
  absl::StatusOr<bool> SwitchRpcThrottle(bool on) override {
    v1::SetSwitchRequest request;
    request.set_on(on);
    return Switch(Methods::SwitchRpcThrottle, request);
  }
  absl::StatusOr<bool> IsRpcThrottleOn() override {
    return ReadSwitch(Methods::IsRpcThrottleOn, v1::IsRpcThrottleOnRequest());
  }
  absl::StatusOr<bool> SwitchExceedThrottleQuota(bool on) override {
    v1::SetSwitchRequest request;
    request.set_on(on);
    return Switch(Methods::SwitchExceedThrottleQuota, request);
  }
  absl::StatusOr<std::map<TableName, int64_t>> QuotaTableSizes() override {
    v1::ListQuotaTableSizesResponse response;
    VAQUITA_RETURN_IF_ERROR(Read({Methods::ListQuotaTableSizes, v1::ListQuotaTableSizesRequest(), &response}));
    std::map<TableName, int64_t> sizes;
    for (const auto& [name, bytes] : response.bytes()) {
      VAQUITA_ASSIGN_OR_RETURN(const TableName table, TableName::Parse(name));
      sizes[table] = bytes;
    }
    return sizes;
  }

  // Procedures, and the master's own work.
  absl::StatusOr<std::vector<Procedure>> ListProcedures() override {
    v1::ListProceduresResponse response;
    VAQUITA_RETURN_IF_ERROR(Read({Methods::ListProcedures, v1::ListProceduresRequest(), &response}));
    return Decoded<Procedure>(response.procedures());
  }
  absl::StatusOr<std::vector<LockedResource>> ListLocks() override {
    VAQUITA_ASSIGN_OR_RETURN(const std::vector<Procedure> procedures, ListProcedures());
    return LocksOf(procedures);
  }
  absl::StatusOr<bool> SetSwitch(MasterSwitch which, bool on) override {
    v1::SetMasterSwitchRequest request;
    request.set_which(ToProto(which));
    request.set_on(on);
    return Switch(Methods::SetMasterSwitch, request);
  }
  absl::StatusOr<bool> IsOn(MasterSwitch which) override {
    v1::IsMasterSwitchOnRequest request;
    request.set_which(ToProto(which));
    return ReadSwitch(Methods::IsMasterSwitchOn, request);
  }
  absl::StatusOr<BalanceAnswer> Balance(const BalanceRequest& request) override {
    v1::BalanceRequest message;
    message.set_dry_run(request.dry_run);
    message.set_ignore_regions_in_transition(request.ignore_regions_in_transition);
    v1::BalanceResponse response;
    VAQUITA_RETURN_IF_ERROR(Change({Methods::Balance, message, &response}));
    return BalanceAnswer{.ran = response.ran(),
                         .moves_calculated = response.moves_calculated(),
                         .moves_executed = response.moves_executed(),
                         .text = response.text()};
  }
  absl::StatusOr<bool> Normalize(const std::vector<TableName>& tables) override {
    v1::NormalizeRequest request;
    for (const TableName& table : tables) request.add_tables(table.ToString());
    v1::NormalizeResponse response;
    VAQUITA_RETURN_IF_ERROR(Change({Methods::Normalize, request, &response}));
    return response.ran();
  }
  absl::StatusOr<int64_t> RunCatalogJanitor() override {
    v1::RunCatalogJanitorResponse response;
    VAQUITA_RETURN_IF_ERROR(Change({Methods::RunCatalogJanitor, v1::RunCatalogJanitorRequest(), &response}));
    return response.removed();
  }
  absl::Status FlushMasterStore() override {
    v1::Done response;
    return Read({Methods::FlushMasterStore, v1::FlushMasterStoreRequest(), &response});
  }
  absl::StatusOr<std::vector<std::string>> CheckConsistency() override {
    v1::CheckConsistencyResponse response;
    VAQUITA_RETURN_IF_ERROR(Wait({Methods::CheckConsistency, v1::CheckConsistencyRequest(), &response}));
    std::vector<std::string> findings;
    for (const auto& finding : response.findings()) {
      findings.push_back(absl::StrCat(finding.kind(), ": ", finding.table(), " ", finding.region(), ": ",
                                      finding.what(), ". ", finding.advice()));
    }
    return findings;
  }
  absl::StatusOr<std::vector<BalancerDecision>> ListBalancerDecisions(int64_t limit) override {
    v1::ListBalancerDecisionsRequest request;
    request.set_limit(limit);
    v1::ListBalancerDecisionsResponse response;
    VAQUITA_RETURN_IF_ERROR(Read({Methods::ListBalancerDecisions, request, &response}));
    std::vector<BalancerDecision> decisions;
    for (const auto& decision : response.decisions()) decisions.push_back(FromProto(decision));
    return decisions;
  }
  absl::StatusOr<std::vector<BalancerRejection>> ListBalancerRejections(int64_t limit) override {
    v1::ListBalancerRejectionsRequest request;
    request.set_limit(limit);
    v1::ListBalancerRejectionsResponse response;
    VAQUITA_RETURN_IF_ERROR(Read({Methods::ListBalancerRejections, request, &response}));
    std::vector<BalancerRejection> rejections;
    for (const auto& rejection : response.rejections()) rejections.push_back(FromProto(rejection));
    return rejections;
  }

 protected:
  absl::StatusOr<int64_t> StartSplit(std::string_view region, std::string_view split_row) override {
    v1::SplitRegionRequest request;
    request.set_region(region.data(), region.size());
    request.set_split_row(split_row.data(), split_row.size());
    return Start(Methods::SplitRegion, request);
  }
  absl::Status CompactTable(const TableName& table, std::string_view family, bool major, bool wait) override {
    v1::CompactRequest request;
    request.set_table(table.ToString());
    request.set_family(family.data(), family.size());
    request.set_major(major);
    request.set_wait(wait);
    v1::Done response;
    return Wait({Methods::Compact, request, &response});
  }
  absl::Status TakeSnapshot(const SnapshotDescription& snapshot) override {
    v1::SnapshotDescription request;
    ToProto(snapshot, &request);
    return StartAndWait(Methods::Snapshot, request);
  }
  absl::StatusOr<std::vector<SnapshotDescription>> ReadSnapshots() override {
    v1::ListSnapshotsResponse response;
    VAQUITA_RETURN_IF_ERROR(Read({Methods::ListSnapshots, v1::ListSnapshotsRequest(), &response}));
    return Decoded<SnapshotDescription>(response.snapshots());
  }
  absl::StatusOr<int64_t> StartRestoration(std::string_view snapshot, const TableName& to,
                                           std::string_view tracker) override {
    v1::RestoreSnapshotRequest request;
    request.set_snapshot(snapshot.data(), snapshot.size());
    request.set_table(to.ToString());
    request.set_store_file_tracker(tracker.data(), tracker.size());
    return Start(Methods::RestoreSnapshot, request);
  }

 private:
  // Returns whether a procedure has ended with this error of a wait for it. Such an error may be of a kind that passes,
  // but it stays the outcome.
  bool IsItsEnd(int64_t id, const absl::Status& error) {
    ErrorKind kind;
    if (!GetErrorKind(error, &kind)) return false;  // nobody answered
    const absl::StatusOr<Procedure> procedure = GetProcedure(id);
    return procedure.ok() && procedure->state == Procedure::State::kFailed;
  }

  // Calls a live server, which need not have the master. If the answer is lost, AskServer asks again; TellServer does
  // not, as Change does not.
  absl::Status AskServer(std::string_view server, const GrpcExchange& exchange) {
    return CallServer(server, Repeatable::kYes, exchange);
  }
  absl::Status TellServer(std::string_view server, const GrpcExchange& exchange) {
    return CallServer(server, Repeatable::kOnlyIfNotRun, exchange);
  }
  absl::Status CallServer(std::string_view server, Repeatable repeatable, const GrpcExchange& exchange) {
    VAQUITA_ASSIGN_OR_RETURN(const std::string address, AddressOf(server));
    GrpcChannel to_server(address, GrpcChannel::IfDown::kGiveUp, options());
    return Repeat(repeatable, [&](TimePoint deadline) { return to_server.Call(exchange, deadline); });
  }
  // Returns the gRPC address of a live server.
  absl::StatusOr<std::string> AddressOf(std::string_view server) {
    VAQUITA_ASSIGN_OR_RETURN(const ClusterStatus status, GetClusterStatus());
    for (const ServerMetrics& each : status.servers) {
      if (each.server_name == server) return each.grpc_address;
    }
    return Error(ErrorKind::kIllegalArgument, absl::StrCat("there is no live server ", AbslText(server)));
  }

  // A call that is answered at once, repeated as the policy has it.
  absl::Status Call(const GrpcExchange& exchange, Repeatable repeatable, const GrpcChannel::Nonce& nonce = {}) {
    return Repeat(repeatable, [&](TimePoint deadline) { return channel_->CallMaster(exchange, deadline, nonce); });
  }
  absl::Status Read(const GrpcExchange& exchange) { return Call(exchange, Repeatable::kYes); }
  // A change that would do something else the second time, or have another answer.
  absl::Status Change(const GrpcExchange& exchange) { return Call(exchange, Repeatable::kOnlyIfNotRun); }
  template <typename Request>
  absl::Status Change(GrpcMethod<Request, v1::Done> method, const Request& request) {
    v1::Done response;
    return Change({method, request, &response});
  }
  // Starts a procedure, once however often it is asked to: the server knows the request by its nonce.
  template <typename Request>
  absl::StatusOr<int64_t> Start(GrpcMethod<Request, v1::ProcedureStarted> method, const Request& request) {
    v1::ProcedureStarted response;
    VAQUITA_RETURN_IF_ERROR(
        Call({method, request, &response}, Repeatable::kYes, {.group = nonce_group_, .value = NextNonce()}));
    return response.procedure_id();
  }
  template <typename Request>
  absl::Status StartAndWait(GrpcMethod<Request, v1::ProcedureStarted> method, const Request& request) {
    VAQUITA_ASSIGN_OR_RETURN(const int64_t id, Start(method, request));
    return WaitForProcedure(id);
  }
  template <typename Request>
  absl::StatusOr<bool> ReadSwitch(GrpcMethod<Request, v1::SwitchState> method, const Request& request) {
    v1::SwitchState response;
    VAQUITA_RETURN_IF_ERROR(Read({method, request, &response}));
    return response.on();
  }
  // Returns the state before.
  template <typename Request>
  absl::StatusOr<bool> Switch(GrpcMethod<Request, v1::SwitchState> method, const Request& request) {
    v1::SwitchState response;
    VAQUITA_RETURN_IF_ERROR(Change({method, request, &response}));
    return response.on();
  }

  // A call whose answer may take as long as the whole operation: the server answers when the work is done.
  absl::Status Wait(const GrpcExchange& exchange) {
    for (Retries retries(options());;) {
      const CallOutcome outcome = channel_->CallMaster(exchange, retries.OperationDeadline());
      if (outcome.ok() || !retries.Again(outcome, Repeatable::kYes)) return outcome.status;
    }
  }
  absl::Status WaitOnce(const GrpcExchange& exchange) {
    return channel_->CallMaster(exchange, Retries(options()).OperationDeadline()).status;
  }
  // The caller names this region: if it does not exist, trying again will not bring it back.
  static absl::Status OfRegion(std::string_view region, const absl::Status& status) {
    if (!IsError(status, ErrorKind::kNotServingRegion)) return status;
    return Error(ErrorKind::kUnknownRegion, ToStringBinary(region));
  }

  static v1::NamespaceDescriptor Encode(const NamespaceDescriptor& ns) {
    v1::NamespaceDescriptor message;
    ToProto(ns, &message);
    return message;
  }
  static v1::NamespaceRequest NamespaceRequestFor(std::string_view name) {
    v1::NamespaceRequest request;
    request.set_name(name.data(), name.size());
    return request;
  }

  GrpcChannel* const channel_;
  const uint64_t nonce_group_;
};

}  // namespace

std::unique_ptr<Admin> MakeGrpcAdmin(std::shared_ptr<Cluster> cluster, GrpcChannel* channel) {
  return std::make_unique<GrpcAdmin>(std::move(cluster), channel);
}

}  // namespace vaquita::client
