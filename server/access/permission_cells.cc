#include "server/access/permission_cells.h"

#include "absl/strings/str_cat.h"
#include "base/absl_text.h"
#include "base/status.h"
#include "base/unicode.h"
#include "model/region_info.h"
#include "model/table_name.h"

namespace vaquita {
namespace {

constexpr char kDelimiter = ',';

// "user,family,qualifier" and its shorter forms. A qualifier may have commas, the others have none (CheckStorable).
void SplitAclQualifier(std::string_view text, UserPermission* out) {
  const size_t user_end = text.find(kDelimiter);
  out->user = text.substr(0, user_end);
  if (user_end == std::string_view::npos) return;
  const std::string_view rest = text.substr(user_end + 1);
  const size_t family_end = rest.find(kDelimiter);
  out->permission.family = rest.substr(0, family_end);
  if (family_end != std::string_view::npos) out->permission.qualifier = rest.substr(family_end + 1);
}

}  // namespace

std::string AclRowOfNamespace(std::string_view ns) { return absl::StrCat("@", AbslText(ns)); }

std::string AclRow(const Permission& permission) {
  switch (permission.scope) {
    case Permission::Scope::kNamespace:
      return AclRowOfNamespace(permission.ns);
    case Permission::Scope::kTable:
      return permission.table.ToString();
    case Permission::Scope::kGlobal:
      break;
  }
  return kAclTableName.ToString();
}

std::string AclQualifier(const UserPermission& permission) {
  std::string text = permission.user;
  if (permission.permission.scope != Permission::Scope::kTable || permission.permission.family.empty()) return text;
  text += kDelimiter + permission.permission.family;
  if (!permission.permission.qualifier.empty()) text += kDelimiter + permission.permission.qualifier;
  return text;
}

absl::StatusOr<UserPermission> ReadAclCell(std::string_view row, std::string_view qualifier, std::string_view value) {
  UserPermission read;
  const auto actions = UserActions::FromLetters(value);
  const auto unreadable = [&](std::string_view why) {
    return Error(ErrorKind::kDeserialization, absl::StrCat("row ", ToStringBinary(row), " of hbase:acl, column l:",
                                                           ToStringBinary(qualifier), ": ", AbslText(why)));
  };
  if (!actions.ok()) return unreadable(StdText(actions.status().message()));
  read.permission.actions = *actions;
  if (row == kAclTableName.ToString()) {
    read.user = qualifier;
  } else if (row.starts_with('@')) {
    read.user = qualifier;
    read.permission.scope = Permission::Scope::kNamespace;
    read.permission.ns = row.substr(1);
    const absl::Status legal = CheckNamespaceName(read.permission.ns);
    if (!legal.ok()) return unreadable(StdText(legal.message()));
  } else {
    auto table = TableName::Parse(row);
    if (!table.ok()) return unreadable(StdText(table.status().message()));
    read.permission.scope = Permission::Scope::kTable;
    read.permission.table = *std::move(table);
    SplitAclQualifier(qualifier, &read);
  }
  if (read.user.empty()) return unreadable("it names no user");
  if (!IsUtf8(read.user)) return unreadable("its user is not UTF-8");
  return read;
}

absl::Status CheckStorable(const UserPermission& permission) {
  if (permission.user.empty()) return IllegalArgument("a permission without a user");
  // HBase keeps such a name with U+FFFD in it, which nobody's name is. Region servers could not read it at all.
  if (!IsUtf8(permission.user)) {
    return IllegalArgument("the user " + ToStringBinary(permission.user) + " is not UTF-8");
  }
  if (permission.user.starts_with('@')) {
    return Error(ErrorKind::kUnsupportedOperation,
                 permission.user + ": Vaquita does not know users' groups; grant the right to each user");
  }
  if (permission.user.find(kDelimiter) != std::string::npos) {
    return IllegalArgument("the user " + permission.user +
                           " has a comma, which separates user and family in hbase:acl");
  }
  if (permission.permission.family.find(kDelimiter) != std::string::npos) {
    return IllegalArgument("the family " + permission.permission.family +
                           " has a comma, which separates family and qualifier in hbase:acl; grant the right to the "
                           "whole table");
  }
  if (permission.permission.scope == Permission::Scope::kTable && permission.permission.table == kAclTableName) {
    return IllegalArgument(
        "hbase:acl has the rights that hold everywhere in the row of its own name, so a right to the "
        "table would be one to all tables; grant the right to the namespace hbase, or everywhere");
  }
  if (permission.permission.family.empty() && !permission.permission.qualifier.empty()) {
    return IllegalArgument("a permission with a qualifier, and without a family");
  }
  return absl::OkStatus();
}

}  // namespace vaquita
