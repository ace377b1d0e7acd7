#include "server/frontend/hbase/user_rights.h"

#include "base/status.h"
#include "proto/hbase/permission_codec.h"
#include "server/access/access_control.h"
#include "server/access/permission_cells.h"
#include "server/frontend/hbase/master_service_methods.h"

namespace vaquita::hbase {
namespace {

absl::Status NotLoaded() {
  return Error(ErrorKind::kUnsupportedOperation,
               "org.apache.hadoop.hbase.security.access.AccessController is not loaded");
}

RightsCall RightsOf(const ServiceCall& call) { return {*call.master, call.server.access(), call.rpc.context.caller}; }

absl::Status Grant(const ServiceCall& call, const pb::GrantRequest& request, pb::GrantResponse*) {
  return GrantRights(RightsOf(call), request);
}

absl::Status Revoke(const ServiceCall& call, const pb::RevokeRequest& request, pb::RevokeResponse*) {
  return RevokeRights(RightsOf(call), request);
}

absl::Status GetUserPermissions(const ServiceCall& call, const pb::GetUserPermissionsRequest& request,
                                pb::GetUserPermissionsResponse* response) {
  return ListRights(RightsOf(call), request, response);
}

absl::Status HasUserPermissions(const ServiceCall& call, const pb::HasUserPermissionsRequest& request,
                                pb::HasUserPermissionsResponse* response) {
  return HasRights(RightsOf(call), request, response);
}

}  // namespace

absl::Status GrantRights(const RightsCall& call, const pb::GrantRequest& request) {
  if (call.access == nullptr) return NotLoaded();
  VAQUITA_ASSIGN_OR_RETURN(const UserPermission permission, DecodeUserPermission(request.user_permission()));
  return call.master.Grant(permission, request.merge_existing_permissions(),
                           [&] { return call.access->RequireToGrant(call.caller, permission); });
}

absl::Status RevokeRights(const RightsCall& call, const pb::RevokeRequest& request) {
  if (call.access == nullptr) return NotLoaded();
  VAQUITA_ASSIGN_OR_RETURN(const UserPermission permission, DecodeUserPermission(request.user_permission()));
  return call.master.Revoke(permission, [&] { return call.access->RequireToGrant(call.caller, permission); });
}

absl::Status ListRights(const RightsCall& call, const pb::GetUserPermissionsRequest& request,
                        pb::GetUserPermissionsResponse* response) {
  if (call.access == nullptr) return NotLoaded();
  VAQUITA_ASSIGN_OR_RETURN(PermissionQuery query, DecodePermissionQuery(request));
  VAQUITA_RETURN_IF_ERROR(call.access->RequireToList(call.caller, query));
  // The row of hbase:acl has the rights to everything, and superusers are not in it.
  const bool row_only = query.scope == Permission::Scope::kTable && query.table == kAclTableName;
  if (row_only) query = {.scope = Permission::Scope::kGlobal, .user = query.user};
  VAQUITA_ASSIGN_OR_RETURN(const auto permissions, call.master.ListPermissions(query));
  for (const UserPermission& permission : permissions) {
    if (row_only && call.access->superusers().contains(permission.user)) continue;
    EncodeUserPermission(permission, response->add_user_permission());
  }
  return absl::OkStatus();
}

absl::Status HasRights(const RightsCall& call, const pb::HasUserPermissionsRequest& request,
                       pb::HasUserPermissionsResponse* response) {
  if (call.access == nullptr) return NotLoaded();
  const std::string own = call.caller == nullptr ? "" : call.caller->name;
  for (const pb::Permission& message : request.permission()) {
    VAQUITA_ASSIGN_OR_RETURN(const Permission permission, DecodePermission(message));
    VAQUITA_ASSIGN_OR_RETURN(
        const bool has,
        call.access->HasPermission(call.caller, request.has_user_name() ? request.user_name() : own, permission));
    response->add_has_user_permission(has);
  }
  return absl::OkStatus();
}

bool IsRightsService(std::string_view service, const TableName& table) {
  return table == kAclTableName && (service == "hbase.pb.AccessControlService" || service == "AccessControlService");
}

absl::StatusOr<EndpointAnswer> CallRightsService(const RightsCall& call, std::string_view method,
                                                 std::string_view request) {
  const std::string package = "org.apache.hadoop.hbase.protobuf.generated.AccessControlProtos$";
  const auto malformed = [&] {
    return Error(ErrorKind::kDoNotRetryIO,
                 "AccessControlService." + std::string(method) + ": the message cannot be read");
  };
  if (method == "Grant") {
    pb::GrantRequest grant;
    VAQUITA_RETURN_IF_ERROR(CheckInnerParts(request, grant));
    if (!ParseMessage(request, &grant)) return malformed();
    VAQUITA_RETURN_IF_ERROR(GrantRights(call, grant));
    return EndpointAnswer{package + "GrantResponse", ""};
  }
  if (method == "Revoke") {
    pb::RevokeRequest revoke;
    VAQUITA_RETURN_IF_ERROR(CheckInnerParts(request, revoke));
    if (!ParseMessage(request, &revoke)) return malformed();
    VAQUITA_RETURN_IF_ERROR(RevokeRights(call, revoke));
    return EndpointAnswer{package + "RevokeResponse", ""};
  }
  if (method == "GetUserPermissions") {
    pb::GetUserPermissionsRequest query;
    VAQUITA_RETURN_IF_ERROR(CheckInnerParts(request, query));
    if (!ParseMessage(request, &query)) return malformed();
    pb::GetUserPermissionsResponse permissions;
    VAQUITA_RETURN_IF_ERROR(ListRights(call, query, &permissions));
    VAQUITA_ASSIGN_OR_RETURN(std::string bytes, SerializeAnswer(permissions));
    return EndpointAnswer{package + "GetUserPermissionsResponse", std::move(bytes)};
  }
  return Error(ErrorKind::kUnknownProtocol,
               "Unknown method " + std::string(method) + " called on AccessControlService");
}

void AddRightsMethods(ServiceMethods* methods) {
  using enum ServiceMethods::Pace;
  methods->Add("Grant", kWaits, &Grant);
  methods->Add("Revoke", kWaits, &Revoke);
  methods->Add("GetUserPermissions", kQuick, &GetUserPermissions);
  methods->Add("HasUserPermissions", kQuick, &HasUserPermissions);
}

}  // namespace vaquita::hbase
