// server/frontend/http/url_query.h: the parameters after the '?' of a URL.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace vaquita::http {

// Returns the parameters by name, percent-decoded, '+' as a space. InvalidArgument, naming it, for a malformed one, and
// for one that is there twice.
absl::StatusOr<std::map<std::string, std::string>> ParseUrlQuery(std::string_view query);

}  // namespace vaquita::http
