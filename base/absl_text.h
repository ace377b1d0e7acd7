// base/absl_text.h: std::string_view for Abseil's functions, whose string_view is a type of its own in Debian 12's
// build.
#pragma once

#include <string_view>

#include "absl/strings/string_view.h"

namespace vaquita {

// Each returns a view of the same bytes, which stay their owner's.
inline absl::string_view AbslText(std::string_view text) { return {text.data(), text.size()}; }
inline std::string_view StdText(absl::string_view text) { return {text.data(), text.size()}; }

}  // namespace vaquita
