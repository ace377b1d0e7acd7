// base/version.h: the version that Vaquita reports.
#pragma once

#include <string_view>

namespace vaquita {

// As CMakeLists.txt says it.
extern const std::string_view kVersion;

}  // namespace vaquita
