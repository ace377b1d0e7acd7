// tools/shell/shell.h: `vaquita shell`: the HBase shell's commands, with its language and its output.
//
// A person types commands at a terminal (line editing, history, completion); otherwise they come from a file or from
// standard input. Threads: one. Output goes to standard output. Source: hbase-shell (2.6), its commands' Ruby files
// named beside each command's own.
#pragma once

#include <string>

namespace vaquita::shell {

struct ShellOptions {
  std::string address = "127.0.0.1:16040";  // host:port of a server's gRPC
  std::string script_path;                  // commands to run; empty: standard input
  bool stop_on_error = false;               // -n: the first error ends the shell with exit code 1
};

// Runs commands until the input ends or `exit` is met. Returns the process's exit code: 0, or 1 if no connection could
// be made, the script could not be read, or, with stop_on_error, a command failed.
int RunShell(const ShellOptions& options);

}  // namespace vaquita::shell
