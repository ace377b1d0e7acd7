// tools/shell/help.h: prints `help`, `help "COMMAND"` and `help "GROUP"`.
#pragma once

#include <ostream>
#include <string_view>

namespace vaquita::shell {

// `topic` is a command, a group of commands, or empty.
void PrintHelp(std::ostream& out, std::string_view topic);

}  // namespace vaquita::shell
