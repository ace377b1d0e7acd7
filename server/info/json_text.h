// server/info/json_text.h: a text as JSON has it.
#pragma once

#include <string>
#include <string_view>

namespace vaquita {

// Returns the text in quotes, with escapes for quotes, backslashes and control characters.
std::string QuotedForJson(std::string_view text);

}  // namespace vaquita
