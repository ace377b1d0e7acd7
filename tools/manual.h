// tools/manual.h: the manual page and the completions of shells, made of the commands and options as they are parsed,
// so that they cannot lag behind them.
#pragma once

#include <string>

namespace CLI {
class App;
}  // namespace CLI

namespace vaquita {

// Returns the page vaquita(1), for man.
std::string ManPage(const CLI::App& app);

// Return a script that completes the command lines of `vaquita`, for a shell to read.
std::string BashCompletion(const CLI::App& app);
std::string ZshCompletion(const CLI::App& app);

}  // namespace vaquita
