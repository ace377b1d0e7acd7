// server/control/later_life.h: the refusal of a server whose start code is not later than that of a dead life of its
// address.
//
// The start code is the time of the process's start, and a clock can be set back. The process takes the start code
// after that of the named life, and registers again.
#pragma once

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "model/server_name.h"

namespace vaquita {

// Returns the refusal that names the latest life of the address.
absl::Status HadLaterLife(const std::string& latest);
// Returns the name that the refused server takes; nothing if `status` is another one.
std::optional<ServerName> NameAfterLaterLife(const absl::Status& status);

}  // namespace vaquita
