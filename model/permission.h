// model/permission.h: users' rights, and the things that they are for.
//
// Source: org.apache.hadoop.hbase.security.access.Permission and its kin, UserPermission (2.6).
// Threads: plain data.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "model/table_name.h"

namespace vaquita {

// The values are those of HBase's messages; a wider scope's right includes all narrower ones.
enum class UserAction { kRead = 0, kWrite = 1, kExec = 2, kCreate = 3, kAdmin = 4 };
inline constexpr UserAction kUserActions[] = {UserAction::kRead, UserAction::kWrite, UserAction::kExec,
                                              UserAction::kCreate, UserAction::kAdmin};
const char* ActionName(UserAction action);  // "READ"

class UserActions {
 public:
  UserActions() = default;
  UserActions(std::initializer_list<UserAction> actions) {
    for (const UserAction action : actions) Add(action);
  }
  static UserActions All() {
    UserActions all;
    for (const UserAction action : kUserActions) all.Add(action);
    return all;
  }
  // Reads letters of "RWXCA". kIllegalArgument, naming the letter, for another one.
  static absl::StatusOr<UserActions> FromLetters(std::string_view letters);

  void Add(UserAction action) { bits_ |= Bit(action); }
  void AddAll(UserActions others) { bits_ |= others.bits_; }
  void RemoveAll(UserActions others) { bits_ &= static_cast<uint8_t>(~others.bits_); }
  bool Has(UserAction action) const { return (bits_ & Bit(action)) != 0; }
  bool empty() const { return bits_ == 0; }
  std::string Letters() const;  // "RW", in the order of "RWXCA", as HBase stores them
  std::string Names() const;    // "READ,WRITE"

  friend bool operator==(UserActions, UserActions) = default;

 private:
  static uint8_t Bit(UserAction action) { return static_cast<uint8_t>(1 << static_cast<int>(action)); }

  uint8_t bits_ = 0;
};

struct Permission {
  enum class Scope { kGlobal, kNamespace, kTable };

  Scope scope = Scope::kGlobal;
  std::string ns;         // kNamespace
  TableName table;        // kTable
  std::string family;     // empty: the whole table
  std::string qualifier;  // empty: the whole family
  UserActions actions;

  // Returns whether both are rights to the same thing.
  bool IsForTheSame(const Permission& other) const {
    return scope == other.scope && ns == other.ns && table == other.table && family == other.family &&
           qualifier == other.qualifier;
  }
  friend bool operator==(const Permission&, const Permission&) = default;
};

struct UserPermission {
  std::string user;  // or "@group"
  Permission permission;

  friend bool operator==(const UserPermission&, const UserPermission&) = default;
};

// Selects permissions, as GetUserPermissionsRequest does. Empty texts: any.
struct PermissionQuery {
  Permission::Scope scope = Permission::Scope::kGlobal;
  std::string ns;
  TableName table;
  std::string family;
  std::string qualifier;
  std::string user;
};

// Returns the query for the permissions of a user (empty: of all) to the thing that `permission` is for.
inline PermissionQuery QueryFor(const UserPermission& permission) {
  const Permission& what = permission.permission;
  return {what.scope, what.ns, what.table, what.family, what.qualifier, permission.user};
}

}  // namespace vaquita
