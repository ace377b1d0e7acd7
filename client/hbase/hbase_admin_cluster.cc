#include "client/hbase/hbase_admin.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "hbase/AccessControl.pb.h"
#include "hbase/Admin.pb.h"
#include "hbase/Master.pb.h"
#include "hbase/Quota.pb.h"
#include "hbase/Replication.pb.h"
#include "model/server_name.h"
#include "proto/hbase/cluster_codec.h"
#include "proto/hbase/log_codec.h"
#include "proto/hbase/permission_codec.h"
#include "proto/hbase/replication_codec.h"
#include "proto/hbase/schema_codec.h"

namespace vaquita::client {

// --- Servers.

absl::StatusOr<ClusterStatus> HBaseAdmin::GetClusterStatus() {
  pb::GetClusterStatusResponse response;
  VAQUITA_RETURN_IF_ERROR(AskMaster("GetClusterStatus", pb::GetClusterStatusRequest(), &response));
  return DecodeClusterStatus(response.cluster_status());
}

absl::Status HBaseAdmin::DecommissionServers(const std::vector<std::string>& servers, bool offload) {
  pb::DecommissionRegionServersRequest request;
  for (const std::string& server : servers) EncodeServerName(server, request.add_server_name());
  request.set_offload(offload);
  pb::DecommissionRegionServersResponse response;
  return AskMaster("DecommissionRegionServers", request, &response);
}

absl::Status HBaseAdmin::RecommissionServer(std::string_view server, const std::vector<std::string>& regions) {
  pb::RecommissionRegionServerRequest request;
  EncodeServerName(server, request.mutable_server_name());
  for (const std::string& region : regions) EncodeRegionSpecifier(region, request.add_region());
  pb::RecommissionRegionServerResponse response;
  return AskMaster("RecommissionRegionServer", request, &response);
}

absl::StatusOr<std::vector<std::string>> HBaseAdmin::ListDecommissionedServers() {
  pb::ListDecommissionedRegionServersResponse response;
  VAQUITA_RETURN_IF_ERROR(
      AskMaster("ListDecommissionedRegionServers", pb::ListDecommissionedRegionServersRequest(), &response));
  std::vector<std::string> servers;
  for (const pb::ServerName& server : response.server_name()) servers.push_back(DecodeServerName(server));
  return servers;
}

absl::Status HBaseAdmin::StopMaster() {
  pb::StopMasterResponse response;
  return TellMaster("StopMaster", pb::StopMasterRequest(), &response);
}

absl::Status HBaseAdmin::StopServer(std::string_view server) {
  VAQUITA_ASSIGN_OR_RETURN(const ServerName name, ServerName::Parse(server));
  pb::StopServerRequest request;
  request.set_reason("asked by a client");
  pb::StopServerResponse response;
  return TellServer(name.Address(), "StopServer", request, &response);
}

absl::Status HBaseAdmin::UpdateConfiguration(std::string_view server) {
  VAQUITA_ASSIGN_OR_RETURN(const ServerName name, ServerName::Parse(server));
  pb::UpdateConfigurationResponse response;
  return AskServer(name.Address(), "UpdateConfiguration", pb::UpdateConfigurationRequest(), &response);
}

absl::Status HBaseAdmin::RollLog(std::string_view server) {
  VAQUITA_ASSIGN_OR_RETURN(const ServerName name, ServerName::Parse(server));
  pb::RollWALWriterResponse response;
  return AskServer(name.Address(), "RollWALWriter", pb::RollWALWriterRequest(), &response);
}

absl::StatusOr<bool> HBaseAdmin::SwitchCompactions(std::string_view server, bool on) {
  VAQUITA_ASSIGN_OR_RETURN(const ServerName name, ServerName::Parse(server));
  pb::CompactionSwitchRequest request;
  request.set_enabled(on);
  pb::CompactionSwitchResponse response;
  VAQUITA_RETURN_IF_ERROR(TellServer(name.Address(), "CompactionSwitch", request, &response));
  return response.prev_state();
}

absl::Status HBaseAdmin::FlushMasterStore() {
  pb::FlushMasterStoreResponse response;
  return AskMaster("FlushMasterStore", pb::FlushMasterStoreRequest(), &response);
}

absl::StatusOr<std::vector<std::string>> HBaseAdmin::CheckConsistency() {
  return Error(ErrorKind::kUnsupportedOperation, "HBase's RPC does not carry the findings of a check");
}

// --- Logs that servers keep in memory.

template <typename Request, typename Response>
absl::Status HBaseAdmin::AskLog(const std::string& server, std::string_view type, const Request& request,
                                Response* response) {
  pb::LogRequest wrapped;
  wrapped.set_log_class_name(absl::StrCat("org.apache.hadoop.hbase.shaded.protobuf.generated.", std::string(type)));
  wrapped.set_log_message(request.SerializeAsString());
  pb::LogEntry entry;
  VAQUITA_RETURN_IF_ERROR(server.empty() ? AskMaster("GetLogEntries", wrapped, &entry)
                                         : AskServer(server, "GetLogEntries", wrapped, &entry));
  if (ParseMessage(entry.log_message(), response)) return absl::OkStatus();
  return Error(ErrorKind::kDeserialization, "the answer " + entry.log_class_name() + " cannot be read");
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

absl::StatusOr<bool> HBaseAdmin::ClearSlowCalls(std::string_view server) {
  VAQUITA_ASSIGN_OR_RETURN(const ServerName name, ServerName::Parse(server));
  pb::ClearSlowLogResponses response;
  VAQUITA_RETURN_IF_ERROR(
      TellServer(name.Address(), "ClearSlowLogsResponses", pb::ClearSlowLogResponseRequest(), &response));
  return response.is_cleaned();
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
      VAQUITA_RETURN_IF_ERROR(TellMaster("SetSplitOrMergeEnabled", request, &response));
      return response.prev_value_size() > 0 && response.prev_value(0);
    }
    case MasterSwitch::kBalancer: {
      pb::SetBalancerRunningRequest request;
      request.set_on(on);
      request.set_synchronous(true);
      pb::SetBalancerRunningResponse response;
      VAQUITA_RETURN_IF_ERROR(TellMaster("SetBalancerRunning", request, &response));
      return response.prev_balance_value();
    }
    case MasterSwitch::kNormalizer: {
      pb::SetNormalizerRunningRequest request;
      request.set_on(on);
      pb::SetNormalizerRunningResponse response;
      VAQUITA_RETURN_IF_ERROR(TellMaster("SetNormalizerRunning", request, &response));
      return response.prev_normalizer_value();
    }
    case MasterSwitch::kCatalogJanitor: {
      pb::EnableCatalogJanitorRequest request;
      request.set_enable(on);
      pb::EnableCatalogJanitorResponse response;
      VAQUITA_RETURN_IF_ERROR(TellMaster("EnableCatalogJanitor", request, &response));
      return response.prev_value();
    }
    case MasterSwitch::kCleaner: {
      pb::SetCleanerChoreRunningRequest request;
      request.set_on(on);
      pb::SetCleanerChoreRunningResponse response;
      VAQUITA_RETURN_IF_ERROR(TellMaster("SetCleanerChoreRunning", request, &response));
      return response.prev_value();
    }
    case MasterSwitch::kSnapshotCleanup: {
      pb::SetSnapshotCleanupRequest request;
      request.set_enabled(on);
      request.set_synchronous(true);
      pb::SetSnapshotCleanupResponse response;
      VAQUITA_RETURN_IF_ERROR(TellMaster("SwitchSnapshotCleanup", request, &response));
      return response.prev_snapshot_cleanup();
    }
    case MasterSwitch::kPeerModification: {
      pb::ReplicationPeerModificationSwitchRequest request;
      request.set_on(on);
      pb::ReplicationPeerModificationSwitchResponse response;
      VAQUITA_RETURN_IF_ERROR(TellMaster("ReplicationPeerModificationSwitch", request, &response));
      return response.previous_value();
    }
  }
  return absl::InvalidArgumentError("an unknown switch");
}

template <typename Response, typename Request>
absl::StatusOr<bool> HBaseAdmin::AskFlag(std::string_view method, const Request& request) {
  Response response;
  VAQUITA_RETURN_IF_ERROR(AskMaster(method, request, &response));
  if constexpr (requires { response.value(); }) {
    return response.value();
  } else {
    return response.enabled();
  }
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

// --- Balancer, normalizer and catalog janitor.

absl::StatusOr<BalanceAnswer> HBaseAdmin::Balance(const BalanceRequest& request) {
  pb::BalanceRequest message;
  message.set_dry_run(request.dry_run);
  message.set_ignore_rit(request.ignore_regions_in_transition);
  pb::BalanceResponse response;
  VAQUITA_RETURN_IF_ERROR(TellMaster("Balance", message, &response));
  return BalanceAnswer{.ran = response.balancer_ran(),
                       .moves_calculated = response.moves_calculated(),
                       .moves_executed = response.moves_executed()};
}

absl::StatusOr<bool> HBaseAdmin::Normalize(const std::vector<TableName>& tables) {
  pb::NormalizeRequest request;
  for (const TableName& table : tables) EncodeTableName(table, request.add_table_names());
  pb::NormalizeResponse response;
  VAQUITA_RETURN_IF_ERROR(TellMaster("Normalize", request, &response));
  return response.normalizer_ran();
}

absl::StatusOr<int64_t> HBaseAdmin::RunCatalogJanitor() {
  pb::RunCatalogScanResponse response;
  VAQUITA_RETURN_IF_ERROR(TellMaster("RunCatalogScan", pb::RunCatalogScanRequest(), &response));
  return response.scan_result();
}

// --- Replication peers.

template <typename Response, typename Request>
absl::Status HBaseAdmin::ChangePeers(std::string_view method, const Request& request) {
  Response response;
  VAQUITA_RETURN_IF_ERROR(TellMaster(method, request, &response));
  return WaitForProcedure(static_cast<int64_t>(response.proc_id()));
}

absl::Status HBaseAdmin::AddReplicationPeer(const ReplicationPeer& peer) {
  pb::AddReplicationPeerRequest request;
  request.set_peer_id(peer.id);
  EncodePeerConfig(peer.config, request.mutable_peer_config());
  request.mutable_peer_state()->set_state(peer.enabled ? pb::ReplicationState::ENABLED
                                                       : pb::ReplicationState::DISABLED);
  return ChangePeers<pb::AddReplicationPeerResponse>("AddReplicationPeer", request);
}

absl::Status HBaseAdmin::RemoveReplicationPeer(std::string_view id) {
  pb::RemoveReplicationPeerRequest request;
  request.set_peer_id(id.data(), id.size());
  return ChangePeers<pb::RemoveReplicationPeerResponse>("RemoveReplicationPeer", request);
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

absl::Status HBaseAdmin::UpdateReplicationPeer(std::string_view id, const ReplicationPeerConfig& config) {
  pb::UpdateReplicationPeerConfigRequest request;
  request.set_peer_id(id.data(), id.size());
  EncodePeerConfig(config, request.mutable_peer_config());
  return ChangePeers<pb::UpdateReplicationPeerConfigResponse>("UpdateReplicationPeerConfig", request);
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

// --- Users' rights.

absl::Status HBaseAdmin::Grant(const UserPermission& permission, bool merge) {
  pb::GrantRequest request;
  EncodeUserPermission(permission, request.mutable_user_permission());
  request.set_merge_existing_permissions(merge);
  pb::GrantResponse response;
  return AskMaster("Grant", request, &response);
}

absl::Status HBaseAdmin::Revoke(const UserPermission& permission) {
  pb::RevokeRequest request;
  EncodeUserPermission(permission, request.mutable_user_permission());
  pb::RevokeResponse response;
  return AskMaster("Revoke", request, &response);
}

absl::StatusOr<std::vector<UserPermission>> HBaseAdmin::ListUserPermissions(const PermissionQuery& query) {
  pb::GetUserPermissionsRequest request;
  EncodePermissionQuery(query, &request);
  pb::GetUserPermissionsResponse response;
  VAQUITA_RETURN_IF_ERROR(AskMaster("GetUserPermissions", request, &response));
  std::vector<UserPermission> permissions;
  for (const pb::UserPermission& each : response.user_permission()) {
    VAQUITA_ASSIGN_OR_RETURN(permissions.emplace_back(), DecodeUserPermission(each));
  }
  return permissions;
}

absl::StatusOr<bool> HBaseAdmin::HasAuthorization() {
  pb::SecurityCapabilitiesResponse response;
  VAQUITA_RETURN_IF_ERROR(AskMaster("getSecurityCapabilities", pb::SecurityCapabilitiesRequest(), &response));
  return std::find(response.capabilities().begin(), response.capabilities().end(),
                   pb::SecurityCapabilitiesResponse::AUTHORIZATION) != response.capabilities().end();
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

absl::StatusOr<bool> HBaseAdmin::SwitchRpcThrottle(bool on) {
  pb::SwitchRpcThrottleRequest request;
  request.set_rpc_throttle_enabled(on);
  pb::SwitchRpcThrottleResponse response;
  VAQUITA_RETURN_IF_ERROR(TellMaster("SwitchRpcThrottle", request, &response));
  return response.previous_rpc_throttle_enabled();
}

absl::StatusOr<bool> HBaseAdmin::IsRpcThrottleOn() {
  pb::IsRpcThrottleEnabledResponse response;
  VAQUITA_RETURN_IF_ERROR(AskMaster("IsRpcThrottleEnabled", pb::IsRpcThrottleEnabledRequest(), &response));
  return response.rpc_throttle_enabled();
}

absl::StatusOr<bool> HBaseAdmin::SwitchExceedThrottleQuota(bool on) {
  pb::SwitchExceedThrottleQuotaRequest request;
  request.set_exceed_throttle_quota_enabled(on);
  pb::SwitchExceedThrottleQuotaResponse response;
  VAQUITA_RETURN_IF_ERROR(TellMaster("SwitchExceedThrottleQuota", request, &response));
  return response.previous_exceed_throttle_quota_enabled();
}

}  // namespace vaquita::client
