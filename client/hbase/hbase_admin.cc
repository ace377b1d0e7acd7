#include "client/hbase/hbase_admin.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "client/admin_base.h"
#include "client/nonce.h"
#include "hbase/Admin.pb.h"
#include "hbase/Master.pb.h"
#include "hbase/Quota.pb.h"
#include "hbase/Replication.pb.h"
#include "model/server_name.h"
#include "model/split_algorithm.h"
#include "proto/hbase/cluster_codec.h"
#include "proto/hbase/log_codec.h"
#include "proto/hbase/replication_codec.h"
#include "proto/hbase/schema_codec.h"
#include "proto/hbase/snapshot_codec.h"
#include "proto/hbase/status_codec.h"

namespace vaquita::client {
namespace {

using std::chrono::milliseconds;

// Paces the polling of a procedure or a compaction: fast at first, for quick ones.
class Polling {
 public:
  void Pause() {
    std::this_thread::sleep_for(pause_);
    pause_ = std::min(2 * pause_, kLongest);
  }

 private:
  static constexpr milliseconds kLongest{100};
  milliseconds pause_{1};
};

void Specify(std::string_view name, pb::RegionSpecifier* out) {
  const bool full = name.find(',') != name.npos;
  out->set_type(full ? pb::RegionSpecifier::REGION_NAME : pb::RegionSpecifier::ENCODED_REGION_NAME);
  out->set_value(name.data(), name.size());
}

class HBaseAdmin final : public AdminBase {
 public:
  HBaseAdmin(std::shared_ptr<Cluster> cluster, HBaseServers* servers, MetaRegions* meta, uint64_t nonce_group)
      : AdminBase(std::move(cluster)), servers_(servers), meta_(meta), nonce_group_(nonce_group) {}

  // Tables.
  absl::StatusOr<int64_t> CreateTableAsync(const TableDescriptor& table,
                                           const std::vector<std::string>& split_keys) override {
    // HBase's master leaves this to its clients: it would wait for such a table's regions for ever.
    VAQUITA_ASSIGN_OR_RETURN(const std::vector<std::string> sorted_keys, CheckSplitKeys(split_keys));
    pb::CreateTableRequest request;
    EncodeTable(table, request.mutable_table_schema());
    for (const std::string& key : sorted_keys) request.add_split_keys(key);
    return Start<pb::CreateTableResponse>("CreateTable", &request);
  }
  absl::StatusOr<Procedure> GetProcedure(int64_t id) override;
  absl::Status WaitForProcedure(int64_t id) override;
  absl::Status DeleteTable(const TableName& table) override {
    pb::DeleteTableRequest request;
    EncodeTableName(table, request.mutable_table_name());
    return StartAndWait<pb::DeleteTableResponse>("DeleteTable", &request);
  }
  absl::Status TruncateTable(const TableName& table, bool preserve_splits) override {
    pb::TruncateTableRequest request;
    EncodeTableName(table, request.mutable_tablename());
    request.set_preservesplits(preserve_splits);
    return StartAndWait<pb::TruncateTableResponse>("truncateTable", &request);
  }
  absl::Status EnableTable(const TableName& table) override {
    pb::EnableTableRequest request;
    EncodeTableName(table, request.mutable_table_name());
    return StartAndWait<pb::EnableTableResponse>("EnableTable", &request);
  }
  absl::Status DisableTable(const TableName& table) override {
    pb::DisableTableRequest request;
    EncodeTableName(table, request.mutable_table_name());
    return StartAndWait<pb::DisableTableResponse>("DisableTable", &request);
  }
  absl::Status ModifyTable(const TableDescriptor& table) override {
    pb::ModifyTableRequest request;
    EncodeTableName(table.name, request.mutable_table_name());
    EncodeTable(table, request.mutable_table_schema());
    return StartAndWait<pb::ModifyTableResponse>("ModifyTable", &request);
  }
  absl::StatusOr<TableDescriptor> GetDescriptor(const TableName& table) override {
    pb::GetTableDescriptorsRequest request;
    EncodeTableName(table, request.add_table_names());
    pb::GetTableDescriptorsResponse response;
    VAQUITA_RETURN_IF_ERROR(AskMaster("GetTableDescriptors", request, &response));
    if (response.table_schema_size() == 0) return Error(ErrorKind::kTableNotFound, table.ToString());
    return DecodeTable(response.table_schema(0));
  }
  absl::StatusOr<std::vector<TableName>> ListTableNames(std::string_view regex, bool system) override;

  // Namespaces.
  absl::Status CreateNamespace(const NamespaceDescriptor& ns) override {
    pb::CreateNamespaceRequest request;
    EncodeNamespace(ns, request.mutable_namespacedescriptor());
    return StartAndWait<pb::CreateNamespaceResponse>("CreateNamespace", &request);
  }
  absl::Status ModifyNamespace(const NamespaceDescriptor& ns) override {
    pb::ModifyNamespaceRequest request;
    EncodeNamespace(ns, request.mutable_namespacedescriptor());
    return StartAndWait<pb::ModifyNamespaceResponse>("ModifyNamespace", &request);
  }
  absl::Status DeleteNamespace(std::string_view name) override {
    pb::DeleteNamespaceRequest request;
    request.set_namespacename(name.data(), name.size());
    return StartAndWait<pb::DeleteNamespaceResponse>("DeleteNamespace", &request);
  }
  absl::StatusOr<std::vector<NamespaceDescriptor>> ListNamespaces() override {
    pb::ListNamespaceDescriptorsResponse response;
    VAQUITA_RETURN_IF_ERROR(AskMaster("ListNamespaceDescriptors", pb::ListNamespaceDescriptorsRequest(), &response));
    std::vector<NamespaceDescriptor> namespaces;
    for (const pb::NamespaceDescriptor& ns : response.namespacedescriptor()) namespaces.push_back(DecodeNamespace(ns));
    return namespaces;
  }
  absl::StatusOr<NamespaceDescriptor> GetNamespace(std::string_view name) override {
    pb::GetNamespaceDescriptorRequest request;
    request.set_namespacename(name.data(), name.size());
    pb::GetNamespaceDescriptorResponse response;
    VAQUITA_RETURN_IF_ERROR(AskMaster("GetNamespaceDescriptor", request, &response));
    return DecodeNamespace(response.namespacedescriptor());
  }

  // Regions.
  absl::Status Flush(const TableName& table) override;
  absl::Status FlushRegion(std::string_view region) override {
    VAQUITA_ASSIGN_OR_RETURN(const RegionLocation location, FindRegion(region));
    return Flush(location);
  }
  absl::Status CompactRegion(std::string_view region, std::string_view family, bool major) override {
    VAQUITA_ASSIGN_OR_RETURN(const RegionLocation location, FindRegion(region));
    VAQUITA_RETURN_IF_ERROR(StartCompaction(location, family, major));
    return WaitForCompactions({location});
  }
  absl::StatusOr<bool> IsCompacting(const TableName& table) override {
    VAQUITA_ASSIGN_OR_RETURN(const std::vector<RegionLocation> regions, GetRegions(table));
    for (const RegionLocation& region : regions) {
      VAQUITA_ASSIGN_OR_RETURN(const bool compacting, IsCompacting(region));
      if (compacting) return true;
    }
    return false;
  }
  absl::Status MergeRegions(const std::vector<std::string>& regions, bool forcible) override {
    pb::MergeTableRegionsRequest request;
    for (const std::string& region : regions) Specify(region, request.add_region());
    request.set_forcible(forcible);
    return StartAndWait<pb::MergeTableRegionsResponse>("MergeTableRegions", &request);
  }
  absl::Status MoveRegion(std::string_view region, std::string_view server_name) override {
    pb::MoveRegionRequest request;
    Specify(region, request.mutable_region());
    if (!server_name.empty()) EncodeServerName(server_name, request.mutable_dest_server_name());
    pb::MoveRegionResponse response;
    return AskMaster("MoveRegion", request, &response);
  }

  absl::Status AssignRegion(std::string_view region) override {
    pb::AssignRegionRequest request;
    Specify(region, request.mutable_region());
    pb::AssignRegionResponse response;
    return AskMaster("AssignRegion", request, &response);
  }
  absl::Status UnassignRegion(std::string_view region) override {
    pb::UnassignRegionRequest request;
    Specify(region, request.mutable_region());
    pb::UnassignRegionResponse response;
    return AskMaster("UnassignRegion", request, &response);
  }
  absl::Status TruncateRegion(std::string_view region) override {
    VAQUITA_ASSIGN_OR_RETURN(const RegionLocation location, FindRegion(region));
    pb::TruncateRegionRequest request;
    EncodeRegionInfo(location.info, request.mutable_region_info());
    return StartAndWait<pb::TruncateRegionResponse>("TruncateRegion", &request);
  }
  absl::StatusOr<std::vector<RegionInTransition>> ListRegionsInTransition() override {
    pb::GetClusterStatusRequest request;
    request.add_options(pb::REGIONS_IN_TRANSITION);
    pb::GetClusterStatusResponse response;
    VAQUITA_RETURN_IF_ERROR(AskMaster("GetClusterStatus", request, &response));
    return DecodeRegionsInTransition(response.cluster_status());
  }

  // Snapshots.
  absl::Status DeleteSnapshot(std::string_view name) override {
    pb::DeleteSnapshotRequest request;
    request.mutable_snapshot()->set_name(name.data(), name.size());
    pb::DeleteSnapshotResponse response;
    return AskMaster("DeleteSnapshot", request, &response);
  }

  // The cluster.
  absl::StatusOr<ClusterStatus> GetClusterStatus() override {
    pb::GetClusterStatusResponse response;
    VAQUITA_RETURN_IF_ERROR(AskMaster("GetClusterStatus", pb::GetClusterStatusRequest(), &response));
    return DecodeClusterStatus(response.cluster_status());
  }
  absl::StatusOr<std::vector<RegionMetrics>> GetRegionMetrics(const TableName& table) override;
  absl::Status DecommissionServers(const std::vector<std::string>& servers, bool offload) override {
    pb::DecommissionRegionServersRequest request;
    for (const std::string& server : servers) EncodeServerName(server, request.add_server_name());
    request.set_offload(offload);
    pb::DecommissionRegionServersResponse response;
    return AskMaster("DecommissionRegionServers", request, &response);
  }
  absl::Status RecommissionServer(std::string_view server, const std::vector<std::string>& regions) override {
    pb::RecommissionRegionServerRequest request;
    EncodeServerName(server, request.mutable_server_name());
    for (const std::string& region : regions) Specify(region, request.add_region());
    pb::RecommissionRegionServerResponse response;
    return AskMaster("RecommissionRegionServer", request, &response);
  }
  absl::StatusOr<std::vector<std::string>> ListDecommissionedServers() override {
    pb::ListDecommissionedRegionServersResponse response;
    VAQUITA_RETURN_IF_ERROR(
        AskMaster("ListDecommissionedRegionServers", pb::ListDecommissionedRegionServersRequest(), &response));
    std::vector<std::string> servers;
    for (const pb::ServerName& server : response.server_name()) servers.push_back(DecodeServerName(server));
    return servers;
  }
  absl::StatusOr<bool> SwitchCompactions(std::string_view server, bool on) override {
    VAQUITA_ASSIGN_OR_RETURN(const ServerName name, ServerName::Parse(server));
    pb::CompactionSwitchRequest request;
    request.set_enabled(on);
    pb::CompactionSwitchResponse response;
    VAQUITA_RETURN_IF_ERROR(AskServer(name.Address(), "CompactionSwitch", request, &response));
    return response.prev_state();
  }
  absl::StatusOr<std::vector<SlowCall>> ListSlowCalls(std::string_view server, const SlowCallQuery& query) override;
  absl::StatusOr<bool> ClearSlowCalls(std::string_view server) override {
    VAQUITA_ASSIGN_OR_RETURN(const ServerName name, ServerName::Parse(server));
    pb::ClearSlowLogResponses response;
    VAQUITA_RETURN_IF_ERROR(
        AskServer(name.Address(), "ClearSlowLogsResponses", pb::ClearSlowLogResponseRequest(), &response));
    return response.is_cleaned();
  }
  absl::Status RollLog(std::string_view server) override {
    VAQUITA_ASSIGN_OR_RETURN(const ServerName name, ServerName::Parse(server));
    pb::RollWALWriterResponse response;
    return AskServer(name.Address(), "RollWALWriter", pb::RollWALWriterRequest(), &response);
  }
  absl::Status StopMaster() override {
    pb::StopMasterResponse response;
    return AskMaster("StopMaster", pb::StopMasterRequest(), &response);
  }
  absl::Status StopServer(std::string_view server) override {
    VAQUITA_ASSIGN_OR_RETURN(const ServerName name, ServerName::Parse(server));
    pb::StopServerRequest request;
    request.set_reason("asked by a client");
    pb::StopServerResponse response;
    return AskServer(name.Address(), "StopServer", request, &response);
  }
  absl::Status UpdateConfiguration(std::string_view server) override {
    VAQUITA_ASSIGN_OR_RETURN(const ServerName name, ServerName::Parse(server));
    pb::UpdateConfigurationResponse response;
    return AskServer(name.Address(), "UpdateConfiguration", pb::UpdateConfigurationRequest(), &response);
  }
  absl::StatusOr<CacheEviction> ClearBlockCache(const TableName& table) override;
  absl::Status FlushMasterStore() override {
    pb::FlushMasterStoreResponse response;
    return AskMaster("FlushMasterStore", pb::FlushMasterStoreRequest(), &response);
  }
  absl::StatusOr<std::vector<std::string>> CheckConsistency() override {
    return Error(ErrorKind::kUnsupportedOperation, "HBase's RPC does not carry the findings of a check");
  }
  absl::StatusOr<std::vector<BalancerDecision>> ListBalancerDecisions(int64_t limit) override;
  absl::StatusOr<std::vector<BalancerRejection>> ListBalancerRejections(int64_t limit) override;

  // Replication peers.
  absl::Status AddReplicationPeer(const ReplicationPeer& peer) override;
  absl::Status RemoveReplicationPeer(std::string_view id) override {
    pb::RemoveReplicationPeerRequest request;
    request.set_peer_id(id.data(), id.size());
    return ChangePeers<pb::RemoveReplicationPeerResponse>("RemoveReplicationPeer", request);
  }
  absl::Status SwitchReplicationPeer(std::string_view id, bool on) override;
  absl::Status UpdateReplicationPeer(std::string_view id, const ReplicationPeerConfig& config) override {
    pb::UpdateReplicationPeerConfigRequest request;
    request.set_peer_id(id.data(), id.size());
    EncodePeerConfig(config, request.mutable_peer_config());
    return ChangePeers<pb::UpdateReplicationPeerConfigResponse>("UpdateReplicationPeerConfig", request);
  }
  absl::StatusOr<std::vector<ReplicationPeer>> ListReplicationPeers() override;

  // Quotas.
  absl::Status SetQuota(std::string_view request) override;
  absl::StatusOr<bool> SwitchRpcThrottle(bool on) override {
    pb::SwitchRpcThrottleRequest request;
    request.set_rpc_throttle_enabled(on);
    pb::SwitchRpcThrottleResponse response;
    VAQUITA_RETURN_IF_ERROR(AskMaster("SwitchRpcThrottle", request, &response));
    return response.previous_rpc_throttle_enabled();
  }
  absl::StatusOr<bool> IsRpcThrottleOn() override {
    pb::IsRpcThrottleEnabledResponse response;
    VAQUITA_RETURN_IF_ERROR(AskMaster("IsRpcThrottleEnabled", pb::IsRpcThrottleEnabledRequest(), &response));
    return response.rpc_throttle_enabled();
  }
  absl::StatusOr<bool> SwitchExceedThrottleQuota(bool on) override {
    pb::SwitchExceedThrottleQuotaRequest request;
    request.set_exceed_throttle_quota_enabled(on);
    pb::SwitchExceedThrottleQuotaResponse response;
    VAQUITA_RETURN_IF_ERROR(AskMaster("SwitchExceedThrottleQuota", request, &response));
    return response.previous_exceed_throttle_quota_enabled();
  }
  absl::StatusOr<std::map<TableName, int64_t>> QuotaTableSizes() override;

  absl::StatusOr<std::vector<Procedure>> ListProcedures() override;
  absl::StatusOr<std::vector<LockedResource>> ListLocks() override;
  absl::StatusOr<bool> SetSwitch(MasterSwitch which, bool on) override;
  absl::StatusOr<bool> IsOn(MasterSwitch which) override;
  absl::StatusOr<BalanceAnswer> Balance(const BalanceRequest& request) override {
    pb::BalanceRequest message;
    message.set_dry_run(request.dry_run);
    message.set_ignore_rit(request.ignore_regions_in_transition);
    pb::BalanceResponse response;
    VAQUITA_RETURN_IF_ERROR(AskMaster("Balance", message, &response));
    return BalanceAnswer{.ran = response.balancer_ran(),
                         .moves_calculated = response.moves_calculated(),
                         .moves_executed = response.moves_executed()};
  }
  absl::StatusOr<bool> Normalize(const std::vector<TableName>& tables) override {
    pb::NormalizeRequest request;
    for (const TableName& table : tables) EncodeTableName(table, request.add_table_names());
    pb::NormalizeResponse response;
    VAQUITA_RETURN_IF_ERROR(AskMaster("Normalize", request, &response));
    return response.normalizer_ran();
  }
  absl::StatusOr<int64_t> RunCatalogJanitor() override {
    pb::RunCatalogScanResponse response;
    VAQUITA_RETURN_IF_ERROR(AskMaster("RunCatalogScan", pb::RunCatalogScanRequest(), &response));
    return response.scan_result();
  }

 protected:
  absl::StatusOr<int64_t> StartSplit(std::string_view region, std::string_view split_row) override {
    VAQUITA_ASSIGN_OR_RETURN(const RegionLocation location, FindRegion(region));
    pb::SplitTableRegionRequest request;
    EncodeRegionInfo(location.info, request.mutable_region_info());
    if (!split_row.empty()) request.set_split_row(split_row.data(), split_row.size());
    return Start<pb::SplitTableRegionResponse>("SplitRegion", &request);
  }
  absl::Status CompactTable(const TableName& table, std::string_view family, bool major, bool wait) override;
  absl::Status TakeSnapshot(const SnapshotDescription& snapshot) override;
  absl::StatusOr<std::vector<SnapshotDescription>> ReadSnapshots() override;
  absl::StatusOr<int64_t> StartRestoration(std::string_view snapshot, const TableName& to,
                                           std::string_view tracker) override {
    pb::RestoreSnapshotRequest request;
    request.mutable_snapshot()->set_name(snapshot.data(), snapshot.size());
    request.mutable_snapshot()->set_table(to.ToString());
    if (!tracker.empty()) request.set_customsft(tracker.data(), tracker.size());
    return Start<pb::RestoreSnapshotResponse>("RestoreSnapshot", &request);
  }

 private:
  // A call to the master that may be made more than once.
  template <typename Request, typename Response>
  absl::Status AskMaster(std::string_view method, const Request& request, Response* response) {
    return Repeat(Repeatable::kYes,
                  [&](TimePoint deadline) { return servers_->CallMaster(method, request, deadline, response); });
  }
  // Calls a region's server; the call may be made more than once.
  template <typename Request, typename Response>
  absl::Status AskServer(const std::string& address, std::string_view method, const Request& request,
                         Response* response) {
    return Repeat(Repeatable::kYes, [&](TimePoint deadline) {
      return servers_->rpc().Call({address, "AdminService"}, method, request, deadline, response);
    });
  }
  // Asks a server, or the master (`server` empty), for a log that it keeps in memory; `type` names the request's class
  // of AdminProtos or MasterProtos.
  template <typename Request, typename Response>
  absl::Status AskLog(const std::string& server, std::string_view type, const Request& request, Response* response) {
    pb::LogRequest wrapped;
    wrapped.set_log_class_name(absl::StrCat("org.apache.hadoop.hbase.shaded.protobuf.generated.", std::string(type)));
    wrapped.set_log_message(request.SerializeAsString());
    pb::LogEntry entry;
    VAQUITA_RETURN_IF_ERROR(server.empty() ? AskMaster("GetLogEntries", wrapped, &entry)
                                           : AskServer(server, "GetLogEntries", wrapped, &entry));
    if (ParseMessage(entry.log_message(), response)) return absl::OkStatus();
    return Error(ErrorKind::kDeserialization, "the answer " + entry.log_class_name() + " cannot be read");
  }
  // Starts a change of the replication peers, which has no nonce in HBase, and waits for it.
  template <typename Response, typename Request>
  absl::Status ChangePeers(std::string_view method, const Request& request) {
    Response response;
    VAQUITA_RETURN_IF_ERROR(AskMaster(method, request, &response));
    return WaitForProcedure(static_cast<int64_t>(response.proc_id()));
  }
  // Starts a procedure, once: the number is the same in every attempt.
  template <typename Response, typename Request>
  absl::StatusOr<int64_t> Start(std::string_view method, Request* request) {
    request->set_nonce_group(nonce_group_);
    request->set_nonce(NextNonce());
    Response response;
    VAQUITA_RETURN_IF_ERROR(AskMaster(method, *request, &response));
    return static_cast<int64_t>(response.proc_id());
  }
  template <typename Response, typename Request>
  absl::Status StartAndWait(std::string_view method, Request* request) {
    VAQUITA_ASSIGN_OR_RETURN(const int64_t id, Start<Response>(method, request));
    return WaitForProcedure(id);
  }

  // Returns the one flag of the answer, whose field is "enabled" or "value".
  template <typename Response, typename Request>
  absl::StatusOr<bool> AskFlag(std::string_view method, const Request& request) {
    Response response;
    VAQUITA_RETURN_IF_ERROR(AskMaster(method, request, &response));
    if constexpr (requires { response.value(); }) {
      return response.value();
    } else {
      return response.enabled();
    }
  }

  absl::StatusOr<RegionLocation> FindRegion(std::string_view name);
  absl::Status Flush(const RegionLocation& region);
  absl::Status StartCompaction(const RegionLocation& region, std::string_view family, bool major);
  absl::StatusOr<bool> IsCompacting(const RegionLocation& region);
  absl::Status WaitForCompactions(const std::vector<RegionLocation>& regions);
  absl::Status WaitForSnapshot(const pb::SnapshotDescription& snapshot);
  TimePoint OperationDeadline() const {
    return std::chrono::system_clock::now() + milliseconds(options().operation_timeout_ms);
  }

  HBaseServers* const servers_;
  MetaRegions* const meta_;
  const uint64_t nonce_group_;
};

// --- Procedures.

absl::StatusOr<Procedure> HBaseAdmin::GetProcedure(int64_t id) {
  pb::GetProcedureResultRequest request;
  request.set_proc_id(static_cast<uint64_t>(id));
  pb::GetProcedureResultResponse response;
  VAQUITA_RETURN_IF_ERROR(AskMaster("getProcedureResult", request, &response));
  if (response.state() == pb::GetProcedureResultResponse::NOT_FOUND) {
    return absl::NotFoundError(absl::StrCat("unknown procedure ", id));
  }
  Procedure procedure;
  procedure.id = id;
  procedure.submitted_ms = static_cast<int64_t>(response.submitted_time());
  procedure.updated_ms = static_cast<int64_t>(response.last_update());
  if (response.state() != pb::GetProcedureResultResponse::FINISHED) return procedure;
  procedure.state = Procedure::State::kDone;
  if (!response.has_exception()) return procedure;
  const absl::Status error = DecodeStatus(response.exception());
  procedure.state = Procedure::State::kFailed;
  procedure.exception_class = ExceptionClass(error);
  procedure.error = std::string(error.message());
  return procedure;
}

// A procedure that is unknown, or forgotten, counts as done, as in HBase's clients.
absl::Status HBaseAdmin::WaitForProcedure(int64_t id) {
  pb::GetProcedureResultRequest request;
  request.set_proc_id(static_cast<uint64_t>(id));
  const TimePoint deadline = OperationDeadline();
  for (Polling polling;; polling.Pause()) {
    pb::GetProcedureResultResponse response;
    VAQUITA_RETURN_IF_ERROR(AskMaster("getProcedureResult", request, &response));
    if (response.has_exception()) return DecodeStatus(response.exception());
    if (response.state() != pb::GetProcedureResultResponse::RUNNING) return absl::OkStatus();
    if (std::chrono::system_clock::now() >= deadline) {
      return absl::DeadlineExceededError(absl::StrCat("procedure ", id, " is still running"));
    }
  }
}

absl::StatusOr<std::vector<Procedure>> HBaseAdmin::ListProcedures() {
  pb::GetProceduresResponse response;
  VAQUITA_RETURN_IF_ERROR(AskMaster("GetProcedures", pb::GetProceduresRequest(), &response));
  std::vector<Procedure> procedures;
  for (const pb::Procedure& message : response.procedure()) {
    Procedure& procedure = procedures.emplace_back();
    procedure.id = static_cast<int64_t>(message.proc_id());
    procedure.description = message.class_name().substr(message.class_name().rfind('.') + 1);
    procedure.submitted_ms = static_cast<int64_t>(message.submitted_time());
    procedure.updated_ms = static_cast<int64_t>(message.last_update());
    procedure.locked = message.locked();
    if (message.has_exception()) {
      const absl::Status error = DecodeStatus(message.exception());
      procedure.state = Procedure::State::kFailed;
      procedure.exception_class = ExceptionClass(error);
      procedure.error = std::string(error.message());
    } else if (message.state() == pb::SUCCESS) {
      procedure.state = Procedure::State::kDone;
    }
  }
  return procedures;
}

absl::StatusOr<std::vector<LockedResource>> HBaseAdmin::ListLocks() {
  pb::GetLocksResponse response;
  VAQUITA_RETURN_IF_ERROR(AskMaster("GetLocks", pb::GetLocksRequest(), &response));
  std::vector<LockedResource> locks;
  for (const pb::LockedResource& message : response.lock()) {
    LockedResource& lock = locks.emplace_back();
    lock.type = static_cast<LockedResource::Type>(message.resource_type() - pb::SERVER);
    lock.name = message.resource_name();
    lock.exclusive = message.lock_type() == pb::EXCLUSIVE;
    lock.owner = static_cast<int64_t>(message.exclusive_lock_owner_procedure().proc_id());
    lock.shared_count = message.shared_lock_count();
    for (const pb::Procedure& waiting : message.waitingprocedures()) {
      lock.waiting.push_back(static_cast<int64_t>(waiting.proc_id()));
    }
  }
  return locks;
}

// --- Switches. HBase has a call for each.

absl::StatusOr<bool> HBaseAdmin::SetSwitch(MasterSwitch which, bool on) {
  switch (which) {
    case MasterSwitch::kSplit:
    case MasterSwitch::kMerge: {
      pb::SetSplitOrMergeEnabledRequest request;
      request.set_enabled(on);
      request.set_synchronous(true);
      request.add_switch_types(which == MasterSwitch::kSplit ? pb::SPLIT : pb::MERGE);
      pb::SetSplitOrMergeEnabledResponse response;
      VAQUITA_RETURN_IF_ERROR(AskMaster("SetSplitOrMergeEnabled", request, &response));
      return response.prev_value_size() > 0 && response.prev_value(0);
    }
    case MasterSwitch::kBalancer: {
      pb::SetBalancerRunningRequest request;
      request.set_on(on);
      request.set_synchronous(true);
      pb::SetBalancerRunningResponse response;
      VAQUITA_RETURN_IF_ERROR(AskMaster("SetBalancerRunning", request, &response));
      return response.prev_balance_value();
    }
    case MasterSwitch::kNormalizer: {
      pb::SetNormalizerRunningRequest request;
      request.set_on(on);
      pb::SetNormalizerRunningResponse response;
      VAQUITA_RETURN_IF_ERROR(AskMaster("SetNormalizerRunning", request, &response));
      return response.prev_normalizer_value();
    }
    case MasterSwitch::kCatalogJanitor: {
      pb::EnableCatalogJanitorRequest request;
      request.set_enable(on);
      pb::EnableCatalogJanitorResponse response;
      VAQUITA_RETURN_IF_ERROR(AskMaster("EnableCatalogJanitor", request, &response));
      return response.prev_value();
    }
    case MasterSwitch::kCleaner: {
      pb::SetCleanerChoreRunningRequest request;
      request.set_on(on);
      pb::SetCleanerChoreRunningResponse response;
      VAQUITA_RETURN_IF_ERROR(AskMaster("SetCleanerChoreRunning", request, &response));
      return response.prev_value();
    }
    case MasterSwitch::kSnapshotCleanup: {
      pb::SetSnapshotCleanupRequest request;
      request.set_enabled(on);
      request.set_synchronous(true);
      pb::SetSnapshotCleanupResponse response;
      VAQUITA_RETURN_IF_ERROR(AskMaster("SwitchSnapshotCleanup", request, &response));
      return response.prev_snapshot_cleanup();
    }
    case MasterSwitch::kPeerModification: {
      pb::ReplicationPeerModificationSwitchRequest request;
      request.set_on(on);
      pb::ReplicationPeerModificationSwitchResponse response;
      VAQUITA_RETURN_IF_ERROR(AskMaster("ReplicationPeerModificationSwitch", request, &response));
      return response.previous_value();
    }
  }
  return absl::InvalidArgumentError("an unknown switch");
}

absl::StatusOr<bool> HBaseAdmin::IsOn(MasterSwitch which) {
  switch (which) {
    case MasterSwitch::kSplit:
    case MasterSwitch::kMerge: {
      pb::IsSplitOrMergeEnabledRequest request;
      request.set_switch_type(which == MasterSwitch::kSplit ? pb::SPLIT : pb::MERGE);
      pb::IsSplitOrMergeEnabledResponse response;
      VAQUITA_RETURN_IF_ERROR(AskMaster("IsSplitOrMergeEnabled", request, &response));
      return response.enabled();
    }
    case MasterSwitch::kBalancer:
      return AskFlag<pb::IsBalancerEnabledResponse>("IsBalancerEnabled", pb::IsBalancerEnabledRequest());
    case MasterSwitch::kNormalizer:
      return AskFlag<pb::IsNormalizerEnabledResponse>("IsNormalizerEnabled", pb::IsNormalizerEnabledRequest());
    case MasterSwitch::kCatalogJanitor:
      return AskFlag<pb::IsCatalogJanitorEnabledResponse>("IsCatalogJanitorEnabled",
                                                          pb::IsCatalogJanitorEnabledRequest());
    case MasterSwitch::kCleaner:
      return AskFlag<pb::IsCleanerChoreEnabledResponse>("IsCleanerChoreEnabled", pb::IsCleanerChoreEnabledRequest());
    case MasterSwitch::kSnapshotCleanup:
      return AskFlag<pb::IsSnapshotCleanupEnabledResponse>("IsSnapshotCleanupEnabled",
                                                           pb::IsSnapshotCleanupEnabledRequest());
    case MasterSwitch::kPeerModification:
      return AskFlag<pb::IsReplicationPeerModificationEnabledResponse>(
          "IsReplicationPeerModificationEnabled", pb::IsReplicationPeerModificationEnabledRequest());
  }
  return absl::InvalidArgumentError("an unknown switch");
}

// --- Tables and regions.

absl::StatusOr<std::vector<TableName>> HBaseAdmin::ListTableNames(std::string_view regex, bool system) {
  pb::GetTableNamesRequest request;
  if (!regex.empty()) request.set_regex(regex.data(), regex.size());
  request.set_include_sys_tables(system);
  pb::GetTableNamesResponse response;
  VAQUITA_RETURN_IF_ERROR(AskMaster("GetTableNames", request, &response));
  std::vector<TableName> tables;
  for (const pb::TableName& name : response.table_names()) {
    VAQUITA_ASSIGN_OR_RETURN(TableName table, DecodeTableName(name));
    tables.push_back(std::move(table));
  }
  std::sort(tables.begin(), tables.end());
  return tables;
}

absl::StatusOr<RegionLocation> HBaseAdmin::FindRegion(std::string_view name) {
  RegionLocation location;
  VAQUITA_RETURN_IF_ERROR(
      Repeat(Repeatable::kYes, [&](TimePoint deadline) { return meta_->FindRegion(name, deadline, &location); }));
  return location;
}

// Servers before 2.6 cannot flush a table as a procedure of the master, so the regions are flushed one by one.
absl::Status HBaseAdmin::Flush(const TableName& table) {
  pb::FlushTableRequest request;
  EncodeTableName(table, request.mutable_table_name());
  const absl::Status flushed = StartAndWait<pb::FlushTableResponse>("FlushTable", &request);
  const bool unknown_method =
      IsError(flushed, ErrorKind::kUnsupportedOperation) || IsError(flushed, ErrorKind::kDoNotRetryIO);
  if (!unknown_method) return flushed;
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<RegionLocation> regions, GetRegions(table));
  for (const RegionLocation& region : regions) VAQUITA_RETURN_IF_ERROR(Flush(region));
  return absl::OkStatus();
}

absl::Status HBaseAdmin::Flush(const RegionLocation& region) {
  pb::FlushRegionRequest request;
  EncodeRegionSpecifier(region.info, request.mutable_region());
  pb::FlushRegionResponse response;
  return AskServer(region.address, "FlushRegion", request, &response);
}

absl::Status HBaseAdmin::CompactTable(const TableName& table, std::string_view family, bool major, bool wait) {
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<RegionLocation> regions, GetRegions(table));
  for (const RegionLocation& region : regions) VAQUITA_RETURN_IF_ERROR(StartCompaction(region, family, major));
  return wait ? WaitForCompactions(regions) : absl::OkStatus();
}

absl::Status HBaseAdmin::StartCompaction(const RegionLocation& region, std::string_view family, bool major) {
  pb::CompactRegionRequest request;
  EncodeRegionSpecifier(region.info, request.mutable_region());
  request.set_major(major);
  if (!family.empty()) request.set_family(family.data(), family.size());
  pb::CompactRegionResponse response;
  return AskServer(region.address, "CompactRegion", request, &response);
}

absl::StatusOr<bool> HBaseAdmin::IsCompacting(const RegionLocation& region) {
  pb::GetRegionInfoRequest request;
  EncodeRegionSpecifier(region.info, request.mutable_region());
  request.set_compaction_state(true);
  pb::GetRegionInfoResponse response;
  VAQUITA_RETURN_IF_ERROR(AskServer(region.address, "GetRegionInfo", request, &response));
  return response.compaction_state() != pb::GetRegionInfoResponse::NONE;
}

absl::Status HBaseAdmin::WaitForCompactions(const std::vector<RegionLocation>& regions) {
  const TimePoint deadline = OperationDeadline();
  for (const RegionLocation& region : regions) {
    for (Polling polling;; polling.Pause()) {
      VAQUITA_ASSIGN_OR_RETURN(const bool compacting, IsCompacting(region));
      if (!compacting) break;
      if (std::chrono::system_clock::now() >= deadline) {
        return absl::DeadlineExceededError("the compaction of " + region.info.Name() + " is still running");
      }
    }
  }
  return absl::OkStatus();
}

// --- Snapshots.

absl::Status HBaseAdmin::TakeSnapshot(const SnapshotDescription& snapshot) {
  pb::SnapshotRequest request;
  EncodeSnapshot(snapshot, request.mutable_snapshot());
  request.set_nonce_group(nonce_group_);
  request.set_nonce(NextNonce());
  pb::SnapshotResponse response;
  VAQUITA_RETURN_IF_ERROR(AskMaster("Snapshot", request, &response));
  return response.has_proc_id() ? WaitForProcedure(response.proc_id()) : WaitForSnapshot(request.snapshot());
}

// Servers before 2.6 have no procedure for it.
absl::Status HBaseAdmin::WaitForSnapshot(const pb::SnapshotDescription& snapshot) {
  pb::IsSnapshotDoneRequest request;
  *request.mutable_snapshot() = snapshot;
  const TimePoint deadline = OperationDeadline();
  for (Polling polling;; polling.Pause()) {
    pb::IsSnapshotDoneResponse response;
    VAQUITA_RETURN_IF_ERROR(AskMaster("IsSnapshotDone", request, &response));
    if (response.done()) return absl::OkStatus();
    if (std::chrono::system_clock::now() >= deadline) {
      return absl::DeadlineExceededError("the snapshot " + snapshot.name() + " is still being taken");
    }
  }
}

// The order is HBase's, that of its folders, so it is undefined.
absl::StatusOr<std::vector<SnapshotDescription>> HBaseAdmin::ReadSnapshots() {
  pb::GetCompletedSnapshotsResponse response;
  VAQUITA_RETURN_IF_ERROR(AskMaster("GetCompletedSnapshots", pb::GetCompletedSnapshotsRequest(), &response));
  std::vector<SnapshotDescription> snapshots;
  for (const pb::SnapshotDescription& message : response.snapshots()) {
    VAQUITA_ASSIGN_OR_RETURN(SnapshotDescription snapshot, DecodeSnapshot(message));
    snapshots.push_back(std::move(snapshot));
  }
  std::sort(snapshots.begin(), snapshots.end(),
            [](const SnapshotDescription& a, const SnapshotDescription& b) { return a.name < b.name; });
  return snapshots;
}

// --- Counters.

// Each server reports its own regions.
absl::StatusOr<std::vector<RegionMetrics>> HBaseAdmin::GetRegionMetrics(const TableName& table) {
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<RegionLocation> regions, GetRegions(table));
  std::set<std::string> servers;
  for (const RegionLocation& region : regions) {
    if (!region.address.empty()) servers.insert(region.address);
  }
  pb::GetRegionLoadRequest request;
  EncodeTableName(table, request.mutable_table_name());
  std::vector<RegionMetrics> metrics;
  for (const std::string& server : servers) {
    pb::GetRegionLoadResponse response;
    VAQUITA_RETURN_IF_ERROR(AskServer(server, "GetRegionLoad", request, &response));
    for (const pb::RegionLoad& load : response.region_loads()) {
      VAQUITA_ASSIGN_OR_RETURN(RegionMetrics region, DecodeRegionLoad(load));
      metrics.push_back(std::move(region));
    }
  }
  return metrics;
}

absl::StatusOr<std::vector<SlowCall>> HBaseAdmin::ListSlowCalls(std::string_view server, const SlowCallQuery& query) {
  VAQUITA_ASSIGN_OR_RETURN(const ServerName name, ServerName::Parse(server));
  pb::SlowLogResponseRequest request;
  EncodeSlowCallQuery(query, &request);
  pb::SlowLogResponses response;
  VAQUITA_RETURN_IF_ERROR(AskLog(name.Address(), "AdminProtos$SlowLogResponseRequest", request, &response));
  std::vector<SlowCall> calls;
  for (const pb::SlowLogPayload& call : response.slow_log_payloads()) calls.push_back(DecodeSlowCall(call));
  return calls;
}

absl::StatusOr<CacheEviction> HBaseAdmin::ClearBlockCache(const TableName& table) {
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<RegionLocation> regions, GetRegions(table));
  std::map<std::string, pb::ClearRegionBlockCacheRequest> requests;  // by the server's address
  for (const RegionLocation& region : regions) {
    if (!region.address.empty()) Specify(region.info.Name(), requests[region.address].add_region());
  }
  CacheEviction evicted;
  for (const auto& [address, request] : requests) {
    pb::ClearRegionBlockCacheResponse response;
    VAQUITA_RETURN_IF_ERROR(AskServer(address, "ClearRegionBlockCache", request, &response));
    evicted.evicted_blocks += response.stats().evicted_blocks();
    evicted.evicted_bytes += response.stats().bytes_evicted();
    evicted.capacity_bytes += response.stats().max_cache_size();
  }
  return evicted;
}

absl::StatusOr<std::vector<BalancerDecision>> HBaseAdmin::ListBalancerDecisions(int64_t limit) {
  pb::BalancerDecisionsRequest request;
  request.set_limit(static_cast<uint32_t>(limit));
  pb::BalancerDecisionsResponse response;
  VAQUITA_RETURN_IF_ERROR(AskLog("", "MasterProtos$BalancerDecisionsRequest", request, &response));
  std::vector<BalancerDecision> decisions;
  for (const pb::BalancerDecision& decision : response.balancer_decision()) {
    decisions.push_back(DecodeDecision(decision));
  }
  return decisions;
}

absl::StatusOr<std::vector<BalancerRejection>> HBaseAdmin::ListBalancerRejections(int64_t limit) {
  pb::BalancerRejectionsRequest request;
  request.set_limit(static_cast<uint32_t>(limit));
  pb::BalancerRejectionsResponse response;
  VAQUITA_RETURN_IF_ERROR(AskLog("", "MasterProtos$BalancerRejectionsRequest", request, &response));
  std::vector<BalancerRejection> rejections;
  for (const pb::BalancerRejection& rejection : response.balancer_rejection()) {
    rejections.push_back(DecodeRejection(rejection));
  }
  return rejections;
}

absl::Status HBaseAdmin::AddReplicationPeer(const ReplicationPeer& peer) {
  pb::AddReplicationPeerRequest request;
  request.set_peer_id(peer.id);
  EncodePeerConfig(peer.config, request.mutable_peer_config());
  request.mutable_peer_state()->set_state(peer.enabled ? pb::ReplicationState::ENABLED
                                                       : pb::ReplicationState::DISABLED);
  return ChangePeers<pb::AddReplicationPeerResponse>("AddReplicationPeer", request);
}

absl::Status HBaseAdmin::SwitchReplicationPeer(std::string_view id, bool on) {
  if (on) {
    pb::EnableReplicationPeerRequest request;
    request.set_peer_id(id.data(), id.size());
    return ChangePeers<pb::EnableReplicationPeerResponse>("EnableReplicationPeer", request);
  }
  pb::DisableReplicationPeerRequest request;
  request.set_peer_id(id.data(), id.size());
  return ChangePeers<pb::DisableReplicationPeerResponse>("DisableReplicationPeer", request);
}

absl::StatusOr<std::vector<ReplicationPeer>> HBaseAdmin::ListReplicationPeers() {
  pb::ListReplicationPeersResponse response;
  VAQUITA_RETURN_IF_ERROR(AskMaster("ListReplicationPeers", pb::ListReplicationPeersRequest(), &response));
  std::vector<ReplicationPeer> peers;
  for (const pb::ReplicationPeerDescription& message : response.peer_desc()) {
    VAQUITA_ASSIGN_OR_RETURN(peers.emplace_back(), DecodePeer(message));
  }
  return peers;
}

// --- Quotas.

absl::Status HBaseAdmin::SetQuota(std::string_view request) {
  pb::SetQuotaRequest message;
  if (!message.ParseFromString(std::string(request))) {
    return absl::InvalidArgumentError("the quota is not a message SetQuotaRequest of HBase");
  }
  pb::SetQuotaResponse response;
  return AskMaster("SetQuota", message, &response);
}

absl::StatusOr<std::map<TableName, int64_t>> HBaseAdmin::QuotaTableSizes() {
  pb::GetSpaceQuotaRegionSizesResponse response;
  VAQUITA_RETURN_IF_ERROR(AskMaster("GetSpaceQuotaRegionSizes", pb::GetSpaceQuotaRegionSizesRequest(), &response));
  std::map<TableName, int64_t> sizes;
  for (const auto& table : response.sizes()) {
    VAQUITA_ASSIGN_OR_RETURN(TableName name, DecodeTableName(table.table_name()));
    sizes[std::move(name)] += static_cast<int64_t>(table.size());
  }
  return sizes;
}

}  // namespace

std::unique_ptr<Admin> MakeHBaseAdmin(std::shared_ptr<Cluster> cluster, HBaseServers* servers, MetaRegions* meta,
                                      uint64_t nonce_group) {
  return std::make_unique<HBaseAdmin>(std::move(cluster), servers, meta, nonce_group);
}

}  // namespace vaquita::client
