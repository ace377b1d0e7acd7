// tools/shell/session.h: reads lines and runs commands until the input ends.
#pragma once

#include <string>

#include "tools/shell/input.h"
#include "tools/shell/interpreter.h"
#include "tools/shell/ruby_reader.h"

namespace vaquita::shell {

// The end of a session.
struct SessionEnd {
  bool exited = false;  // `exit`
  int exit_code = 0;    // 1 with stop_on_error if a command failed
};

// Returns HBase's prompt for the input's line `line`: hbase:LINE:OPEN-BRACKETS>. `read` is what was read before it.
std::string Prompt(int line, const ReadResult& read);

// Runs the commands of `input`. With `stop_on_error` the first failure ends it.
SessionEnd RunSession(Input& input, Interpreter& interpreter, bool stop_on_error);

}  // namespace vaquita::shell
