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

absl::Status Master::Grant(const UserPermission& permission, bool merge) {
  if (parts_.options.access == nullptr) return NoAuthorization();
  VAQUITA_RETURN_IF_ERROR(CheckInitialized());
  return parts_.acl->Grant(permission, merge);
}

absl::Status Master::Revoke(const UserPermission& permission) {
  if (parts_.options.access == nullptr) return NoAuthorization();
  VAQUITA_RETURN_IF_ERROR(CheckInitialized());
  return parts_.acl->Revoke(permission);
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

// A server that does not answer serves nobody once its lease is over, and learns the rights when it registers again.
absl::Status Master::PublishPermissions(const std::shared_ptr<const Permissions>& permissions) {
  constexpr std::chrono::milliseconds kPause{20};
  constexpr int64_t kLeases = 4;
  if (parts_.options.access != nullptr) parts_.options.access->Update(permissions);
  const auto give_up =
      std::chrono::steady_clock::now() + std::chrono::milliseconds(kLeases * parts_.options.options->server_lease_ms);
  for (const std::string& name : parts_.servers.Names()) {
    while (!parts_.stopping) {
      const auto server = parts_.servers.Find(name);
      if (!server.ok()) break;  // it is dead by now
      const absl::Status told = (*server)->SetPermissions(permissions);
      if (told.ok()) break;
      if (!IsUnanswered(told)) return Annotate(told, "tell " + name + " of users' rights");
      if (std::chrono::steady_clock::now() > give_up) {
        return absl::UnavailableError(
            absl::StrCat("the change of rights is kept, but ", name, " does not know it yet: ", told.message()));
      }
      std::this_thread::sleep_for(kPause);
    }
  }
  return absl::OkStatus();
}

}  // namespace vaquita
