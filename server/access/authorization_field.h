// server/access/authorization_field.h: the field Authorization of an HTTP request, which is gRPC's metadata of that
// name, too. Threads: any. Source: RFC 9110 11.6.2, RFC 6750, RFC 7617.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace vaquita {

struct AuthorizationField {
  enum class Scheme { kNone, kBearer, kBasic };

  Scheme scheme = Scheme::kNone;
  std::string name;   // kBasic has it
  std::string token;  // kBasic: the password, which may be empty
};

// Reads "Bearer TOKEN", "Basic" with NAME:PASSWORD in base64, or the empty text of a request without the field. The
// scheme may be in any case. kAccessDenied for another text: it shows a user whom the server cannot tell, and must not
// be taken for another one.
absl::StatusOr<AuthorizationField> ReadAuthorization(std::string_view text);

}  // namespace vaquita
