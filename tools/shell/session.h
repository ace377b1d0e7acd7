// tools/shell/session.h: reads lines and runs commands until the input ends.
#pragma once

#include "tools/shell/input.h"
#include "tools/shell/interpreter.h"

namespace vaquita::shell {

// The end of a session.
struct SessionEnd {
  bool failed = false;  // stop_on_error, and a command failed
  bool exited = false;  // `exit`
  int exit_code = 0;
};

// Runs the commands of `input`. With `stop_on_error` the first failure ends it. Prompts are HBase's:
// hbase:LINE:OPEN-BRACKETS>.
SessionEnd RunSession(Input& input, Interpreter& interpreter, bool stop_on_error);

}  // namespace vaquita::shell
