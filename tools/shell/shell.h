// tools/shell/shell.h: `vaquita shell`: the HBase shell's commands, with its language and its output.
//
// Commands are typed at a terminal (with line editing, history and completion), or come from a file or standard input.
// Threads: one. Output goes to standard output. Source: hbase-shell (2.6); the file of each command names the Ruby
// file.
#pragma once

#include <string>

namespace vaquita::shell {

struct ShellOptions {
  std::string address = "127.0.0.1:16040";  // host:port of a server's gRPC
  std::string script_path;                  // commands to run; empty: standard input
  bool stop_on_error = false;               // -n: the first error ends the shell with exit code 1
};

// Runs commands until the input ends or `exit` is met. Returns the process's exit code: 1 if the connection failed, if
// the script could not be read, or, with stop_on_error, if a command failed; else 0.
int RunShell(const ShellOptions& options);

}  // namespace vaquita::shell
