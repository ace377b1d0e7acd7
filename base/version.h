// base/version.h: the version that Vaquita reports.
#pragma once

#include <string_view>

namespace vaquita {

// CMakeLists.txt sets it.
extern const std::string_view kVersion;

}  // namespace vaquita
