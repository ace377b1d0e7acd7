// tools/console/request_json.h: the JSON that pages send and get.
//
// Errors: InvalidArgument, naming the field and what would be right. Threads: any.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace vaquita {

using Json = nlohmann::ordered_json;

// Reads an object.
absl::StatusOr<Json> ParseRequestJson(std::string_view body);
// Returns a field that must be there.
absl::StatusOr<std::string> TextField(const Json& request, const std::string& name);
// Returns `by_default` if the field is not there.
absl::StatusOr<std::string> TextField(const Json& request, const std::string& name, std::string_view by_default);
absl::StatusOr<int64_t> NumberField(const Json& request, const std::string& name, int64_t by_default, int64_t least,
                                    int64_t most);

// Bytes that are no UTF-8 are replaced.
std::string AnswerText(const Json& answer);

}  // namespace vaquita
