// server/access/permission_cells.h: permissions as cells of hbase:acl, where HBase keeps them.
//
// A row is a table's name, "@" and a namespace, or "hbase:acl" for what holds everywhere. A cell of family l has the
// qualifier "user", "user,family" or "user,family,qualifier", and letters of "RWXCA" as its value. Threads: any.
// Source: PermissionStorage (2.6).
#pragma once

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "model/permission.h"
#include "model/table_name.h"

namespace vaquita {

inline const TableName kAclTableName{"hbase", "acl"};
inline constexpr std::string_view kAclFamily = "l";

std::string AclRow(const Permission& permission);
std::string AclRowOfNamespace(std::string_view ns);
std::string AclQualifier(const UserPermission& permission);

// Returns the permission in a cell; kDeserialization, naming row and qualifier, if it has none.
absl::StatusOr<UserPermission> ReadAclCell(std::string_view row, std::string_view qualifier, std::string_view value);

// Checks that a permission can be stored and read back. kIllegalArgument, kUnsupportedOperation for a group.
absl::Status CheckStorable(const UserPermission& permission);

}  // namespace vaquita
