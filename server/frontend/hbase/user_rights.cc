#include "server/frontend/hbase/user_rights.h"

#include "base/status.h"
#include "hbase/AccessControl.pb.h"
#include "proto/hbase/pb.h"
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

absl::Status Grant(const RightsCall& call, const pb::GrantRequest& request, pb::GrantResponse*) {
  if (call.access == nullptr) return NotLoaded();
  VAQUITA_ASSIGN_OR_RETURN(const UserPermission permission, DecodeUserPermission(request.user_permission()));
  return call.master.Grant(permission, request.merge_existing_permissions(),
                           [&] { return call.access->RequireToGrant(call.caller, permission); });
}

absl::Status Revoke(const RightsCall& call, const pb::RevokeRequest& request, pb::RevokeResponse*) {
  if (call.access == nullptr) return NotLoaded();
  VAQUITA_ASSIGN_OR_RETURN(const UserPermission permission, DecodeUserPermission(request.user_permission()));
  return call.master.Revoke(permission, [&] { return call.access->RequireToGrant(call.caller, permission); });
}

absl::Status GetUserPermissions(const RightsCall& call, const pb::GetUserPermissionsRequest& request,
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

absl::Status HasUserPermissions(const RightsCall& call, const pb::HasUserPermissionsRequest& request,
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

// Makes a method of MasterService of one of those above.
template <auto kMethod, typename Request, typename Response>
absl::Status MasterMethod(const ServiceCall& call, const Request& request, Response* response) {
  return kMethod({*call.master, call.server.access(), call.rpc.context.caller}, request, response);
}

// Runs one of those above as AccessControlService's `name`.
template <typename Request, typename Response>
absl::StatusOr<EndpointAnswer> Answer(const RightsCall& call, std::string_view name, std::string_view bytes,
                                      absl::Status (*method)(const RightsCall&, const Request&, Response*)) {
  Request request;
  VAQUITA_RETURN_IF_ERROR(CheckInnerParts(bytes, request));
  if (!ParseMessage(bytes, &request)) {
    return Error(ErrorKind::kDoNotRetryIO,
                 "AccessControlService." + std::string(name) + ": the message cannot be read");
  }
  Response response;
  VAQUITA_RETURN_IF_ERROR(method(call, request, &response));
  EndpointAnswer answer{"org.apache.hadoop.hbase.protobuf.generated.AccessControlProtos$", ""};
  answer.message_class.append(name).append("Response");
  VAQUITA_ASSIGN_OR_RETURN(answer.message, SerializeAnswer(response));
  return answer;
}

}  // namespace

bool IsRightsService(std::string_view service, const TableName& table) {
  return table == kAclTableName && (service == "hbase.pb.AccessControlService" || service == "AccessControlService");
}

absl::StatusOr<EndpointAnswer> CallRightsService(const RightsCall& call, std::string_view method,
                                                 std::string_view request) {
  if (method == "Grant") return Answer(call, method, request, &Grant);
  if (method == "Revoke") return Answer(call, method, request, &Revoke);
  if (method == "GetUserPermissions") return Answer(call, method, request, &GetUserPermissions);
  return Error(ErrorKind::kUnknownProtocol,
               "Unknown method " + std::string(method) + " called on AccessControlService");
}

void AddRightsMethods(ServiceMethods* methods) {
  using enum ServiceMethods::Pace;
  methods->Add("Grant", kWaits, &MasterMethod<&Grant, pb::GrantRequest, pb::GrantResponse>);
  methods->Add("Revoke", kWaits, &MasterMethod<&Revoke, pb::RevokeRequest, pb::RevokeResponse>);
  methods->Add("GetUserPermissions", kQuick,
               &MasterMethod<&GetUserPermissions, pb::GetUserPermissionsRequest, pb::GetUserPermissionsResponse>);
  methods->Add("HasUserPermissions", kQuick,
               &MasterMethod<&HasUserPermissions, pb::HasUserPermissionsRequest, pb::HasUserPermissionsResponse>);
}

}  // namespace vaquita::hbase
