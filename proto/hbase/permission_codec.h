// proto/hbase/permission_codec.h: translates users' rights to and from HBase's messages.
//
// Errors of the decoders: kIllegalArgument, if a part is missing; TableName::Parse's. Threads: any.
// Source: ShadedAccessControlUtil (2.6).
#pragma once

#include "absl/status/statusor.h"
#include "model/permission.h"
#include "proto/hbase/pb.h"

namespace hbase::pb {
class GetUserPermissionsRequest;
class Permission;
class UserPermission;
}  // namespace hbase::pb

namespace vaquita {

absl::StatusOr<Permission> DecodePermission(const pb::Permission& permission);
absl::StatusOr<UserPermission> DecodeUserPermission(const pb::UserPermission& permission);
absl::StatusOr<PermissionQuery> DecodePermissionQuery(const pb::GetUserPermissionsRequest& request);

void EncodePermission(const Permission& permission, pb::Permission* out);
void EncodeUserPermission(const UserPermission& permission, pb::UserPermission* out);
void EncodePermissionQuery(const PermissionQuery& query, pb::GetUserPermissionsRequest* out);

}  // namespace vaquita
