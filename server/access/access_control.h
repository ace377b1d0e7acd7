// server/access/access_control.h: finds a client's user, and whether that user may do what the client asks for. The one
// place of both.
//
// A process has one while hbase.security.authorization is true; otherwise it has none, and the checks cost a comparison
// with null. Front ends establish a connection's or call's Caller (Establish). The region server checks data
// operations, and the front ends ask before they call the master. A caller that is null or unknown has no right.
//
// Errors of checks: kAccessDenied, in HBase's words. Threads: any. Source: AccessController, AccessChecker, AuthResult
// (2.6); docs/design/users.md has where the rules differ.
#pragma once

#include <initializer_list>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/caller.h"
#include "base/sasl/principal_rules.h"
#include "model/operations.h"
#include "model/permission.h"
#include "model/snapshot_description.h"
#include "model/table_descriptor.h"
#include "server/access/delegation_tokens.h"
#include "server/access/permissions.h"
#include "server/access/tokens.h"

namespace vaquita {

struct Options;

class AccessControl {
 public:
  // Null if options.authorization is false. `process_token` is the token of the cluster's processes. InvalidArgument,
  // naming the option, if the token file, the superusers or, with Kerberos, the principal or the rules cannot be used.
  static absl::StatusOr<std::unique_ptr<AccessControl>> Create(const Options& options,
                                                               const std::string& process_token);

  // --- Who

  // Returns the caller that the claim shows. kAccessDenied, with the reason, if the client is nobody.
  absl::StatusOr<Caller> Establish(const CallerClaim& claim) const;
  // Returns the caller for work that the process does by itself.
  const Caller& process() const { return process_; }
  const std::set<std::string, std::less<>>& superusers() const { return superusers_; }
  // Null unless hbase.security.authentication is kerberos.
  DelegationTokens* delegation_tokens() const { return delegation_tokens_.get(); }

  // --- What. Each returns OK if the caller may.

  // One of the actions, everywhere.
  absl::Status RequireGlobally(const Caller* caller, UserAction action) const;
  // One of the actions, in the namespace. `table` and `families` of a table that is to be made are only words of the
  // error.
  absl::Status RequireInNamespace(const Caller* caller, std::string_view ns, std::initializer_list<UserAction> actions,
                                  const TableDescriptor* table = nullptr, std::string_view filter_user = {}) const;
  // One of the actions, on the table, the family or the column.
  absl::Status RequireOnTable(const Caller* caller, const TableName& table, std::initializer_list<UserAction> actions,
                              std::string_view family = {}, std::string_view qualifier = {},
                              std::string_view filter_user = {}) const;
  absl::Status RequireSuperuser(const Caller* caller, std::string_view what) const;
  bool MaySeeTable(const Caller* caller, const TableName& table) const;    // any action on any part of it
  bool MayAdminister(const Caller* caller, const TableName& table) const;  // ADMIN or CREATE
  bool MayAdministerNamespace(const Caller* caller, std::string_view ns) const;
  // ADMIN everywhere, unless the snapshot is the caller's own.
  absl::Status RequireAsOwner(const Caller* caller, std::string_view owner) const;
  bool IsOwnerOrAdmin(const Caller* caller, std::string_view owner) const { return RequireAsOwner(caller, owner).ok(); }
  // To make table `to` from a snapshot; `exists`: it is there already.
  absl::Status RequireToRestore(const Caller* caller, const SnapshotDescription& snapshot, const TableName& to,
                                bool exists) const;
  // To grant or revoke the permission.
  absl::Status RequireToGrant(const Caller* caller, const UserPermission& permission) const;
  absl::Status RequireToList(const Caller* caller, const PermissionQuery& query) const;
  // Returns whether `user` has all the actions of the permission. The caller may ask for itself, or has ADMIN.
  absl::StatusOr<bool> HasPermission(const Caller* caller, std::string_view user, const Permission& permission) const;

  // Data. `narrowed` gets the part of `columns` that the caller may read; it stays empty if that is all of it.
  // `exists`: only whether there is a cell is asked for, for which HBase wants a right to the whole table unless
  // columns are named.
  absl::Status CheckRead(const Caller* caller, const TableDescriptor& table, const ColumnSelection& columns,
                         bool exists, std::optional<ColumnSelection>* narrowed) const;
  absl::Status CheckMutation(const Caller* caller, const TableDescriptor& table, const Mutation& mutation) const;
  absl::Status CheckCondition(const Caller* caller, const TableDescriptor& table, const CheckAndMutate& check) const;
  // A call of a coprocessor's service, which reads without saying what.
  absl::Status CheckEndpoint(const Caller* caller, const TableName& table, bool reads) const;
  // The next call of a scanner that `owner` opened.
  absl::Status CheckScannerOwner(const Caller* caller, std::string_view owner) const;

  // --- Permissions

  std::shared_ptr<const Permissions> permissions() const {
    std::lock_guard lock(mutex_);
    return permissions_;
  }
  // Takes newer permissions; older ones are ignored. Until the first ones only superusers have rights.
  void Update(std::shared_ptr<const Permissions> permissions);

 private:
  AccessControl(std::set<std::string, std::less<>> superusers, Caller process, std::string process_token,
                std::unique_ptr<TokenFile> tokens, bool believe_names, bool exec_checks);
  absl::StatusOr<Caller> Recognize(const CallerClaim& claim) const;
  absl::StatusOr<std::string> UserNamed(std::string_view name) const;
  absl::Status CheckColumn(const Caller* caller, const TableName& table, std::string_view family,
                           std::string_view qualifier, UserAction action) const;
  bool Has(const Permissions& permissions, const Caller* caller, const TableName& table, std::string_view family,
           std::string_view qualifier, UserAction action) const {
    if (caller == nullptr) return false;
    return caller->superuser || permissions.OnTable(caller->name, table, family, qualifier, action);
  }

  const std::set<std::string, std::less<>> superusers_;
  const Caller process_;
  const std::string process_token_;  // its hash; empty: there is none
  const std::unique_ptr<TokenFile> tokens_;
  const bool believe_names_;
  const bool exec_checks_;
  // With Kerberos.
  std::unique_ptr<PrincipalRules> principal_rules_;
  std::unique_ptr<DelegationTokens> delegation_tokens_;
  mutable std::mutex mutex_;
  std::shared_ptr<const Permissions> permissions_;  // never null
};

}  // namespace vaquita
