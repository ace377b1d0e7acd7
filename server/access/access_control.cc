#include "server/access/access_control.h"

#include <algorithm>
#include <map>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "base/absl_text.h"
#include "base/options.h"
#include "base/os_user.h"
#include "base/status.h"
#include "server/access/permission_cells.h"

namespace vaquita {
namespace {

absl::Status Denied(std::string_view message) { return Error(ErrorKind::kAccessDenied, message); }

std::string NameOf(const Caller* caller) { return caller == nullptr ? "null" : caller->name; }

std::string FullName(const TableName& table) { return table.ns + ":" + table.qualifier; }

std::string ColumnText(std::string_view family, std::string_view qualifier, bool names_qualifier) {
  return names_qualifier ? absl::StrCat(AbslText(family), ":", AbslText(qualifier)) : std::string(family);
}

// A refusal in HBase's words (AuthResult.toContextString).
struct Refusal {
  const Caller* caller;
  UserAction action;
  std::string scope;
  std::string family = {};  // as ColumnText has it
  // Beside the scope, what was asked for.
  std::vector<std::string> params;

  absl::Status Say() const {
    return Denied(absl::StrCat("Insufficient permissions (user=", caller == nullptr ? "UNKNOWN" : caller->name,
                               ", scope=", scope, ", ", family.empty() ? "" : absl::StrCat("family=", family, ", "),
                               "params=[", absl::StrJoin(params, ","), "],action=", ActionName(action), ")"));
  }
};

std::string FilterUserParam(std::string_view user) {
  return user.empty() ? "" : absl::StrCat("filterUser=", AbslText(user));
}

absl::Status ReadDenied(const Caller* caller, const TableName& table) {
  return Denied(absl::StrCat("Insufficient permissions for user '", NameOf(caller), "' (table=", table.ToString(),
                             ", action=READ)"));
}

absl::Status ColumnDenied(const Caller* caller, const TableName& table, std::string_view family,
                          std::string_view qualifier, UserAction action) {
  const std::string column = ColumnText(family, qualifier, /*names_qualifier=*/true);
  return Refusal{.caller = caller,
                 .action = action,
                 .scope = FullName(table),
                 .family = column,
                 .params = {"table=" + FullName(table), "family=" + column}}
      .Say();
}

absl::StatusOr<std::set<std::string, std::less<>>> ReadSuperusers(const std::string& list) {
  std::set<std::string, std::less<>> names;
  for (const absl::string_view part : absl::StrSplit(list, ',', absl::SkipWhitespace())) {
    const std::string name(absl::StripAsciiWhitespace(part));
    if (name.starts_with('@')) {
      return absl::InvalidArgumentError("hbase.superuser: Vaquita does not know users' groups; name each user, not " +
                                        name);
    }
    names.insert(name);
  }
  return names;
}

// Returns the qualifier of the column that the cell changes. A delete of a family is written without the one that a
// client may have given it.
std::string_view WrittenQualifier(const Cell& cell) {
  const bool whole_family = cell.type == CellType::kDeleteFamily || cell.type == CellType::kDeleteFamilyVersion;
  return whole_family ? std::string_view() : cell.qualifier;
}

std::string RealmOf(const std::string& principal) {
  const size_t at = principal.rfind('@');
  return at == std::string::npos ? "" : principal.substr(at + 1);
}

}  // namespace

AccessControl::AccessControl(std::set<std::string, std::less<>> superusers, Caller process, std::string process_token,
                             std::unique_ptr<TokenFile> tokens, bool believe_names, bool exec_checks)
    : superusers_(std::move(superusers)),
      process_(std::move(process)),
      process_token_(std::move(process_token)),
      tokens_(std::move(tokens)),
      believe_names_(believe_names),
      exec_checks_(exec_checks),
      permissions_(std::make_shared<Permissions>(std::vector<UserPermission>(), /*version=*/-1)) {}

absl::StatusOr<std::unique_ptr<AccessControl>> AccessControl::Create(const Options& options,
                                                                     const std::string& process_token) {
  if (!options.authorization) return nullptr;
  VAQUITA_ASSIGN_OR_RETURN(auto tokens, TokenFile::Open(options.token_file));
  VAQUITA_ASSIGN_OR_RETURN(auto superusers, ReadSuperusers(options.superusers));
  Caller process{.name = OsUserName(), .proof = Caller::Proof::kProcess, .superuser = true};
  superusers.insert(process.name);
  std::string process_hash = process_token.empty() ? "" : Tokens::Hash(process_token);
  std::unique_ptr<AccessControl> access(new AccessControl(std::move(superusers), std::move(process),
                                                          std::move(process_hash), std::move(tokens),
                                                          options.names_suffice(), options.exec_permission_checks));
  if (options.authentication == "simple") return access;
  const bool of_master = options.region_server_principal.empty();
  const std::string& principal = of_master ? options.master_principal : options.region_server_principal;
  const std::string realm = RealmOf(principal);
  if (realm.empty() && !principal.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        of_master ? "hbase.master.kerberos.principal" : "hbase.regionserver.kerberos.principal", " is \"", principal,
        "\" and needs its realm, as in hbase/_HOST@EXAMPLE.COM: DEFAULT in hadoop.security.auth_to_local is for it"));
  }
  VAQUITA_ASSIGN_OR_RETURN(access->principal_rules_, PrincipalRules::Parse(options.principal_rules, realm));
  access->delegation_tokens_ = std::make_unique<DelegationTokens>(process_token, options.delegation_token_ms);
  return access;
}

// Returns whom the client has shown to be, or says to be if that is enough.
absl::StatusOr<Caller> AccessControl::Recognize(const CallerClaim& claim) const {
  if (!claim.token.empty()) {
    const std::string hash = Tokens::Hash(claim.token);
    std::string name = hash == process_token_ ? process_.name : tokens_->UserOf(hash);
    if (name.empty()) return Denied("the server does not know the client's token");
    return Caller{.name = std::move(name), .proof = Caller::Proof::kToken};
  }
  if (!claim.principal.empty()) {
    VAQUITA_ASSIGN_OR_RETURN(std::string name, UserNamed(claim.principal));
    return Caller{
        .name = std::move(name), .principal = std::string(claim.principal), .proof = Caller::Proof::kKerberos};
  }
  if (!claim.delegation.empty()) {
    VAQUITA_ASSIGN_OR_RETURN(DelegationTokens::Holder holder, DelegationTokens::HolderOf(claim.delegation));
    if (!holder.is_principal) return Caller{.name = std::move(holder.name), .proof = Caller::Proof::kDelegation};
    VAQUITA_ASSIGN_OR_RETURN(std::string name, UserNamed(holder.name));
    return Caller{.name = std::move(name), .principal = std::move(holder.name), .proof = Caller::Proof::kDelegation};
  }
  if (!claim.certificate_name.empty()) {
    return Caller{.name = std::string(claim.certificate_name), .proof = Caller::Proof::kCertificate};
  }
  if (believe_names_ && !claim.said_name.empty()) {
    VAQUITA_ASSIGN_OR_RETURN(std::string name, UserNamed(claim.said_name));
    return Caller{.name = std::move(name), .proof = Caller::Proof::kWord};
  }
  if (principal_rules_ != nullptr)
    return Denied("Authentication is required: hbase.security.authentication is kerberos");
  return Denied(believe_names_ ? "the client does not say which user it is for"
                               : "the client shows no certificate and no token, and vaquita.users.simple is false");
}

// A client with Kerberos names users by their principals.
absl::StatusOr<std::string> AccessControl::UserNamed(std::string_view name) const {
  return principal_rules_ == nullptr ? std::string(name) : principal_rules_->UserOf(name);
}

absl::StatusOr<Caller> AccessControl::Establish(const CallerClaim& claim) const {
  VAQUITA_ASSIGN_OR_RETURN(Caller caller, Recognize(claim));
  caller.superuser = superusers_.contains(caller.name);
  if (!claim.acts_for.has_value() || claim.acts_for == caller.name) return caller;
  if (claim.acts_for->empty()) return Denied("User: " + caller.name + " acts for a user without a name");
  // A client with a token or a certificate names users. To find the user of such a name again could find another one.
  const bool names_principals = caller.proof != Caller::Proof::kToken && caller.proof != Caller::Proof::kCertificate;
  std::string acts_for(*claim.acts_for);
  if (names_principals) {
    VAQUITA_ASSIGN_OR_RETURN(acts_for, UserNamed(*claim.acts_for));
  }
  if (acts_for == caller.name) return caller;
  if (!caller.superuser || caller.proof == Caller::Proof::kDelegation) {
    return Denied(absl::StrCat("User: ", caller.name, " is not allowed to impersonate ", acts_for));
  }
  caller.name = std::move(acts_for);
  caller.principal = names_principals ? *claim.acts_for : "";
  caller.superuser = superusers_.contains(caller.name);
  return caller;
}

void AccessControl::Update(std::shared_ptr<const Permissions> permissions) {
  std::lock_guard lock(mutex_);
  if (permissions->version() > permissions_->version()) permissions_ = std::move(permissions);
}

// --- Administration

absl::Status AccessControl::RequireGlobally(const Caller* caller, UserAction action) const {
  if (caller != nullptr && (caller->superuser || permissions()->Globally(caller->name, action))) {
    return absl::OkStatus();
  }
  return Denied(absl::StrCat("Insufficient permissions for user '", NameOf(caller),
                             "' (global, action=", ActionName(action), ")"));
}

absl::Status AccessControl::RequireInNamespace(const Caller* caller, std::string_view ns,
                                               std::initializer_list<UserAction> actions, const TableDescriptor* table,
                                               std::string_view filter_user) const {
  const auto permissions = this->permissions();
  for (const UserAction action : actions) {
    if (caller == nullptr) break;
    if (caller->superuser || permissions->InNamespace(caller->name, ns, action)) return absl::OkStatus();
  }
  Refusal refusal{.caller = caller, .action = *(actions.end() - 1), .scope = std::string(ns), .params = {}};
  refusal.params.push_back(absl::StrCat("namespace=", AbslText(ns)));
  if (table == nullptr) {
    refusal.params.push_back(FilterUserParam(filter_user));
  } else {
    std::string families;
    for (const auto& [family, descriptor] : table->families) {
      absl::StrAppend(&families, families.empty() ? "" : "|", family);
    }
    refusal.params.push_back("table=" + FullName(table->name));
    refusal.params.push_back("family=" + families);
  }
  return refusal.Say();
}

absl::Status AccessControl::RequireOnTable(const Caller* caller, const TableName& table,
                                           std::initializer_list<UserAction> actions, std::string_view family,
                                           std::string_view qualifier, std::string_view filter_user) const {
  const auto permissions = this->permissions();
  for (const UserAction action : actions) {
    if (Has(*permissions, caller, table, family, qualifier, action)) return absl::OkStatus();
  }
  Refusal refusal{.caller = caller,
                  .action = *(actions.end() - 1),
                  .scope = FullName(table),
                  .family = ColumnText(family, qualifier, !qualifier.empty()),
                  .params = {"table=" + FullName(table)}};
  if (!refusal.family.empty()) refusal.params.push_back("family=" + refusal.family);
  refusal.params.push_back(FilterUserParam(filter_user));
  return refusal.Say();
}

absl::Status AccessControl::RequireSuperuser(const Caller* caller, std::string_view what) const {
  if (caller != nullptr && caller->superuser) return absl::OkStatus();
  return Denied(
      absl::StrCat("User '", NameOf(caller), "' is not system or super user, and ", AbslText(what), " is for those"));
}

bool AccessControl::MaySeeTable(const Caller* caller, const TableName& table) const {
  if (caller == nullptr) return false;
  const auto permissions = this->permissions();
  return caller->superuser || std::any_of(std::begin(kUserActions), std::end(kUserActions), [&](UserAction action) {
           return permissions->OnAnyPart(caller->name, table, action);
         });
}

bool AccessControl::MayAdminister(const Caller* caller, const TableName& table) const {
  return RequireOnTable(caller, table, {UserAction::kAdmin, UserAction::kCreate}).ok();
}

bool AccessControl::MayAdministerNamespace(const Caller* caller, std::string_view ns) const {
  return RequireInNamespace(caller, ns, {UserAction::kAdmin}).ok();
}

absl::Status AccessControl::RequireAsOwner(const Caller* caller, std::string_view owner) const {
  if (caller != nullptr && !owner.empty() && caller->name == owner) return absl::OkStatus();
  return RequireGlobally(caller, UserAction::kAdmin);
}

absl::Status AccessControl::RequireToRestore(const Caller* caller, const SnapshotDescription& snapshot,
                                             const TableName& to, bool exists) const {
  const bool own = caller != nullptr && !snapshot.owner.empty() && caller->name == snapshot.owner;
  // A restoration is of the snapshot's own table, whatever table the request names.
  if (own && exists) return RequireOnTable(caller, snapshot.table, {UserAction::kAdmin});
  if (own && to == snapshot.table) return absl::OkStatus();
  return RequireGlobally(caller, UserAction::kAdmin);
}

absl::Status AccessControl::RequireToGrant(const Caller* caller, const UserPermission& user_permission) const {
  const Permission& permission = user_permission.permission;
  switch (permission.scope) {
    case Permission::Scope::kGlobal:
      VAQUITA_RETURN_IF_ERROR(RequireGlobally(caller, UserAction::kAdmin));
      break;
    case Permission::Scope::kNamespace:
      VAQUITA_RETURN_IF_ERROR(RequireInNamespace(caller, permission.ns, {UserAction::kAdmin}));
      break;
    case Permission::Scope::kTable:
      VAQUITA_RETURN_IF_ERROR(
          RequireOnTable(caller, permission.table, {UserAction::kAdmin}, permission.family, permission.qualifier));
      break;
  }
  if (caller->superuser || !superusers_.contains(user_permission.user)) return absl::OkStatus();
  return Denied("Granting or revoking superusers's or supergroups's permissions is not allowed");
}

absl::Status AccessControl::RequireToList(const Caller* caller, const PermissionQuery& query) const {
  switch (query.scope) {
    case Permission::Scope::kTable:
      return RequireOnTable(caller, query.table, {UserAction::kAdmin}, query.family, query.qualifier, query.user);
    case Permission::Scope::kNamespace:
      return RequireInNamespace(caller, query.ns, {UserAction::kAdmin}, nullptr, query.user);
    case Permission::Scope::kGlobal:
      break;
  }
  return RequireGlobally(caller, UserAction::kAdmin);
}

absl::StatusOr<bool> AccessControl::HasPermission(const Caller* caller, std::string_view user,
                                                  const Permission& permission) const {
  if (caller == nullptr || caller->name != user) {
    const PermissionQuery query{.scope = permission.scope,
                                .ns = permission.ns,
                                .table = permission.table,
                                .family = permission.family,
                                .qualifier = permission.qualifier,
                                .user = std::string(user)};
    VAQUITA_RETURN_IF_ERROR(RequireToList(caller, query));
  }
  if (superusers_.contains(user)) return true;
  const auto permissions = this->permissions();
  return std::all_of(std::begin(kUserActions), std::end(kUserActions), [&](UserAction action) {
    if (!permission.actions.Has(action)) return true;
    switch (permission.scope) {
      case Permission::Scope::kTable:
        return permissions->OnTable(user, permission.table, permission.family, permission.qualifier, action);
      case Permission::Scope::kNamespace:
        return permissions->InNamespace(user, permission.ns, action);
      case Permission::Scope::kGlobal:
        break;
    }
    return permissions->Globally(user, action);
  });
}

// --- Data

absl::Status AccessControl::CheckRead(const Caller* caller, const TableDescriptor& table,
                                      const ColumnSelection& columns, bool exists,
                                      std::optional<ColumnSelection>* narrowed) const {
  // Clients look for regions there.
  if (table.name == kMetaTableName) return absl::OkStatus();
  if (caller == nullptr) return ReadDenied(caller, table.name);
  const auto permissions = this->permissions();
  const auto may_read = [&](std::string_view family, std::string_view qualifier) {
    return Has(*permissions, caller, table.name, family, qualifier, UserAction::kRead);
  };
  if (may_read({}, {})) return absl::OkStatus();
  ColumnSelection asked = columns;
  if (asked.empty() && !exists) {
    for (const auto& [family, descriptor] : table.families) asked[family];
  }
  ColumnSelection readable;
  bool all = true;
  for (const auto& [family, qualifiers] : asked) {
    if (may_read(family, {})) {
      readable[family] = qualifiers;
      continue;
    }
    std::vector<std::string> some;
    if (qualifiers.empty()) {
      some = permissions->Qualifiers(caller->name, table.name, family, UserAction::kRead);
    } else {
      std::copy_if(qualifiers.begin(), qualifiers.end(), std::back_inserter(some),
                   [&, &family = family](const std::string& qualifier) { return may_read(family, qualifier); });
    }
    if (qualifiers.empty() || some.size() != qualifiers.size()) all = false;
    if (!some.empty()) readable[family] = std::move(some);
  }
  if (readable.empty()) return ReadDenied(caller, table.name);
  if (!all) *narrowed = std::move(readable);
  return absl::OkStatus();
}

absl::Status AccessControl::CheckColumn(const Caller* caller, const TableName& table, std::string_view family,
                                        std::string_view qualifier, UserAction action) const {
  if (Has(*permissions(), caller, table, family, qualifier, action)) return absl::OkStatus();
  return ColumnDenied(caller, table, family, qualifier, action);
}

absl::Status AccessControl::CheckMutation(const Caller* caller, const TableDescriptor& table,
                                          const Mutation& mutation) const {
  if (table.name == kAclTableName) return Denied("hbase:acl is changed by grant and revoke alone");
  const auto permissions = this->permissions();
  const auto may_write = [&](std::string_view family, std::string_view qualifier) {
    return Has(*permissions, caller, table.name, family, qualifier, UserAction::kWrite);
  };
  if (may_write({}, {})) return absl::OkStatus();
  // HBase looks at one family after the other.
  std::map<std::string_view, std::vector<std::string_view>> families;
  for (const Cell& cell : mutation.cells) families[cell.family].push_back(WrittenQualifier(cell));
  if (families.empty()) {  // the delete of a row
    for (const auto& [family, descriptor] : table.families) families[family].emplace_back();
  }
  for (const auto& [family, qualifiers] : families) {
    if (may_write(family, {})) continue;
    for (const std::string_view qualifier : qualifiers) {
      if (!may_write(family, qualifier)) {
        return ColumnDenied(caller, table.name, family, qualifier, UserAction::kWrite);
      }
    }
  }
  return absl::OkStatus();
}

absl::Status AccessControl::CheckCondition(const Caller* caller, const TableDescriptor& table,
                                           const CheckAndMutate& check) const {
  if (check.filter.has_value()) {  // it may look at every column of the row
    if (Has(*permissions(), caller, table.name, {}, {}, UserAction::kRead)) return absl::OkStatus();
    return ReadDenied(caller, table.name);
  }
  VAQUITA_RETURN_IF_ERROR(CheckColumn(caller, table.name, check.family, check.qualifier, UserAction::kRead));
  return CheckColumn(caller, table.name, check.family, check.qualifier, UserAction::kWrite);
}

absl::Status AccessControl::CheckEndpoint(const Caller* caller, const TableName& table, bool reads) const {
  if (exec_checks_) VAQUITA_RETURN_IF_ERROR(RequireOnTable(caller, table, {UserAction::kExec}));
  if (!reads || Has(*permissions(), caller, table, {}, {}, UserAction::kRead)) return absl::OkStatus();
  return ReadDenied(caller, table);
}

absl::Status AccessControl::CheckScannerOwner(const Caller* caller, std::string_view owner) const {
  if (caller != nullptr && caller->name == owner) return absl::OkStatus();
  return Denied(absl::StrCat("User '", NameOf(caller), "' is not the scanner owner!"));
}

}  // namespace vaquita
