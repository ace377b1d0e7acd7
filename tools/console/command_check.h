// tools/console/command_check.h: the commands of the shell that the console runs. Threads: any.
#pragma once

#include "absl/status/status.h"
#include "tools/shell/command.h"

namespace vaquita {

// Refuses commands that change something unless the console `may_write`, and files of the server's machine: whoever
// sees the page need not see those.
absl::Status CheckCommand(const shell::Command& command, const shell::Arguments& arguments, bool may_write);

}  // namespace vaquita
