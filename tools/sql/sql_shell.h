// tools/sql/sql_shell.h: `vaquita sql`: runs statements of Phoenix's SQL, typed or from a file.
//
// It reads and writes the cluster's tables itself, so it needs no query server. A statement ends with a semicolon at
// the end of a line; a line that begins with ! is a command of the shell. Threads: one.
#pragma once

#include <memory>
#include <ostream>
#include <string>

#include "absl/status/status.h"
#include "client/connection.h"
#include "tools/shell/input.h"
#include "tools/sql/result_text.h"

namespace vaquita::sqlshell {

struct SqlShellOptions {
  std::string address = "127.0.0.1:16040";  // client/connection.h
  std::string script_path;                  // statements to run; empty: standard input
  std::string statement;                    // -e: the only one
  std::string format = "table";
  bool timing = false;
  bool stop_on_error = false;
};

// Runs statements until the input ends or !quit is met. Results go to standard output, errors to standard error.
// Returns the process's exit code: 1 if the connection failed, if the script could not be read, or, with stop_on_error
// or a single statement, if a statement failed; 2 for an unknown format; else 0.
int RunSqlShell(const SqlShellOptions& options);

// Runs statements from any input, with any output, over an open connection. Returns whether all succeeded.
bool RunStatements(const std::shared_ptr<client::Connection>& connection, const SqlShellOptions& options,
                   shell::Input* input, std::ostream* out, std::ostream* errors);

}  // namespace vaquita::sqlshell
