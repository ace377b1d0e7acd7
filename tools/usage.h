// tools/usage.h: the program's answer to a command line that it cannot run.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace vaquita {

// Ends the parsing of a command line: prints the help or the version that was asked for and returns 0; or says on
// standard error what is wrong and what may have been meant, and returns kUsageError (base/exit_code.h).
int EndOfParse(const CLI::App& app, const CLI::ParseError& error);

// Prints the help of the command that `words` name, such as "lab" "key", of all without words. Returns 0, or
// kUsageError if there is no such command.
int PrintHelpOf(CLI::App& app, const std::vector<std::string>& words);

}  // namespace vaquita
