// Commands over users' rights. Source: hbase-shell's commands of the group security, SecurityAdmin (2.6).
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/java_regex.h"
#include "base/status.h"
#include "model/permission.h"
#include "tools/shell/command.h"

namespace vaquita::shell {
namespace {

using Scope = Permission::Scope;

absl::Status CheckSecurity(Context& context) {
  VAQUITA_ASSIGN_OR_RETURN(const bool on, context.admin.HasAuthorization());
  return on ? absl::OkStatus() : ShellError("DISABLED: Security features are not available");
}

absl::Status CheckNamespaceExists(Context& context, const std::string& name) {
  const absl::Status found = context.admin.GetNamespace(name).status();
  if (IsError(found, ErrorKind::kNamespaceNotFound)) {
    return ShellError(absl::StrCat("Can't find a namespace: ", name));
  }
  return found;
}

// Reads what the rights are for: '@namespace', or a table, perhaps a family and a qualifier; nothing: everything.
absl::StatusOr<Permission> ThingArgument(Context& context, const Arguments& arguments, size_t from) {
  Permission thing;
  const std::string name = TextArgument(arguments, from);
  if (name.empty()) return thing;
  if (name.starts_with('@')) {
    thing.scope = Scope::kNamespace;
    thing.ns = name.substr(1);
    VAQUITA_RETURN_IF_ERROR(CheckNamespaceExists(context, thing.ns));
    return thing;
  }
  thing.scope = Scope::kTable;
  VAQUITA_ASSIGN_OR_RETURN(thing.table, TableName::Parse(name));
  thing.family = TextArgument(arguments, from + 1);
  thing.qualifier = TextArgument(arguments, from + 2);
  VAQUITA_ASSIGN_OR_RETURN(const bool exists, context.admin.TableExists(thing.table));
  if (!exists) return ShellError(absl::StrCat("Can't find a table: ", name));
  if (thing.family.empty()) return thing;
  VAQUITA_ASSIGN_OR_RETURN(const TableDescriptor table, context.admin.GetDescriptor(thing.table));
  if (!table.families.contains(thing.family)) {
    return ShellError(absl::StrCat("Can't find a family: ", thing.family));
  }
  return thing;
}

absl::StatusOr<Value> Grant(Context& context, Arguments& arguments) {
  if (arguments.empty() || arguments[0].AsString() == nullptr) return ShellError("First argument should be a String");
  const bool of_cells = arguments.size() > 1 && arguments[1].AsHash() != nullptr;
  if (!of_cells && (arguments.size() < 2 || arguments[1].AsString() == nullptr)) {
    return ShellError("Second argument should be a String or Hash");
  }
  VAQUITA_RETURN_IF_ERROR(CheckSecurity(context));
  if (of_cells) return ShellError("Rights to single cells are not supported; the second argument should be a String");
  const std::string letters = TextArgument(arguments, 1);
  if (letters.empty()) return ShellError("Invalid permission: no actions associated with user");
  VAQUITA_ASSIGN_OR_RETURN(const UserActions actions, UserActions::FromLetters(letters));
  VAQUITA_ASSIGN_OR_RETURN(Permission permission, ThingArgument(context, arguments, 2));
  permission.actions = actions;
  return NilOr(context.admin.Grant({TextArgument(arguments, 0), permission}, /*merge=*/false));
}

absl::StatusOr<Value> Revoke(Context& context, Arguments& arguments) {
  VAQUITA_RETURN_IF_ERROR(CheckSecurity(context));
  VAQUITA_ASSIGN_OR_RETURN(const Permission permission, ThingArgument(context, arguments, 1));
  return NilOr(context.admin.Revoke({TextArgument(arguments, 0), permission}));
}

// As AccessControlClient.getUserPermissions: of a namespace, of the tables that a pattern matches, or those everywhere.
absl::StatusOr<std::vector<UserPermission>> FindPermissions(Context& context, const std::string& pattern) {
  if (pattern.empty()) return context.admin.ListUserPermissions({});
  if (pattern.starts_with('@')) {
    return context.admin.ListUserPermissions({.scope = Scope::kNamespace, .ns = pattern.substr(1)});
  }
  VAQUITA_ASSIGN_OR_RETURN(const auto tables, context.admin.ListTableNames(pattern, /*system=*/true));
  std::vector<UserPermission> all;
  for (const TableName& table : tables) {
    VAQUITA_ASSIGN_OR_RETURN(auto of_table,
                             context.admin.ListUserPermissions({.scope = Scope::kTable, .table = table}));
    for (UserPermission& each : of_table) all.push_back(std::move(each));
  }
  return all;
}

absl::StatusOr<Value> ListUserPermissions(Context& context, Arguments& arguments) {
  context.formatter.Header({"User", "Namespace,Table,Family,Qualifier:Permission"});
  VAQUITA_RETURN_IF_ERROR(CheckSecurity(context));
  VAQUITA_ASSIGN_OR_RETURN(const auto permissions, FindPermissions(context, TextArgument(arguments, 0)));
  for (const UserPermission& each : permissions) {
    const Permission& what = each.permission;
    const bool of_table = what.scope == Scope::kTable;
    context.formatter.Row(
        {each.user, absl::StrCat(of_table ? what.table.ns : what.ns, ",", of_table ? what.table.ToString() : "", ",",
                                 ToStringBinary(what.family), ",", ToStringBinary(what.qualifier),
                                 ": [Permission: actions=", what.actions.Names(), "]")});
  }
  context.formatter.Footer(static_cast<int64_t>(permissions.size()));
  return Value();
}

// A client may say who it is without a proof (SIMPLE_AUTHENTICATION).
absl::StatusOr<Value> ListSecurityCapabilities(Context& context, Arguments&) {
  VAQUITA_ASSIGN_OR_RETURN(const bool on, context.admin.HasAuthorization());
  Array names = {Value("SIMPLE_AUTHENTICATION")};
  if (on) names.push_back(Value("AUTHORIZATION"));
  for (const Value& name : names) context.out << name.ToText() << "\n";
  return Value(std::move(names));
}

constexpr Command kSecurityCommands[] = {
    {"list_security_capabilities", 0, 0, ListSecurityCapabilities,
     "Lists what the cluster has of HBase's security.\n\n  hbase> list_security_capabilities\n"},
    {"grant", 0, Command::kAnyNumber, Grant,
     "Gives a user rights: letters of RWXCA, for reading, writing, executing, creating and administering. They are for "
     "a "
     "table, a family or a column, for a namespace, whose name begins with @, or for everything. They replace those "
     "that "
     "the user had for it.\n\n  hbase> grant 'ada', 'RW', 't1', 'f1', 'c1'\n  hbase> grant 'ada', 'RWC', '@ns1'\n  "
     "hbase> grant 'ada', 'A'\n"},
    {"revoke", 1, 4, Revoke,
     "Takes a user's rights to something away.\n\n  hbase> revoke 'ada', 't1', 'f1', 'c1'\n  hbase> revoke 'ada', "
     "'@ns1'\n  hbase> revoke 'ada'\n"},
    {"user_permission", 0, 1, ListUserPermissions,
     "Lists users' rights: those to everything, to a namespace, or to the tables that a pattern matches.\n\n  hbase> "
     "user_permission\n  hbase> user_permission '@ns1'\n  hbase> user_permission 't.*'\n"},
};

}  // namespace

std::span<const Command> SecurityCommands() { return kSecurityCommands; }

}  // namespace vaquita::shell
