// tests/semantics/error_text.h: how an error prints: "! Class: message", without what differs from run to run (regions'
// names, servers).
#pragma once

#include <string>

#include "absl/status/status.h"

namespace vaquita::semantics {

std::string PrintError(const absl::Status& status);

}  // namespace vaquita::semantics
