#include "console/post_guard.h"

#include "absl/strings/match.h"
#include "base/absl_text.h"
#include "base/random_bytes.h"

namespace vaquita {
namespace {

// Compares in a time that does not tell how much of it was right.
bool IsSame(const std::string& given, const std::string& right) {
  if (given.size() != right.size()) return false;
  unsigned char difference = 0;
  for (size_t at = 0; at < right.size(); ++at) difference |= static_cast<unsigned char>(given[at] ^ right[at]);
  return difference == 0;
}

}  // namespace

PostGuard::PostGuard() : token_(RandomToken()) {}

absl::Status PostGuard::Check(const http::Request& request) const {
  if (!request.origin.empty() && request.origin != "http://" + request.host &&
      request.origin != "https://" + request.host) {
    return absl::PermissionDeniedError("a page of " + request.origin + " may not change anything here");
  }
  if (!request.fetch_site.empty() && request.fetch_site != "same-origin") {
    return absl::PermissionDeniedError("a page of another site may not change anything here");
  }
  if (!IsSame(request.token, token_)) {
    return absl::PermissionDeniedError(
        "the token is missing or of an earlier start of the server: load the page again. Programs send "
        "X-Vaquita-Token with the token of GET /console/v1/session");
  }
  if (!absl::StartsWithIgnoreCase(AbslText(request.content_type), "application/json")) {
    return absl::InvalidArgumentError("Content-Type is \"" + request.content_type + "\": it must be application/json");
  }
  return absl::OkStatus();
}

}  // namespace vaquita
