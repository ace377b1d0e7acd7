// AdminService's methods for users' rights.
#include "base/status.h"
#include "proto/vaquita/admin_codec.h"
#include "server/frontend/grpc/grpc_admin_service.h"

namespace vaquita {

grpc::Status GrpcAdminService::Grant(grpc::ServerContext* context, const v1::GrantRequest* request, v1::Done*) {
  return AnswerWaiting({__func__, *context, *request}, [&](const Serving& serving) -> absl::Status {
    UserPermission permission;
    VAQUITA_RETURN_IF_ERROR(FromProto(request->permission(), &permission));
    VAQUITA_ASSIGN_OR_RETURN(const Caller caller, slot_->CallerOf(*context));
    return serving.master->Grant(permission, request->merge(),
                                 [&] { return slot_->access()->RequireToGrant(&caller, permission); });
  });
}

grpc::Status GrpcAdminService::Revoke(grpc::ServerContext* context, const v1::RevokeRequest* request, v1::Done*) {
  return AnswerWaiting({__func__, *context, *request}, [&](const Serving& serving) -> absl::Status {
    UserPermission permission;
    VAQUITA_RETURN_IF_ERROR(FromProto(request->permission(), &permission));
    VAQUITA_ASSIGN_OR_RETURN(const Caller caller, slot_->CallerOf(*context));
    return serving.master->Revoke(permission, [&] { return slot_->access()->RequireToGrant(&caller, permission); });
  });
}

grpc::Status GrpcAdminService::ListUserPermissions(grpc::ServerContext* context,
                                                   const v1::ListUserPermissionsRequest* request,
                                                   v1::ListUserPermissionsResponse* response) {
  return Answer({__func__, *context, *request}, [&](const Serving& serving) -> absl::Status {
    UserPermission asked;
    VAQUITA_RETURN_IF_ERROR(FromProto(request->query(), &asked));
    const PermissionQuery query = QueryFor(asked);
    VAQUITA_ASSIGN_OR_RETURN(const Caller caller, slot_->CallerOf(*context));
    if (slot_->access() != nullptr) VAQUITA_RETURN_IF_ERROR(slot_->access()->RequireToList(&caller, query));
    VAQUITA_ASSIGN_OR_RETURN(const auto permissions, serving.master->ListPermissions(query));
    for (const UserPermission& permission : permissions) ToProto(permission, response->add_permissions());
    return absl::OkStatus();
  });
}

grpc::Status GrpcAdminService::GetSecurity(grpc::ServerContext* context, const v1::GetSecurityRequest* request,
                                           v1::Security* response) {
  return Answer({__func__, *context, *request}, [&](const Serving&) {
    response->set_authorization(slot_->access() != nullptr);
    return absl::OkStatus();
  });
}

}  // namespace vaquita
