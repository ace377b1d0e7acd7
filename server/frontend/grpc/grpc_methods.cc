#include "server/frontend/grpc/grpc_methods.h"

namespace vaquita {

void AddMethods(GrpcDataService* data, GrpcBoundedService* service) {
  service->Add("Get", data, &GrpcDataService::Get);
  service->AddStream("Scan", data, &GrpcDataService::Scan);
  service->Add("Mutate", data, &GrpcDataService::Mutate);
  service->Add("CheckAndMutate", data, &GrpcDataService::CheckAndMutate);
  service->Add("Batch", data, &GrpcDataService::Batch);
  service->Add("Aggregate", data, &GrpcDataService::Aggregate);
}

void AddMethods(GrpcAdminService* admin, GrpcBoundedService* service) {
  using Admin = v1::AdminService::Service;
  Admin* const as_admin = admin;
  service->Add("CreateTable", as_admin, &Admin::CreateTable);
  service->Add("DeleteTable", as_admin, &Admin::DeleteTable);
  service->Add("TruncateTable", as_admin, &Admin::TruncateTable);
  service->Add("EnableTable", as_admin, &Admin::EnableTable);
  service->Add("DisableTable", as_admin, &Admin::DisableTable);
  service->Add("ModifyTable", as_admin, &Admin::ModifyTable);
  service->Add("GetTableDescriptor", as_admin, &Admin::GetTableDescriptor);
  service->Add("GetTableState", as_admin, &Admin::GetTableState);
  service->Add("ListTables", as_admin, &Admin::ListTables);
  service->Add("GetProcedure", as_admin, &Admin::GetProcedure);
  service->Add("WaitForProcedure", as_admin, &Admin::WaitForProcedure);
  service->Add("ListProcedures", as_admin, &Admin::ListProcedures);
  service->Add("CreateNamespace", as_admin, &Admin::CreateNamespace);
  service->Add("ModifyNamespace", as_admin, &Admin::ModifyNamespace);
  service->Add("DeleteNamespace", as_admin, &Admin::DeleteNamespace);
  service->Add("GetNamespace", as_admin, &Admin::GetNamespace);
  service->Add("ListNamespaces", as_admin, &Admin::ListNamespaces);
  service->Add("ListRegions", as_admin, &Admin::ListRegions);
  service->Add("LocateRow", as_admin, &Admin::LocateRow);
  service->Add("Flush", as_admin, &Admin::Flush);
  service->Add("Compact", as_admin, &Admin::Compact);
  service->Add("SplitRegion", as_admin, &Admin::SplitRegion);
  service->Add("MergeRegions", as_admin, &Admin::MergeRegions);
  service->Add("MoveRegion", as_admin, &Admin::MoveRegion);
  service->Add("AssignRegion", as_admin, &Admin::AssignRegion);
  service->Add("UnassignRegion", as_admin, &Admin::UnassignRegion);
  service->Add("TruncateRegion", as_admin, &Admin::TruncateRegion);
  service->Add("ListRegionsInTransition", as_admin, &Admin::ListRegionsInTransition);
  service->Add("Snapshot", as_admin, &Admin::Snapshot);
  service->Add("ListSnapshots", as_admin, &Admin::ListSnapshots);
  service->Add("RestoreSnapshot", as_admin, &Admin::RestoreSnapshot);
  service->Add("DeleteSnapshot", as_admin, &Admin::DeleteSnapshot);
  service->Add("GetClusterStatus", as_admin, &Admin::GetClusterStatus);
  service->Add("CheckConsistency", as_admin, &Admin::CheckConsistency);
  service->Add("GetRegionMetrics", as_admin, &Admin::GetRegionMetrics);
  service->Add("DecommissionServers", as_admin, &Admin::DecommissionServers);
  service->Add("RecommissionServer", as_admin, &Admin::RecommissionServer);
  service->Add("ListDecommissionedServers", as_admin, &Admin::ListDecommissionedServers);
  service->Add("SwitchCompactions", as_admin, &Admin::SwitchCompactions);
  service->Add("SetMasterSwitch", as_admin, &Admin::SetMasterSwitch);
  service->Add("IsMasterSwitchOn", as_admin, &Admin::IsMasterSwitchOn);
  service->Add("RunCatalogJanitor", as_admin, &Admin::RunCatalogJanitor);
  service->Add("SetBalancer", as_admin, &Admin::SetBalancer);
  service->Add("IsBalancerOn", as_admin, &Admin::IsBalancerOn);
  service->Add("Balance", as_admin, &Admin::Balance);
  service->Add("SetNormalizer", as_admin, &Admin::SetNormalizer);
  service->Add("IsNormalizerOn", as_admin, &Admin::IsNormalizerOn);
  service->Add("Normalize", as_admin, &Admin::Normalize);
  service->Add("SetSplitOrMerge", as_admin, &Admin::SetSplitOrMerge);
  service->Add("IsSplitOrMergeOn", as_admin, &Admin::IsSplitOrMergeOn);
  service->Add("AddReplicationPeer", as_admin, &Admin::AddReplicationPeer);
  service->Add("UpdateReplicationPeer", as_admin, &Admin::UpdateReplicationPeer);
  service->Add("RemoveReplicationPeer", as_admin, &Admin::RemoveReplicationPeer);
  service->Add("SwitchReplicationPeer", as_admin, &Admin::SwitchReplicationPeer);
  service->Add("ListReplicationPeers", as_admin, &Admin::ListReplicationPeers);
  service->Add("SetQuota", as_admin, &Admin::SetQuota);
  service->Add("SwitchRpcThrottle", as_admin, &Admin::SwitchRpcThrottle);
  service->Add("IsRpcThrottleOn", as_admin, &Admin::IsRpcThrottleOn);
  service->Add("SwitchExceedThrottleQuota", as_admin, &Admin::SwitchExceedThrottleQuota);
  service->Add("ListQuotaTableSizes", as_admin, &Admin::ListQuotaTableSizes);
  service->Add("Grant", as_admin, &Admin::Grant);
  service->Add("Revoke", as_admin, &Admin::Revoke);
  service->Add("ListUserPermissions", as_admin, &Admin::ListUserPermissions);
  service->Add("GetSecurity", as_admin, &Admin::GetSecurity);
  service->Add("ListBalancerDecisions", as_admin, &Admin::ListBalancerDecisions);
  service->Add("ListBalancerRejections", as_admin, &Admin::ListBalancerRejections);
  service->Add("FlushMasterStore", as_admin, &Admin::FlushMasterStore);
  service->Add("ListSlowCalls", as_admin, &Admin::ListSlowCalls);
  service->Add("ClearSlowCalls", as_admin, &Admin::ClearSlowCalls);
  service->Add("RollLog", as_admin, &Admin::RollLog);
  service->Add("ClearBlockCache", as_admin, &Admin::ClearBlockCache);
  service->Add("StopMaster", as_admin, &Admin::StopMaster);
  service->Add("StopServer", as_admin, &Admin::StopServer);
  service->Add("UpdateMasterConfiguration", as_admin, &Admin::UpdateMasterConfiguration);
  service->Add("UpdateConfiguration", as_admin, &Admin::UpdateConfiguration);
}

}  // namespace vaquita
