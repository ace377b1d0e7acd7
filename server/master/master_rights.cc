// The master's part in users' rights: it keeps them, and tells every server of them.
#include <chrono>
#include <thread>

#include "absl/strings/str_cat.h"
#include "base/log.h"
#include "base/status.h"
#include "server/access/access_control.h"
#include "server/master/master.h"

namespace vaquita {
namespace {

absl::Status NoAuthorization() {
  return Error(ErrorKind::kUnsupportedOperation,
               "org.apache.hadoop.hbase.security.access.AccessController is not loaded: "
               "hbase.security.authorization is false");
}

}  // namespace

absl::Status Master::Grant(const UserPermission& permission, bool merge, const AclTable::MayChange& may) {
  if (parts_.options.access == nullptr) return NoAuthorization();
  VAQUITA_RETURN_IF_ERROR(CheckInitialized());
  return parts_.acl->Grant(permission, merge, may);
}

absl::Status Master::Revoke(const UserPermission& permission, const AclTable::MayChange& may) {
  if (parts_.options.access == nullptr) return NoAuthorization();
  VAQUITA_RETURN_IF_ERROR(CheckInitialized());
  return parts_.acl->Revoke(permission, may);
}

absl::Status Master::ForgetPermissions() {
  return parts_.options.access == nullptr ? absl::OkStatus() : parts_.acl->ForgetAll();
}

absl::StatusOr<std::vector<UserPermission>> Master::ListPermissions(const PermissionQuery& query) const {
  if (parts_.options.access == nullptr) return NoAuthorization();
  std::vector<UserPermission> found = parts_.acl->List(query);
  // Superusers have every right without having been granted it.
  if (query.scope == Permission::Scope::kGlobal && query.user.empty()) {
    for (const std::string& user : parts_.options.access->superusers()) {
      found.push_back({user, {.scope = Permission::Scope::kGlobal, .actions = UserActions::All()}});
    }
  }
  return found;
}

// A server that is not online yet learns the rights by its next report, and so does one that does not answer here. A
// server that does not report serves nobody once its lease is over.
absl::Status Master::PublishPermissions(const std::shared_ptr<const Permissions>& permissions) {
  constexpr std::chrono::milliseconds kPause{20};
  constexpr int64_t kLeases = 4;
  if (parts_.options.access == nullptr) return absl::OkStatus();  // nobody checks them
  parts_.options.access->Update(permissions);
  if (parts_.assigner == nullptr) return absl::OkStatus();  // no server has registered
  const auto give_up =
      std::chrono::steady_clock::now() + std::chrono::milliseconds(kLeases * parts_.options.options->server_lease_ms);
  absl::Status unanswered = absl::UnavailableError("it is starting, and has not reported since");
  while (true) {
    for (const std::string& name : parts_.assigner->ServersWithOlderRights(permissions->version())) {
      const auto server = parts_.servers.Find(name);
      if (!server.ok()) continue;
      const absl::Status told = (*server)->SetPermissions(permissions);
      if (told.ok()) {
        parts_.assigner->NoteToldOfRights(name, permissions->version());
      } else if (IsUnanswered(told)) {
        unanswered = told;
      } else {
        return Annotate(told, "tell " + name + " of users' rights");
      }
    }
    const std::vector<std::string> left = parts_.assigner->ServersWithOlderRights(permissions->version());
    if (left.empty()) return absl::OkStatus();
    if (parts_.stopping) return Error(ErrorKind::kMasterNotRunning, "Master is stopping");
    if (std::chrono::steady_clock::now() > give_up) {
      return absl::UnavailableError(absl::StrCat("the change of rights is kept, but ", left.front(),
                                                 " does not know it yet: ", unanswered.message()));
    }
    std::this_thread::sleep_for(kPause);
  }
}

}  // namespace vaquita
