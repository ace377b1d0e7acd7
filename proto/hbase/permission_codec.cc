#include "proto/hbase/permission_codec.h"

#include "base/status.h"
#include "hbase/AccessControl.pb.h"
#include "proto/hbase/schema_codec.h"

namespace vaquita {
namespace {

template <typename Actions>
UserActions DecodeActions(const Actions& actions) {
  UserActions decoded;
  for (const int action : actions) decoded.Add(static_cast<UserAction>(action));
  return decoded;
}

template <typename Message>
void EncodeActions(UserActions actions, Message* out) {
  for (const UserAction action : kUserActions) {
    if (actions.Has(action)) out->add_action(static_cast<pb::Permission::Action>(action));
  }
}

}  // namespace

absl::StatusOr<Permission> DecodePermission(const pb::Permission& permission) {
  Permission decoded;
  switch (permission.type()) {
    case pb::Permission::Global:
      decoded.actions = DecodeActions(permission.global_permission().action());
      break;
    case pb::Permission::Namespace:
      decoded.scope = Permission::Scope::kNamespace;
      decoded.ns = permission.namespace_permission().namespace_name();
      VAQUITA_RETURN_IF_ERROR(CheckNamespaceName(decoded.ns));
      decoded.actions = DecodeActions(permission.namespace_permission().action());
      break;
    case pb::Permission::Table: {
      const pb::TablePermission& table = permission.table_permission();
      if (!table.has_table_name()) return IllegalArgument("a permission of a table that has no name");
      decoded.scope = Permission::Scope::kTable;
      VAQUITA_ASSIGN_OR_RETURN(decoded.table, DecodeTableName(table.table_name()));
      decoded.family = table.family();
      decoded.qualifier = table.qualifier();
      decoded.actions = DecodeActions(table.action());
      break;
    }
  }
  return decoded;
}

absl::StatusOr<UserPermission> DecodeUserPermission(const pb::UserPermission& permission) {
  UserPermission decoded{.user = permission.user(), .permission = {}};
  VAQUITA_ASSIGN_OR_RETURN(decoded.permission, DecodePermission(permission.permission()));
  return decoded;
}

absl::StatusOr<PermissionQuery> DecodePermissionQuery(const pb::GetUserPermissionsRequest& request) {
  PermissionQuery query;
  query.user = request.user_name();
  switch (request.type()) {
    case pb::Permission::Table: {
      if (!request.has_table_name()) return IllegalArgument("a question for the permissions of a table without a name");
      query.scope = Permission::Scope::kTable;
      VAQUITA_ASSIGN_OR_RETURN(query.table, DecodeTableName(request.table_name()));
      query.family = request.column_family();
      query.qualifier = request.column_qualifier();
      break;
    }
    case pb::Permission::Namespace:
      query.scope = Permission::Scope::kNamespace;
      query.ns = request.namespace_name();
      break;
    case pb::Permission::Global:
      break;
  }
  return query;
}

void EncodePermission(const Permission& permission, pb::Permission* out) {
  switch (permission.scope) {
    case Permission::Scope::kGlobal:
      out->set_type(pb::Permission::Global);
      EncodeActions(permission.actions, out->mutable_global_permission());
      break;
    case Permission::Scope::kNamespace:
      out->set_type(pb::Permission::Namespace);
      out->mutable_namespace_permission()->set_namespace_name(permission.ns);
      EncodeActions(permission.actions, out->mutable_namespace_permission());
      break;
    case Permission::Scope::kTable: {
      out->set_type(pb::Permission::Table);
      pb::TablePermission* const table = out->mutable_table_permission();
      EncodeTableName(permission.table, table->mutable_table_name());
      if (!permission.family.empty()) table->set_family(permission.family);
      if (!permission.qualifier.empty()) table->set_qualifier(permission.qualifier);
      EncodeActions(permission.actions, table);
      break;
    }
  }
}

void EncodeUserPermission(const UserPermission& permission, pb::UserPermission* out) {
  out->set_user(permission.user);
  EncodePermission(permission.permission, out->mutable_permission());
}

void EncodePermissionQuery(const PermissionQuery& query, pb::GetUserPermissionsRequest* out) {
  if (!query.user.empty()) out->set_user_name(query.user);
  switch (query.scope) {
    case Permission::Scope::kGlobal:
      out->set_type(pb::Permission::Global);
      break;
    case Permission::Scope::kNamespace:
      out->set_type(pb::Permission::Namespace);
      out->set_namespace_name(query.ns);
      break;
    case Permission::Scope::kTable:
      out->set_type(pb::Permission::Table);
      EncodeTableName(query.table, out->mutable_table_name());
      if (!query.family.empty()) out->set_column_family(query.family);
      if (!query.qualifier.empty()) out->set_column_qualifier(query.qualifier);
      break;
  }
}

}  // namespace vaquita
