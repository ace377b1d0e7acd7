// tests/workshop/page.h: the commands and outputs of a page of docs/workshop.
//
// They are in blocks that begin with ```console. A line that starts with "$ " is a command, lines with "> " continue
// it, and its output follows. After `$ vaquita shell` comes a session, whose input follows each prompt. In an output
// "..." means any text, and as a line of its own any number of lines.
#pragma once

#include <string>
#include <vector>

namespace vaquita::workshop {

struct Step {
  int line = 0;  // in the page, from 1
  std::string command;
  std::string typed;                // into a session of the shell
  std::vector<std::string> output;  // with the session's prompts
};

std::vector<Step> ReadPage(const std::string& path);

// Returns whether `printed` matches `expected`, apart from parts that differ from run to run (NormalizeLine), empty
// lines, and the times of commands.
bool LooksLike(const std::vector<std::string>& expected, const std::vector<std::string>& printed);

}  // namespace vaquita::workshop
