// base/testing/json_of.h: reads the JSON of an answer in a test, and shows it where a test fails.
#pragma once

#include <iosfwd>
#include <string_view>

#include "base/json_value.h"

namespace vaquita {

// Returns null, and the test fails, if the text is not JSON.
Json JsonOf(std::string_view text);

}  // namespace vaquita

namespace nlohmann {

// GoogleTest calls this. Without it each source that compares JSON would take a second longer to compile.
void PrintTo(const ordered_json& value, std::ostream* out);

}  // namespace nlohmann
