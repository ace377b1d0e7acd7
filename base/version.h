// base/version.h: the version that Vaquita reports.
#pragma once

#include <string_view>

namespace vaquita {

inline constexpr std::string_view kVersion = "0.1.0";

}  // namespace vaquita
