// tools/health_command.h: `vaquita health`: asks a server whether it does its work, for scripts and for images, which
// have no other program to ask with.
#pragma once

#include <string>

namespace vaquita {

// `address`: host:port of a server's HTTP. Prints the line of its /health page, or why there is none. The exit code is
// 0 if the server does its work, else 1; there is an answer within ten seconds.
int RunHealth(const std::string& address);

}  // namespace vaquita
