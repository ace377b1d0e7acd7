// base/json.h: reads and writes JSON for pages, tools and the test control.
//
// nlohmann's parser and writer are compiled in base/json.cc alone: each source that calls them itself takes a second
// more. A source that looks into a value includes nlohmann/json.hpp, too.
//
// Threads: any.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace vaquita {

using Json = nlohmann::ordered_json;  // members stay in the order in which they were added

// Returns InvalidArgument with the place and the parser's words if `text` is not JSON.
absl::StatusOr<Json> ParseJson(std::string_view text);

// Returns the value on one line. Bytes that are not UTF-8, as in row keys, become U+FFFD.
std::string JsonText(const Json& json);

// Returns the value as JsonText, but with a line for each member, indented by two spaces.
std::string IndentedJsonText(const Json& json);

}  // namespace vaquita
