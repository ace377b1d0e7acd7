// tests/workshop/page.h: what a page of docs/workshop has its reader type, and see.
//
// All of it is in blocks that begin with ```console. A line that starts with "$ " is a command, those with "> " go on
// with it, and what follows is what is to be seen. After `$ vaquita shell` comes a session: what follows a prompt is
// typed. In what is to be seen "..." is anything, and as a line of its own any number of lines.
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

// Whether `printed` is what `expected` says, apart from what differs from run to run (NormalizeLine), empty lines, and
// how long commands took.
bool LooksLike(const std::vector<std::string>& expected, const std::vector<std::string>& printed);

}  // namespace vaquita::workshop
