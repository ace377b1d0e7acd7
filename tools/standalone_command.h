// tools/standalone_command.h: `vaquita standalone`: a whole cluster in this process, until SIGTERM or SIGINT.
//
// It prints its addresses and how to connect, and writes a ready file once it serves. Exit code 0 after a clean stop, 1
// if it could not start.
#pragma once

#include <string>
#include <vector>

namespace vaquita {

struct StandaloneArguments {
  std::string data_path;
  bool ephemeral = false;  // a temporary folder, removed at exit
  std::string ready_file;  // JSON, written in one step once the server serves, removed when it stops
  std::string config_file;
  std::vector<std::string> assignments;  // name=value, over everything else; flags for single options become these
  std::string log_level = "warn";
};

int RunStandalone(const StandaloneArguments& arguments);

}  // namespace vaquita
