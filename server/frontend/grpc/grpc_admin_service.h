// server/frontend/grpc/grpc_admin_service.h: vaquita.v1.AdminService over a Master and a RegionServer.
//
// Threads: a call runs to its end on one of gRPC's handler threads, whose number is bounded; so does one that waits for
// work that may take long, but not more than some of them at a time.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "grpcpp/grpcpp.h"
#include "server/frontend/grpc/grpc_serving.h"
#include "vaquita/v1/admin.pb.h"

namespace vaquita {

class GrpcAdminService final {
 public:
  // `slot` outlives the service. `master_elsewhere`: as in GrpcFrontEndOptions. `most_waiting`: calls at a time that
  // wait for a procedure, a flush, a compaction or other servers.
  GrpcAdminService(const GrpcServing* slot, std::function<std::string()> master_elsewhere, int most_waiting)
      : slot_(slot), master_elsewhere_(std::move(master_elsewhere)), most_waiting_(most_waiting) {}

  // Tables.
  grpc::Status CreateTable(grpc::ServerContext*, const v1::CreateTableRequest*, v1::ProcedureStarted*);
  grpc::Status DeleteTable(grpc::ServerContext*, const v1::TableRequest*, v1::ProcedureStarted*);
  grpc::Status TruncateTable(grpc::ServerContext*, const v1::TruncateTableRequest*, v1::ProcedureStarted*);
  grpc::Status EnableTable(grpc::ServerContext*, const v1::TableRequest*, v1::ProcedureStarted*);
  grpc::Status DisableTable(grpc::ServerContext*, const v1::TableRequest*, v1::ProcedureStarted*);
  grpc::Status ModifyTable(grpc::ServerContext*, const v1::ModifyTableRequest*, v1::ProcedureStarted*);
  grpc::Status GetTableDescriptor(grpc::ServerContext*, const v1::TableRequest*, v1::TableDescriptor*);
  grpc::Status GetTableState(grpc::ServerContext*, const v1::TableRequest*, v1::GetTableStateResponse*);
  grpc::Status ListTables(grpc::ServerContext*, const v1::ListTablesRequest*, v1::ListTablesResponse*);

  // Procedures.
  grpc::Status GetProcedure(grpc::ServerContext*, const v1::ProcedureRequest*, v1::Procedure*);
  grpc::Status WaitForProcedure(grpc::ServerContext*, const v1::ProcedureRequest*, v1::Procedure*);
  grpc::Status ListProcedures(grpc::ServerContext*, const v1::ListProceduresRequest*, v1::ListProceduresResponse*);

  // Namespaces.
  grpc::Status CreateNamespace(grpc::ServerContext*, const v1::NamespaceDescriptor*, v1::Done*);
  grpc::Status ModifyNamespace(grpc::ServerContext*, const v1::NamespaceDescriptor*, v1::Done*);
  grpc::Status DeleteNamespace(grpc::ServerContext*, const v1::NamespaceRequest*, v1::Done*);
  grpc::Status GetNamespace(grpc::ServerContext*, const v1::NamespaceRequest*, v1::NamespaceDescriptor*);
  grpc::Status ListNamespaces(grpc::ServerContext*, const v1::ListNamespacesRequest*, v1::ListNamespacesResponse*);

  // Regions.
  grpc::Status ListRegions(grpc::ServerContext*, const v1::TableRequest*, v1::ListRegionsResponse*);
  grpc::Status LocateRow(grpc::ServerContext*, const v1::LocateRowRequest*, v1::RegionLocation*);
  grpc::Status Flush(grpc::ServerContext*, const v1::FlushRequest*, v1::Done*);
  grpc::Status Compact(grpc::ServerContext*, const v1::CompactRequest*, v1::Done*);
  grpc::Status SplitRegion(grpc::ServerContext*, const v1::SplitRegionRequest*, v1::ProcedureStarted*);
  grpc::Status MergeRegions(grpc::ServerContext*, const v1::MergeRegionsRequest*, v1::ProcedureStarted*);
  grpc::Status MoveRegion(grpc::ServerContext*, const v1::MoveRegionRequest*, v1::Done*);
  grpc::Status AssignRegion(grpc::ServerContext*, const v1::RegionRequest*, v1::ProcedureStarted*);
  grpc::Status UnassignRegion(grpc::ServerContext*, const v1::RegionRequest*, v1::ProcedureStarted*);
  grpc::Status TruncateRegion(grpc::ServerContext*, const v1::RegionRequest*, v1::ProcedureStarted*);
  grpc::Status ListRegionsInTransition(grpc::ServerContext*, const v1::ListRegionsInTransitionRequest*,
                                       v1::ListRegionsInTransitionResponse*);

  // Snapshots.
  grpc::Status Snapshot(grpc::ServerContext*, const v1::SnapshotDescription*, v1::ProcedureStarted*);
  grpc::Status ListSnapshots(grpc::ServerContext*, const v1::ListSnapshotsRequest*, v1::ListSnapshotsResponse*);
  grpc::Status RestoreSnapshot(grpc::ServerContext*, const v1::RestoreSnapshotRequest*, v1::ProcedureStarted*);
  grpc::Status DeleteSnapshot(grpc::ServerContext*, const v1::SnapshotRequest*, v1::Done*);

  // The cluster.
  grpc::Status CheckConsistency(grpc::ServerContext* context, const v1::CheckConsistencyRequest* request,
                                v1::CheckConsistencyResponse* response);
  grpc::Status GetClusterStatus(grpc::ServerContext*, const v1::GetClusterStatusRequest*, v1::ClusterStatus*);
  grpc::Status GetRegionMetrics(grpc::ServerContext*, const v1::TableRequest*, v1::GetRegionMetricsResponse*);
  grpc::Status DecommissionServers(grpc::ServerContext*, const v1::DecommissionServersRequest*, v1::Done*);
  grpc::Status RecommissionServer(grpc::ServerContext*, const v1::RecommissionServerRequest*, v1::Done*);
  grpc::Status ListDecommissionedServers(grpc::ServerContext*, const v1::ListDecommissionedServersRequest*,
                                         v1::ListDecommissionedServersResponse*);
  grpc::Status SwitchCompactions(grpc::ServerContext*, const v1::SetSwitchRequest*, v1::SwitchState*);
  grpc::Status SetMasterSwitch(grpc::ServerContext*, const v1::SetMasterSwitchRequest*, v1::SwitchState*);
  grpc::Status IsMasterSwitchOn(grpc::ServerContext*, const v1::IsMasterSwitchOnRequest*, v1::SwitchState*);
  grpc::Status RunCatalogJanitor(grpc::ServerContext*, const v1::RunCatalogJanitorRequest*,
                                 v1::RunCatalogJanitorResponse*);
  grpc::Status SetBalancer(grpc::ServerContext*, const v1::SetSwitchRequest*, v1::SwitchState*);
  grpc::Status IsBalancerOn(grpc::ServerContext*, const v1::IsBalancerOnRequest*, v1::SwitchState*);
  grpc::Status Balance(grpc::ServerContext*, const v1::BalanceRequest*, v1::BalanceResponse*);
  grpc::Status SetNormalizer(grpc::ServerContext*, const v1::SetSwitchRequest*, v1::SwitchState*);
  grpc::Status IsNormalizerOn(grpc::ServerContext*, const v1::IsNormalizerOnRequest*, v1::SwitchState*);
  grpc::Status Normalize(grpc::ServerContext*, const v1::NormalizeRequest*, v1::NormalizeResponse*);
  grpc::Status SetSplitOrMerge(grpc::ServerContext*, const v1::SetSplitOrMergeRequest*, v1::SwitchState*);
  grpc::Status IsSplitOrMergeOn(grpc::ServerContext*, const v1::IsSplitOrMergeOnRequest*, v1::SwitchState*);

  // Replication peers.
  grpc::Status AddReplicationPeer(grpc::ServerContext*, const v1::ReplicationPeer*, v1::ProcedureStarted*);
  grpc::Status UpdateReplicationPeer(grpc::ServerContext*, const v1::ReplicationPeer*, v1::ProcedureStarted*);
  grpc::Status RemoveReplicationPeer(grpc::ServerContext*, const v1::ReplicationPeerRequest*, v1::ProcedureStarted*);
  grpc::Status SwitchReplicationPeer(grpc::ServerContext*, const v1::SwitchReplicationPeerRequest*,
                                     v1::ProcedureStarted*);
  grpc::Status ListReplicationPeers(grpc::ServerContext*, const v1::ListReplicationPeersRequest*,
                                    v1::ListReplicationPeersResponse*);

  // Quotas.
  grpc::Status SetQuota(grpc::ServerContext*, const v1::SetQuotaRequest*, v1::Done*);
  grpc::Status SwitchRpcThrottle(grpc::ServerContext*, const v1::SetSwitchRequest*, v1::SwitchState*);
  grpc::Status IsRpcThrottleOn(grpc::ServerContext*, const v1::IsRpcThrottleOnRequest*, v1::SwitchState*);
  grpc::Status SwitchExceedThrottleQuota(grpc::ServerContext*, const v1::SetSwitchRequest*, v1::SwitchState*);
  grpc::Status ListQuotaTableSizes(grpc::ServerContext*, const v1::ListQuotaTableSizesRequest*,
                                   v1::ListQuotaTableSizesResponse*);

  // Users' rights.
  grpc::Status Grant(grpc::ServerContext*, const v1::GrantRequest*, v1::Done*);
  grpc::Status Revoke(grpc::ServerContext*, const v1::RevokeRequest*, v1::Done*);
  grpc::Status ListUserPermissions(grpc::ServerContext*, const v1::ListUserPermissionsRequest*,
                                   v1::ListUserPermissionsResponse*);
  grpc::Status GetSecurity(grpc::ServerContext*, const v1::GetSecurityRequest*, v1::Security*);

  // Records and chores.
  grpc::Status ListBalancerDecisions(grpc::ServerContext*, const v1::ListBalancerDecisionsRequest*,
                                     v1::ListBalancerDecisionsResponse*);
  grpc::Status ListBalancerRejections(grpc::ServerContext*, const v1::ListBalancerRejectionsRequest*,
                                      v1::ListBalancerRejectionsResponse*);
  grpc::Status FlushMasterStore(grpc::ServerContext*, const v1::FlushMasterStoreRequest*, v1::Done*);
  grpc::Status ListSlowCalls(grpc::ServerContext*, const v1::ListSlowCallsRequest*, v1::ListSlowCallsResponse*);
  grpc::Status ClearSlowCalls(grpc::ServerContext*, const v1::ClearSlowCallsRequest*, v1::SwitchState*);
  grpc::Status RollLog(grpc::ServerContext*, const v1::RollLogRequest*, v1::Done*);
  grpc::Status StopMaster(grpc::ServerContext*, const v1::StopMasterRequest*, v1::Done*);
  grpc::Status StopServer(grpc::ServerContext*, const v1::StopServerRequest*, v1::Done*);
  grpc::Status UpdateMasterConfiguration(grpc::ServerContext*, const v1::UpdateConfigurationRequest*, v1::Done*);
  grpc::Status UpdateConfiguration(grpc::ServerContext*, const v1::UpdateConfigurationRequest*, v1::Done*);
  grpc::Status ClearBlockCache(grpc::ServerContext*, const v1::ClearBlockCacheRequest*, v1::ClearBlockCacheResponse*);

 private:
  struct AdminCall {
    const char* method;
    grpc::ServerContext& context;
    const google::protobuf::Message& request;
    const char* service = "MasterService";  // of HBase, for which the gate takes it
  };

  using Body = absl::FunctionRef<absl::Status(const Serving&)>;

  // Runs `body` once the server is running, and if it has the master.
  grpc::Status Answer(const AdminCall& call, Body body) const;
  // Runs `body` in the same way on any server. Where the master is elsewhere, `serving` has none.
  grpc::Status AnswerHere(const AdminCall& call, Body body) const;
  // Answers a call that waits for as long as some work takes, unless too many do so.
  grpc::Status AnswerWaiting(const AdminCall& call, Body body) const;
  // Calls `start`, which starts a procedure on the table called `name`: once, however often the request is sent.
  grpc::Status StartOnTable(const AdminCall& call, const std::string& name, v1::ProcedureStarted* response,
                            absl::FunctionRef<absl::StatusOr<int64_t>(const Serving&, const TableName&)> start) const;
  // Calls `start` on a region in the same way.
  grpc::Status StartOnRegion(const AdminCall& call, const std::string& region, v1::ProcedureStarted* response,
                             absl::FunctionRef<absl::StatusOr<int64_t>(Master&, const std::string&)> start) const;
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
