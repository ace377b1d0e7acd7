#include "server/access/http_caller.h"

#include <string>

#include "absl/strings/escaping.h"
#include "base/absl_text.h"
#include "base/status.h"

namespace vaquita {

absl::StatusOr<Caller> HttpCallerOf(const AccessControl& access, std::string_view authorization,
                                    std::string_view certificate_name) {
  constexpr std::string_view kBearer = "Bearer ";
  constexpr std::string_view kBasic = "Basic ";
  CallerClaim claim{.certificate_name = certificate_name};
  std::string basic;
  if (authorization.starts_with(kBearer)) {
    claim.token = authorization.substr(kBearer.size());
  } else if (authorization.starts_with(kBasic) &&
             absl::Base64Unescape(AbslText(authorization.substr(kBasic.size())), &basic)) {
    const std::string_view pair = basic;
    const size_t colon = pair.find(':');
    claim.said_name = pair.substr(0, colon);
    if (colon != std::string_view::npos) claim.token = pair.substr(colon + 1);
  }
  return access.Establish(claim);
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
