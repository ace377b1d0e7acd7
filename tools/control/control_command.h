// tools/control/control_command.h: `vaquita control`: a running server's test control (docs/test-control.md), for
// scripts.
#pragma once

#include <string>
#include <vector>

namespace vaquita {

struct ControlArguments {
  std::string address = "127.0.0.1:16040";  // host:port of the server's gRPC
  // [get|post|delete] OPERATION [FIELD=VALUE... | JSON]
  std::vector<std::string> words;
};

// Prints the answer as JSON. Returns the exit code: 0, or 1 after one line on standard error.
int RunControl(const ControlArguments& arguments);

}  // namespace vaquita
