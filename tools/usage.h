// tools/usage.h: the program's answer to a command line that it cannot run.
#pragma once

#include <string>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace vaquita {

// The exit code of every wrong usage.
inline constexpr int kUsageError = 2;

// Ends the parsing of a command line: prints the help or the version that was asked for and returns 0; or says on
// standard error what is wrong and what may have been meant, and returns kUsageError.
int EndOfParse(const CLI::App& app, const CLI::ParseError& error);

// Prints the help of `command`, of all for "". Returns 0, or kUsageError if there is no such command.
int PrintHelpOf(CLI::App& app, const std::string& command);

}  // namespace vaquita
