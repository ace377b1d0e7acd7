#include "server/frontend/hbase/method_access.h"

#include <map>
#include <string>

#include "base/status.h"
#include "hbase/Admin.pb.h"
#include "hbase/Master.pb.h"
#include "hbase/Quota.pb.h"
#include "proto/hbase/schema_codec.h"
#include "server/access/permission_cells.h"

namespace vaquita::hbase {
namespace {

using enum UserAction;

struct AccessCall {
  const AccessControl& access;
  const ServiceCall& call;

  const Caller* caller() const { return call.rpc.context.caller; }
};

absl::Status OpenToAll(const AccessCall&) { return absl::OkStatus(); }
absl::Status ForAdmin(const AccessCall& call) { return call.access.RequireGlobally(call.caller(), kAdmin); }

absl::StatusOr<TableName> TableIn(const pb::TruncateTableRequest& request) {
  return DecodeTableName(request.tablename());
}
template <typename Request>
absl::StatusOr<TableName> TableIn(const Request& request) {
  return DecodeTableName(request.table_name());
}

// ADMIN or CREATE on the request's table.
template <typename Request>
absl::Status ToChangeTable(const AccessCall& call) {
  Request request;
  VAQUITA_RETURN_IF_ERROR(ParseParam(call.call.rpc, &request));
  VAQUITA_ASSIGN_OR_RETURN(const TableName table, TableIn(request));
  return call.access.RequireOnTable(call.caller(), table, {kAdmin, kCreate});
}

// The old name and the new descriptor's, which is the one that counts.
absl::Status ToModifyTable(const AccessCall& call) {
  pb::ModifyTableRequest request;
  VAQUITA_RETURN_IF_ERROR(ParseParam(call.call.rpc, &request));
  VAQUITA_ASSIGN_OR_RETURN(const TableName named, TableIn(request));
  VAQUITA_ASSIGN_OR_RETURN(const TableName described, DecodeTableName(request.table_schema().table_name()));
  VAQUITA_RETURN_IF_ERROR(call.access.RequireOnTable(call.caller(), named, {kAdmin, kCreate}));
  return call.access.RequireOnTable(call.caller(), described, {kAdmin, kCreate});
}

absl::Status ToDisableTable(const AccessCall& call) {
  pb::DisableTableRequest request;
  VAQUITA_RETURN_IF_ERROR(ParseParam(call.call.rpc, &request));
  VAQUITA_ASSIGN_OR_RETURN(const TableName table, TableIn(request));
  if (table == kAclTableName) {
    return Error(ErrorKind::kAccessDenied, "Not allowed to disable hbase:acl table with AccessController installed");
  }
  return call.access.RequireOnTable(call.caller(), table, {kAdmin, kCreate});
}

absl::Status ToCreateTable(const AccessCall& call) {
  pb::CreateTableRequest request;
  VAQUITA_RETURN_IF_ERROR(ParseParam(call.call.rpc, &request));
  VAQUITA_ASSIGN_OR_RETURN(const TableDescriptor table, DecodeTable(request.table_schema()));
  return call.access.RequireInNamespace(call.caller(), table.name.ns, {kAdmin, kCreate}, &table);
}

// The descriptors of named tables are refused; a list leaves them out.
absl::Status ToReadDescriptors(const AccessCall& call) {
  pb::GetTableDescriptorsRequest request;
  VAQUITA_RETURN_IF_ERROR(ParseParam(call.call.rpc, &request));
  if (request.has_regex()) return absl::OkStatus();
  for (const pb::TableName& name : request.table_names()) {
    VAQUITA_ASSIGN_OR_RETURN(const TableName table, DecodeTableName(name));
    if (!call.call.master->GetDescriptor(table).ok()) continue;
    VAQUITA_RETURN_IF_ERROR(call.access.RequireOnTable(call.caller(), table, {kAdmin, kCreate}));
  }
  return absl::OkStatus();
}

absl::Status ToReadNamespace(const AccessCall& call) {
  pb::GetNamespaceDescriptorRequest request;
  VAQUITA_RETURN_IF_ERROR(ParseParam(call.call.rpc, &request));
  return call.access.RequireInNamespace(call.caller(), request.namespacename(), {kAdmin});
}

// On the table of a region. The part of a name before the encoded one is only the client's word.
absl::Status ToChangeRegion(const AccessCall& call, const std::string& region,
                            std::initializer_list<UserAction> actions) {
  if (call.call.master != nullptr) {
    VAQUITA_ASSIGN_OR_RETURN(const TableName table, call.call.master->TableOfRegion(region));
    return call.access.RequireOnTable(call.caller(), table, actions);
  }
  VAQUITA_ASSIGN_OR_RETURN(const auto found, call.call.server.FindRegion(region));
  return call.access.RequireOnTable(call.caller(), found->info().table, actions);
}

std::vector<std::string> RegionsIn(const pb::MergeTableRegionsRequest& request) {
  std::vector<std::string> regions;
  for (const pb::RegionSpecifier& region : request.region()) regions.push_back(region.value());
  return regions;
}
std::vector<std::string> RegionsIn(const pb::DispatchMergingRegionsRequest& request) {
  return {request.region_a().value(), request.region_b().value()};
}
std::vector<std::string> RegionsIn(const pb::MergeRegionsRequest& request) {
  return {request.region_a().value(), request.region_b().value()};
}
template <typename Request>
std::vector<std::string> RegionsIn(const Request& request) {
  return {request.region().value()};
}

// ADMIN on the tables of the request's regions.
template <typename Request>
absl::Status ToAdministerRegions(const AccessCall& call) {
  Request request;
  VAQUITA_RETURN_IF_ERROR(ParseParam(call.call.rpc, &request));
  const std::vector<std::string> regions = RegionsIn(request);
  if (regions.empty()) return ForAdmin(call);
  for (const std::string& region : regions) VAQUITA_RETURN_IF_ERROR(ToChangeRegion(call, region, {kAdmin}));
  return absl::OkStatus();
}

// ADMIN or CREATE on the table of the request's region.
template <typename Request>
absl::Status ToMaintainRegion(const AccessCall& call) {
  Request request;
  VAQUITA_RETURN_IF_ERROR(ParseParam(call.call.rpc, &request));
  return ToChangeRegion(call, request.region().value(), {kAdmin, kCreate});
}

// The best row for a split may need a flush first.
absl::Status ToReadRegionInfo(const AccessCall& call) {
  pb::GetRegionInfoRequest request;
  VAQUITA_RETURN_IF_ERROR(ParseParam(call.call.rpc, &request));
  if (!request.best_split_row()) return absl::OkStatus();
  return ToChangeRegion(call, request.region().value(), {kAdmin, kCreate});
}

template <typename Request>
absl::Status ToAdministerRegionInfo(const AccessCall& call) {
  Request request;
  VAQUITA_RETURN_IF_ERROR(ParseParam(call.call.rpc, &request));
  VAQUITA_ASSIGN_OR_RETURN(const TableName table, DecodeTableName(request.region_info().table_name()));
  return call.access.RequireOnTable(call.caller(), table, {kAdmin});
}

// Flushes and snapshots of clients before 2.6.
absl::Status ToExecuteProcedure(const AccessCall& call) {
  pb::ExecProcedureRequest request;
  VAQUITA_RETURN_IF_ERROR(ParseParam(call.call.rpc, &request));
  const pb::ProcedureDescription& procedure = request.procedure();
  if (procedure.signature() == "flush-table-proc") {
    VAQUITA_ASSIGN_OR_RETURN(const TableName table, TableName::Parse(procedure.instance()));
    return call.access.RequireOnTable(call.caller(), table, {kAdmin, kCreate});
  }
  return ForAdmin(call);
}

absl::Status ToSetQuota(const AccessCall& call) {
  pb::SetQuotaRequest request;
  VAQUITA_RETURN_IF_ERROR(ParseParam(call.call.rpc, &request));
  if (!request.has_table_name()) return ForAdmin(call);
  VAQUITA_ASSIGN_OR_RETURN(const TableName table, TableIn(request));
  return call.access.RequireOnTable(call.caller(), table, {kAdmin});
}

absl::Status ToTakeSnapshot(const AccessCall& call) {
  pb::SnapshotRequest request;
  VAQUITA_RETURN_IF_ERROR(ParseParam(call.call.rpc, &request));
  VAQUITA_ASSIGN_OR_RETURN(const TableName table, TableName::Parse(request.snapshot().table()));
  return call.access.RequireOnTable(call.caller(), table, {kAdmin});
}

using Check = absl::Status (*)(const AccessCall&);
using Checks = std::map<std::string_view, Check>;

const Checks& MasterChecks() {
  static const auto* const kChecks = new Checks{
      {"CreateTable", &ToCreateTable},
      {"DeleteTable", &ToChangeTable<pb::DeleteTableRequest>},
      {"truncateTable", &ToChangeTable<pb::TruncateTableRequest>},
      {"EnableTable", &ToChangeTable<pb::EnableTableRequest>},
      {"DisableTable", &ToDisableTable},
      {"ModifyTable", &ToModifyTable},
      {"AddColumn", &ToChangeTable<pb::AddColumnRequest>},
      {"ModifyColumn", &ToChangeTable<pb::ModifyColumnRequest>},
      {"DeleteColumn", &ToChangeTable<pb::DeleteColumnRequest>},
      {"ModifyTableStoreFileTracker", &ToChangeTable<pb::ModifyTableStoreFileTrackerRequest>},
      {"ModifyColumnStoreFileTracker", &ToChangeTable<pb::ModifyColumnStoreFileTrackerRequest>},
      {"FlushTable", &ToChangeTable<pb::FlushTableRequest>},
      {"GetSchemaAlterStatus", &OpenToAll},
      {"GetTableDescriptors", &ToReadDescriptors},
      {"GetTableNames", &OpenToAll},
      {"ListTableDescriptorsByState", &OpenToAll},
      {"ListTableNamesByState", &OpenToAll},
      {"ListTableDescriptorsByNamespace", &OpenToAll},
      {"ListTableNamesByNamespace", &OpenToAll},
      {"GetTableState", &OpenToAll},
      {"getLastMajorCompactionTimestamp", &OpenToAll},
      {"getLastMajorCompactionTimestampForRegion", &OpenToAll},
      {"GetNamespaceDescriptor", &ToReadNamespace},
      {"ListNamespaceDescriptors", &OpenToAll},
      {"ListNamespaces", &OpenToAll},
      {"SplitRegion", &ToAdministerRegionInfo<pb::SplitTableRegionRequest>},
      {"TruncateRegion", &ToAdministerRegionInfo<pb::TruncateRegionRequest>},
      {"MergeTableRegions", &ToAdministerRegions<pb::MergeTableRegionsRequest>},
      {"DispatchMergingRegions", &ToAdministerRegions<pb::DispatchMergingRegionsRequest>},
      {"MoveRegion", &ToAdministerRegions<pb::MoveRegionRequest>},
      {"AssignRegion", &ToAdministerRegions<pb::AssignRegionRequest>},
      {"UnassignRegion", &ToAdministerRegions<pb::UnassignRegionRequest>},
      {"OfflineRegion", &ToAdministerRegions<pb::OfflineRegionRequest>},
      {"getProcedureResult", &OpenToAll},
      {"ExecProcedure", &ToExecuteProcedure},
      {"IsProcedureDone", &OpenToAll},
      {"SetQuota", &ToSetQuota},
      {"Snapshot", &ToTakeSnapshot},
      {"IsSnapshotDone", &OpenToAll},
      {"GetCompletedSnapshots", &OpenToAll},
      // The methods judge by the snapshot that they find.
      {"DeleteSnapshot", &OpenToAll},
      {"RestoreSnapshot", &OpenToAll},
      {"IsRestoreSnapshotDone", &OpenToAll},
      {"IsBalancerEnabled", &OpenToAll},
      {"IsSplitOrMergeEnabled", &OpenToAll},
      {"IsNormalizerEnabled", &OpenToAll},
      {"IsCatalogJanitorEnabled", &OpenToAll},
      {"IsCleanerChoreEnabled", &OpenToAll},
      {"IsSnapshotCleanupEnabled", &OpenToAll},
      {"IsReplicationPeerModificationEnabled", &OpenToAll},
      {"GetClusterStatus", &OpenToAll},
      {"IsMasterRunning", &OpenToAll},
      {"IsMasterInMaintenanceMode", &OpenToAll},
      {"getSecurityCapabilities", &OpenToAll},
      {"ExecMasterService", &OpenToAll},  // there is none
      // The methods check the permission that they are about.
      {"Grant", &OpenToAll},
      {"Revoke", &OpenToAll},
      {"GetUserPermissions", &OpenToAll},
      {"HasUserPermissions", &OpenToAll},
  };
  return *kChecks;
}

const Checks& ServerChecks() {
  static const auto* const kChecks = new Checks{
      {"GetRegionInfo", &ToReadRegionInfo},
      {"GetStoreFile", &OpenToAll},
      {"FlushRegion", &ToMaintainRegion<pb::FlushRegionRequest>},
      {"CompactRegion", &ToMaintainRegion<pb::CompactRegionRequest>},
      {"SplitRegion", &ToAdministerRegions<pb::SplitRegionRequest>},
      {"MergeRegions", &ToAdministerRegions<pb::MergeRegionsRequest>},
      {"GetOnlineRegion", &OpenToAll},
      {"GetRegionLoad", &OpenToAll},
      {"GetServerInfo", &OpenToAll},
      {"GetSpaceQuotaSnapshots", &OpenToAll},
  };
  return *kChecks;
}

}  // namespace

absl::Status CheckMethod(const AccessControl& access, std::string_view service, const ServiceCall& call) {
  const Checks& checks = service == "MasterService" ? MasterChecks() : ServerChecks();
  const auto check = checks.find(call.rpc.method);
  const AccessCall with{access, call};
  return check == checks.end() ? ForAdmin(with) : check->second(with);
}

bool MaySee(const ServiceCall& call, const TableName& table) {
  const AccessControl* access = call.server.access();
  return access == nullptr || access->MaySeeTable(call.rpc.context.caller, table);
}

bool MayAdminister(const ServiceCall& call, const TableName& table) {
  const AccessControl* access = call.server.access();
  return access == nullptr || access->MayAdminister(call.rpc.context.caller, table);
}

std::string OwnerFor(const ServiceCall& call) {
  return call.server.access() == nullptr || call.rpc.context.caller == nullptr ? "" : call.rpc.context.caller->name;
}

}  // namespace vaquita::hbase
