// tools/option_values.h: checks of options' values that CLI11 leaves out.
//
// Threads: one.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace vaquita {

// Makes all options of the command, and of those below it, refuse
//   - an empty value, but for --password: a variable of a script that is not set gives one, and the option would be
//     taken for one that is not given;
//   - a number that CLI11 reads as another: one that it would cut to the largest, an octal one ("010"), "nan".
void CheckValues(CLI::App* command);

// Returns the line's words with "--option=" as two, the option and its empty value. CLI11 takes the next word for the
// value.
std::vector<std::string> WithEmptyValues(int argc, const char* const* argv);

}  // namespace vaquita
