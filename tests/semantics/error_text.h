// tests/semantics/error_text.h: prints an error as "! Class: message", without the parts that differ from run to run
// (regions' names, servers).
#pragma once

#include <string>

#include "absl/status/status.h"

namespace vaquita::semantics {

std::string PrintError(const absl::Status& status);

}  // namespace vaquita::semantics
