// base/json.h: reads and writes JSON for pages, tools and the test control.
//
// nlohmann's parser and writer are compiled in base/json.cc alone: each source that calls them itself takes a second
// more. A source that makes a value or looks into one includes base/json_value.h instead.
//
// Threads: any.
#pragma once

#include <cstdint>
#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace vaquita {

using Json = nlohmann::ordered_json;  // members stay in the order in which they were added

// Returns InvalidArgument with the place and the parser's words if `text` is not JSON, and if it is nested more than
// 200 deep or an object has a member twice. Takes time that rises with the text's length.
absl::StatusOr<Json> ParseJson(std::string_view text);

// Returns the value on one line. Bytes that are not UTF-8, as in row keys, become U+FFFD.
std::string JsonText(const Json& json);

// Returns the text as a string of JSON, in quotes. Bytes that are not UTF-8 become U+FFFD.
std::string JsonString(std::string_view text);

// Returns the value as JsonText, but with a line for each member, indented by two spaces.
std::string IndentedJsonText(const Json& json);

// Returns the whole number that a value from outside is. Throws Json::exception, as Json's own functions do, if it is
// another value or if it is below `least` or above `most`. (Json's get<int64_t> is undefined for 1e300, and get<int>
// for 1e10.) TryIntegerOf returns nullopt instead.
int64_t IntegerOf(const Json& value, int64_t least = std::numeric_limits<int64_t>::min(),
                  int64_t most = std::numeric_limits<int64_t>::max());
std::optional<int64_t> TryIntegerOf(const Json& value, int64_t least = std::numeric_limits<int64_t>::min(),
                                    int64_t most = std::numeric_limits<int64_t>::max());
uint64_t UnsignedOf(const Json& value);

// These return a member of an answer from outside, or `otherwise` if `value` is no object, or if it has no such member
// of this type. (Json's value() throws if the member has another type.)
std::string TextIn(const Json& value, const char* member, std::string_view otherwise = "");
int64_t IntegerIn(const Json& value, const char* member, int64_t otherwise = 0);
double NumberIn(const Json& value, const char* member, double otherwise = 0);

}  // namespace vaquita
