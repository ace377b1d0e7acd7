// tools/standalone_command.h: `vaquita standalone`: a whole cluster in this process, until SIGTERM or SIGINT.
//
// It prints its addresses and how to connect, and writes a ready file once it serves.
#pragma once

#include "tools/server_command.h"

namespace vaquita {

struct StandaloneArguments {
  ServerArguments server;
  bool ephemeral = false;  // a temporary folder, removed at exit
};

int RunStandalone(const StandaloneArguments& arguments);

}  // namespace vaquita
