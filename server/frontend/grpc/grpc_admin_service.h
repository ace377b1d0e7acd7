// server/frontend/grpc/grpc_admin_service.h: vaquita.v1.AdminService over a Master and a RegionServer.
//
// Threads: a call runs to its end on one of gRPC's handler threads, whose number is bounded; so does one that waits for
// work that may take long, but not more than some of them at a time.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <utility>

#include "server/frontend/grpc/grpc_serving.h"
#include "vaquita/v1/admin.grpc.pb.h"

namespace vaquita {

class GrpcAdminService final : public v1::AdminService::Service {
 public:
  // `slot` outlives the service. `master_elsewhere`: as in GrpcFrontEndOptions. `most_waiting`: calls at a time that
  // wait for a procedure or a compaction.
  GrpcAdminService(const GrpcServing* slot, std::function<std::string()> master_elsewhere, int most_waiting)
      : slot_(slot), master_elsewhere_(std::move(master_elsewhere)), most_waiting_(most_waiting) {}

  // Tables.
  grpc::Status CreateTable(grpc::ServerContext*, const v1::CreateTableRequest*, v1::ProcedureStarted*) override;
  grpc::Status DeleteTable(grpc::ServerContext*, const v1::TableRequest*, v1::ProcedureStarted*) override;
  grpc::Status TruncateTable(grpc::ServerContext*, const v1::TruncateTableRequest*, v1::ProcedureStarted*) override;
  grpc::Status EnableTable(grpc::ServerContext*, const v1::TableRequest*, v1::ProcedureStarted*) override;
  grpc::Status DisableTable(grpc::ServerContext*, const v1::TableRequest*, v1::ProcedureStarted*) override;
  grpc::Status ModifyTable(grpc::ServerContext*, const v1::ModifyTableRequest*, v1::ProcedureStarted*) override;
  grpc::Status GetTableDescriptor(grpc::ServerContext*, const v1::TableRequest*, v1::TableDescriptor*) override;
  grpc::Status GetTableState(grpc::ServerContext*, const v1::TableRequest*, v1::GetTableStateResponse*) override;
  grpc::Status ListTables(grpc::ServerContext*, const v1::ListTablesRequest*, v1::ListTablesResponse*) override;

  // Procedures.
  grpc::Status GetProcedure(grpc::ServerContext*, const v1::ProcedureRequest*, v1::Procedure*) override;
  grpc::Status WaitForProcedure(grpc::ServerContext*, const v1::ProcedureRequest*, v1::Procedure*) override;
  grpc::Status ListProcedures(grpc::ServerContext*, const v1::ListProceduresRequest*,
                              v1::ListProceduresResponse*) override;

  // Namespaces.
  grpc::Status CreateNamespace(grpc::ServerContext*, const v1::NamespaceDescriptor*, v1::Done*) override;
  grpc::Status ModifyNamespace(grpc::ServerContext*, const v1::NamespaceDescriptor*, v1::Done*) override;
  grpc::Status DeleteNamespace(grpc::ServerContext*, const v1::NamespaceRequest*, v1::Done*) override;
  grpc::Status GetNamespace(grpc::ServerContext*, const v1::NamespaceRequest*, v1::NamespaceDescriptor*) override;
  grpc::Status ListNamespaces(grpc::ServerContext*, const v1::ListNamespacesRequest*,
                              v1::ListNamespacesResponse*) override;

  // Regions.
  grpc::Status ListRegions(grpc::ServerContext*, const v1::TableRequest*, v1::ListRegionsResponse*) override;
  grpc::Status LocateRow(grpc::ServerContext*, const v1::LocateRowRequest*, v1::RegionLocation*) override;
  grpc::Status Flush(grpc::ServerContext*, const v1::FlushRequest*, v1::Done*) override;
  grpc::Status Compact(grpc::ServerContext*, const v1::CompactRequest*, v1::Done*) override;
  grpc::Status SplitRegion(grpc::ServerContext*, const v1::SplitRegionRequest*, v1::ProcedureStarted*) override;
  grpc::Status MergeRegions(grpc::ServerContext*, const v1::MergeRegionsRequest*, v1::ProcedureStarted*) override;
  grpc::Status MoveRegion(grpc::ServerContext*, const v1::MoveRegionRequest*, v1::Done*) override;
  grpc::Status AssignRegion(grpc::ServerContext*, const v1::RegionRequest*, v1::ProcedureStarted*) override;
  grpc::Status UnassignRegion(grpc::ServerContext*, const v1::RegionRequest*, v1::ProcedureStarted*) override;
  grpc::Status TruncateRegion(grpc::ServerContext*, const v1::RegionRequest*, v1::ProcedureStarted*) override;
  grpc::Status ListRegionsInTransition(grpc::ServerContext*, const v1::ListRegionsInTransitionRequest*,
                                       v1::ListRegionsInTransitionResponse*) override;

  // Snapshots.
  grpc::Status Snapshot(grpc::ServerContext*, const v1::SnapshotDescription*, v1::ProcedureStarted*) override;
  grpc::Status ListSnapshots(grpc::ServerContext*, const v1::ListSnapshotsRequest*,
                             v1::ListSnapshotsResponse*) override;
  grpc::Status RestoreSnapshot(grpc::ServerContext*, const v1::RestoreSnapshotRequest*, v1::ProcedureStarted*) override;
  grpc::Status DeleteSnapshot(grpc::ServerContext*, const v1::SnapshotRequest*, v1::Done*) override;

  // The cluster.
  grpc::Status CheckConsistency(grpc::ServerContext* context, const v1::CheckConsistencyRequest* request,
                                v1::CheckConsistencyResponse* response) override;
  grpc::Status GetClusterStatus(grpc::ServerContext*, const v1::GetClusterStatusRequest*, v1::ClusterStatus*) override;
  grpc::Status GetRegionMetrics(grpc::ServerContext*, const v1::TableRequest*, v1::GetRegionMetricsResponse*) override;
  grpc::Status DecommissionServers(grpc::ServerContext*, const v1::DecommissionServersRequest*, v1::Done*) override;
  grpc::Status RecommissionServer(grpc::ServerContext*, const v1::RecommissionServerRequest*, v1::Done*) override;
  grpc::Status ListDecommissionedServers(grpc::ServerContext*, const v1::ListDecommissionedServersRequest*,
                                         v1::ListDecommissionedServersResponse*) override;
  grpc::Status SwitchCompactions(grpc::ServerContext*, const v1::SetSwitchRequest*, v1::SwitchState*) override;
  grpc::Status SetMasterSwitch(grpc::ServerContext*, const v1::SetMasterSwitchRequest*, v1::SwitchState*) override;
  grpc::Status IsMasterSwitchOn(grpc::ServerContext*, const v1::IsMasterSwitchOnRequest*, v1::SwitchState*) override;
  grpc::Status RunCatalogJanitor(grpc::ServerContext*, const v1::RunCatalogJanitorRequest*,
                                 v1::RunCatalogJanitorResponse*) override;
  grpc::Status SetBalancer(grpc::ServerContext*, const v1::SetSwitchRequest*, v1::SwitchState*) override;
  grpc::Status IsBalancerOn(grpc::ServerContext*, const v1::IsBalancerOnRequest*, v1::SwitchState*) override;
  grpc::Status Balance(grpc::ServerContext*, const v1::BalanceRequest*, v1::BalanceResponse*) override;
  grpc::Status SetNormalizer(grpc::ServerContext*, const v1::SetSwitchRequest*, v1::SwitchState*) override;
  grpc::Status IsNormalizerOn(grpc::ServerContext*, const v1::IsNormalizerOnRequest*, v1::SwitchState*) override;
  grpc::Status Normalize(grpc::ServerContext*, const v1::NormalizeRequest*, v1::NormalizeResponse*) override;
  grpc::Status SetSplitOrMerge(grpc::ServerContext*, const v1::SetSplitOrMergeRequest*, v1::SwitchState*) override;
  grpc::Status IsSplitOrMergeOn(grpc::ServerContext*, const v1::IsSplitOrMergeOnRequest*, v1::SwitchState*) override;

  // Replication peers.
  grpc::Status AddReplicationPeer(grpc::ServerContext*, const v1::ReplicationPeer*, v1::ProcedureStarted*) override;
  grpc::Status UpdateReplicationPeer(grpc::ServerContext*, const v1::ReplicationPeer*, v1::ProcedureStarted*) override;
  grpc::Status RemoveReplicationPeer(grpc::ServerContext*, const v1::ReplicationPeerRequest*,
                                     v1::ProcedureStarted*) override;
  grpc::Status SwitchReplicationPeer(grpc::ServerContext*, const v1::SwitchReplicationPeerRequest*,
                                     v1::ProcedureStarted*) override;
  grpc::Status ListReplicationPeers(grpc::ServerContext*, const v1::ListReplicationPeersRequest*,
                                    v1::ListReplicationPeersResponse*) override;

  // Quotas.
  grpc::Status SetQuota(grpc::ServerContext*, const v1::SetQuotaRequest*, v1::Done*) override;
  grpc::Status SwitchRpcThrottle(grpc::ServerContext*, const v1::SetSwitchRequest*, v1::SwitchState*) override;
  grpc::Status IsRpcThrottleOn(grpc::ServerContext*, const v1::IsRpcThrottleOnRequest*, v1::SwitchState*) override;
  grpc::Status SwitchExceedThrottleQuota(grpc::ServerContext*, const v1::SetSwitchRequest*, v1::SwitchState*) override;
  grpc::Status ListQuotaTableSizes(grpc::ServerContext*, const v1::ListQuotaTableSizesRequest*,
                                   v1::ListQuotaTableSizesResponse*) override;

  // Users' rights.
  grpc::Status Grant(grpc::ServerContext*, const v1::GrantRequest*, v1::Done*) override;
  grpc::Status Revoke(grpc::ServerContext*, const v1::RevokeRequest*, v1::Done*) override;
  grpc::Status ListUserPermissions(grpc::ServerContext*, const v1::ListUserPermissionsRequest*,
                                   v1::ListUserPermissionsResponse*) override;
  grpc::Status GetSecurity(grpc::ServerContext*, const v1::GetSecurityRequest*, v1::Security*) override;

  // Records and chores.
  grpc::Status ListBalancerDecisions(grpc::ServerContext*, const v1::ListBalancerDecisionsRequest*,
                                     v1::ListBalancerDecisionsResponse*) override;
  grpc::Status ListBalancerRejections(grpc::ServerContext*, const v1::ListBalancerRejectionsRequest*,
                                      v1::ListBalancerRejectionsResponse*) override;
  grpc::Status FlushMasterStore(grpc::ServerContext*, const v1::FlushMasterStoreRequest*, v1::Done*) override;
  grpc::Status ListSlowCalls(grpc::ServerContext*, const v1::ListSlowCallsRequest*,
                             v1::ListSlowCallsResponse*) override;
  grpc::Status ClearSlowCalls(grpc::ServerContext*, const v1::ClearSlowCallsRequest*, v1::SwitchState*) override;
  grpc::Status RollLog(grpc::ServerContext*, const v1::RollLogRequest*, v1::Done*) override;
  grpc::Status StopMaster(grpc::ServerContext*, const v1::StopMasterRequest*, v1::Done*) override;
  grpc::Status StopServer(grpc::ServerContext*, const v1::StopServerRequest*, v1::Done*) override;
  grpc::Status UpdateMasterConfiguration(grpc::ServerContext*, const v1::UpdateConfigurationRequest*,
                                         v1::Done*) override;
  grpc::Status UpdateConfiguration(grpc::ServerContext*, const v1::UpdateConfigurationRequest*, v1::Done*) override;
  grpc::Status ClearBlockCache(grpc::ServerContext*, const v1::ClearBlockCacheRequest*,
                               v1::ClearBlockCacheResponse*) override;

 private:
  struct AdminCall {
    const char* method;
    grpc::ServerContext& context;
    const google::protobuf::Message& request;
    const char* service = "MasterService";  // of HBase, for which the gate takes it
  };

  // Runs `body(serving)`, which returns an absl::Status, once the server is running, and if it has the master.
  template <typename Body>
  grpc::Status Answer(const AdminCall& call, Body body) const;
  // Runs `body(serving)` in the same way on any server. Where the master is elsewhere, `serving` has none.
  template <typename Body>
  grpc::Status AnswerHere(const AdminCall& call, Body body) const;
  // Answers a call that waits for as long as some work takes, unless too many do so.
  template <typename Body>
  grpc::Status AnswerWaiting(const AdminCall& call, Body body) const;
  // Calls `start(serving, table)`, which starts a procedure on the table called `name`: once, however often the
  // request is sent.
  template <typename Start>
  grpc::Status StartOnTable(const AdminCall& call, const std::string& name, v1::ProcedureStarted* response,
                            Start start) const;

  // Calls `start(master, region)` in the same way.
  template <typename Start>
  grpc::Status StartOnRegion(const AdminCall& call, const std::string& region, v1::ProcedureStarted* response,
                             Start start) const;

  // Starts a change of the replication peers in the same way.
  grpc::Status StartEdit(const AdminCall& call, const ReplicationPeerEdit& edit, v1::ProcedureStarted* response) const;

  // Refuses a call for a master that is elsewhere. The answer's trailers name it as "vaquita-master".
  grpc::Status SendToMaster(const AdminCall& call) const;

  const GrpcServing* const slot_;
  const std::function<std::string()> master_elsewhere_;
  const int most_waiting_;
  mutable std::atomic<int> waiting_ = 0;
};

}  // namespace vaquita
