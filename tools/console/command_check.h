// tools/console/command_check.h: decides which of the shell's commands the console runs. Threads: any.
#pragma once

#include "absl/status/status.h"
#include "tools/shell/command.h"

namespace vaquita {

// Refuses commands that change something unless the console `may_write`. Refuses commands that read the server
// machine's files: a page's user may have no right to see them.
absl::Status CheckCommand(const shell::Command& command, const shell::Arguments& arguments, bool may_write);

}  // namespace vaquita
