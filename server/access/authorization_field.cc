#include "server/access/authorization_field.h"

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "base/absl_text.h"
#include "base/status.h"

namespace vaquita {

absl::StatusOr<AuthorizationField> ReadAuthorization(std::string_view text) {
  if (text.empty()) return AuthorizationField();
  const size_t end = text.find(' ');
  const absl::string_view scheme = AbslText(text.substr(0, end));
  const absl::string_view rest =
      absl::StripAsciiWhitespace(AbslText(end == std::string_view::npos ? std::string_view() : text.substr(end)));
  AuthorizationField field;
  if (absl::EqualsIgnoreCase(scheme, "Bearer")) {
    if (rest.empty()) return Error(ErrorKind::kAccessDenied, "Authorization: Bearer has no token behind it");
    field.scheme = AuthorizationField::Scheme::kBearer;
    field.token = std::string(rest);
    return field;
  }
  if (!absl::EqualsIgnoreCase(scheme, "Basic")) {
    return Error(ErrorKind::kAccessDenied, "Authorization has another scheme than Bearer and Basic");
  }
  std::string pair;
  if (!absl::Base64Unescape(rest, &pair) || pair.empty()) {
    return Error(ErrorKind::kAccessDenied, "Authorization: Basic has no NAME:PASSWORD in base64 behind it");
  }
  const size_t colon = pair.find(':');
  field.scheme = AuthorizationField::Scheme::kBasic;
  field.name = pair.substr(0, colon);
  if (colon != std::string::npos) field.token = pair.substr(colon + 1);
  return field;
}

}  // namespace vaquita
