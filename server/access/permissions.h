// server/access/permissions.h: everything that users were granted, as of one moment.
//
// A wider scope's right includes the narrower ones': everywhere, namespace, table, family, column. Threads: any;
// nothing changes after it was made. Source: AuthManager, TablePermission.implies (2.6).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "base/absl_text.h"
#include "model/permission.h"
#include "model/table_name.h"

namespace vaquita {

class Permissions {
 public:
  // `version` grows with each change, also from one master to the next.
  Permissions(std::vector<UserPermission> all, int64_t version);

  const std::vector<UserPermission>& all() const { return all_; }
  int64_t version() const { return version_; }

  bool Globally(std::string_view user, UserAction action) const;
  bool InNamespace(std::string_view user, std::string_view ns, UserAction action) const;
  // Empty `family`: the whole table; empty `qualifier`: the whole family.
  bool OnTable(std::string_view user, const TableName& table, std::string_view family, std::string_view qualifier,
               UserAction action) const;
  // Returns whether the user may do it with the table or with any part of it.
  bool OnAnyPart(std::string_view user, const TableName& table, UserAction action) const;
  // Returns the qualifiers of the family that the user was granted one by one.
  std::vector<std::string> Qualifiers(std::string_view user, const TableName& table, std::string_view family,
                                      UserAction action) const;

 private:
  struct OfUser {
    UserActions global;
    std::map<std::string, UserActions, std::less<>> namespaces;
    std::map<TableName, std::vector<Permission>> tables;
  };
  const OfUser* Find(std::string_view user) const {
    const auto it = users_.find(AbslText(user));
    return it == users_.end() ? nullptr : &it->second;
  }
  static bool InNamespace(const OfUser& user, std::string_view ns, UserAction action);

  const std::vector<UserPermission> all_;
  const int64_t version_;
  absl::flat_hash_map<std::string, OfUser> users_;
};

}  // namespace vaquita
