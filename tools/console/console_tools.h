// tools/console/console_tools.h: the work of the web console's pages: changes of tables, the shell and the laboratory;
// and the requests of the master's console to other consoles.
//
// It uses the client library against the console's own process, so it has the checks, waits and errors of any client.
// docs/console.md describes the JSON. Threads: any.
#pragma once

#include "console/console_work.h"

namespace vaquita {

ConsoleWorks MakeConsoleTools(const ConsoleHost& host);

absl::StatusOr<std::string> GetForConsole(const std::string& address, const std::string& path);  // a ConsoleGet

}  // namespace vaquita
