#include "server/access/http_caller.h"

#include "base/status.h"
#include "server/access/authorization_field.h"

namespace vaquita {

absl::StatusOr<Caller> HttpCallerOf(const AccessControl& access, std::string_view authorization,
                                    std::string_view certificate_name) {
  VAQUITA_ASSIGN_OR_RETURN(const AuthorizationField field, ReadAuthorization(authorization));
  return access.Establish({.certificate_name = certificate_name, .token = field.token, .said_name = field.name});
}

absl::Status CheckHttpSuperuser(const AccessControl& access, std::string_view authorization,
                                std::string_view certificate_name) {
  VAQUITA_ASSIGN_OR_RETURN(const Caller caller, HttpCallerOf(access, authorization, certificate_name));
  if (caller.proof == Caller::Proof::kWord) {
    return Error(ErrorKind::kAccessDenied, "this page needs a superuser's token or certificate");
  }
  return access.RequireSuperuser(&caller, "this page");
}

}  // namespace vaquita
