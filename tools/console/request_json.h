// tools/console/request_json.h: the JSON that pages send and get.
//
// Errors: InvalidArgument names the field and what would be right. Threads: any.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "base/json_value.h"

namespace vaquita {

// Parses `body`, which must be an object.
absl::StatusOr<Json> ParseRequestJson(std::string_view body);
// Returns the field. Returns an error if it is missing.
absl::StatusOr<std::string> TextField(const Json& request, const std::string& name);
// Returns the field, or `by_default` if it is missing.
absl::StatusOr<std::string> TextField(const Json& request, const std::string& name, std::string_view by_default);
// Likewise a number from `least` to `most`.
absl::StatusOr<int64_t> NumberField(const Json& request, const std::string& name, int64_t least, int64_t most);
absl::StatusOr<int64_t> NumberField(const Json& request, const std::string& name, int64_t by_default, int64_t least,
                                    int64_t most);

}  // namespace vaquita
