#include "server/access/permissions.h"

#include <algorithm>
#include <utility>

namespace vaquita {

Permissions::Permissions(std::vector<UserPermission> all, int64_t version) : all_(std::move(all)), version_(version) {
  for (const UserPermission& each : all_) {
    OfUser& user = users_[each.user];
    const Permission& permission = each.permission;
    switch (permission.scope) {
      case Permission::Scope::kGlobal:
        user.global.AddAll(permission.actions);
        break;
      case Permission::Scope::kNamespace:
        user.namespaces[permission.ns].AddAll(permission.actions);
        break;
      case Permission::Scope::kTable:
        user.tables[permission.table].push_back(permission);
        break;
    }
  }
}

bool Permissions::Globally(std::string_view user, UserAction action) const {
  const OfUser* found = Find(user);
  return found != nullptr && found->global.Has(action);
}

bool Permissions::InNamespace(const OfUser& user, std::string_view ns, UserAction action) {
  if (user.global.Has(action)) return true;
  const auto it = user.namespaces.find(ns);
  return it != user.namespaces.end() && it->second.Has(action);
}

bool Permissions::InNamespace(std::string_view user, std::string_view ns, UserAction action) const {
  const OfUser* found = Find(user);
  return found != nullptr && InNamespace(*found, ns, action);
}

bool Permissions::OnTable(std::string_view user, const TableName& table, std::string_view family,
                          std::string_view qualifier, UserAction action) const {
  const OfUser* found = Find(user);
  if (found == nullptr) return false;
  if (InNamespace(*found, table.ns, action)) return true;
  const auto it = found->tables.find(table);
  if (it == found->tables.end()) return false;
  return std::any_of(it->second.begin(), it->second.end(), [&](const Permission& permission) {
    if (!permission.actions.Has(action)) return false;
    if (!permission.family.empty() && permission.family != family) return false;
    return permission.qualifier.empty() || permission.qualifier == qualifier;
  });
}

bool Permissions::OnAnyPart(std::string_view user, const TableName& table, UserAction action) const {
  const OfUser* found = Find(user);
  if (found == nullptr) return false;
  if (InNamespace(*found, table.ns, action)) return true;
  const auto it = found->tables.find(table);
  if (it == found->tables.end()) return false;
  return std::any_of(it->second.begin(), it->second.end(),
                     [&](const Permission& permission) { return permission.actions.Has(action); });
}

std::vector<std::string> Permissions::Qualifiers(std::string_view user, const TableName& table, std::string_view family,
                                                 UserAction action) const {
  std::vector<std::string> qualifiers;
  const OfUser* found = Find(user);
  if (found == nullptr) return qualifiers;
  const auto it = found->tables.find(table);
  if (it == found->tables.end()) return qualifiers;
  for (const Permission& permission : it->second) {
    if (permission.family == family && !permission.qualifier.empty() && permission.actions.Has(action)) {
      qualifiers.push_back(permission.qualifier);
    }
  }
  std::sort(qualifiers.begin(), qualifiers.end());
  qualifiers.erase(std::unique(qualifiers.begin(), qualifiers.end()), qualifiers.end());
  return qualifiers;
}

}  // namespace vaquita
