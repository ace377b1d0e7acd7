#include "server/access/grpc/grpc_caller.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "server/access/authorization_field.h"

namespace vaquita {
namespace {

std::string_view TextOf(grpc::string_ref text) { return {text.data(), text.size()}; }

std::optional<std::string_view> MetadataOf(const grpc::ServerContextBase& context, const char* name) {
  const auto found = context.client_metadata().find(name);
  if (found == context.client_metadata().end()) return std::nullopt;
  return TextOf(found->second);
}

// Names that are not visible ASCII are in metadata of another kind (proto/vaquita/client_identity.h).
std::optional<std::string_view> NameOf(const grpc::ServerContextBase& context, const char* name,
                                       const char* binary_name) {
  const auto binary = MetadataOf(context, binary_name);
  return binary.has_value() ? binary : MetadataOf(context, name);
}

}  // namespace

std::string_view SaidUserOf(const grpc::ServerContextBase& context) {
  return NameOf(context, "vaquita-user", "vaquita-user-bin").value_or("");
}

absl::StatusOr<Caller> GrpcCallerOf(const AccessControl* access, const grpc::ServerContextBase& context) {
  if (access == nullptr) return Caller();
  std::string certificate_name;
  if (const auto peer = context.auth_context(); peer != nullptr && peer->IsPeerAuthenticated()) {
    const std::vector<grpc::string_ref> names = peer->FindPropertyValues("x509_common_name");
    if (!names.empty()) certificate_name = TextOf(names[0]);
  }
  VAQUITA_ASSIGN_OR_RETURN(const AuthorizationField field,
                           ReadAuthorization(MetadataOf(context, "authorization").value_or("")));
  if (field.scheme == AuthorizationField::Scheme::kBasic) {
    return Error(ErrorKind::kAccessDenied, "gRPC's authorization is Bearer TOKEN, not Basic");
  }
  return access->Establish({.certificate_name = certificate_name,
                            .token = field.token,
                            .said_name = SaidUserOf(context),
                            .acts_for = NameOf(context, "vaquita-acts-for", "vaquita-acts-for-bin")});
}

absl::Status CheckFromCluster(const AccessControl* access, const grpc::ServerContextBase& context) {
  if (access == nullptr) return absl::OkStatus();
  VAQUITA_ASSIGN_OR_RETURN(const Caller caller, GrpcCallerOf(access, context));
  // A name alone would let everybody command the servers.
  if (caller.proof == Caller::Proof::kWord) {
    return Error(ErrorKind::kAccessDenied, "commands among servers need the token of the cluster's processes");
  }
  return access->RequireSuperuser(&caller, "the cluster's own service");
}

}  // namespace vaquita
