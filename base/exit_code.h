// base/exit_code.h: the exit codes of the program's commands.
#pragma once

#include <cstdio>
#include <string>

#include "absl/status/status.h"

namespace vaquita {

// It failed, though all that was given is right.
inline constexpr int kFailure = 1;
// The command line is wrong, or a value or a file that it names.
inline constexpr int kUsageError = 2;

// Returns 0, kFailure or kUsageError.
inline int ExitCodeOf(const absl::Status& status) {
  if (status.ok()) return 0;
  return absl::IsInvalidArgument(status) ? kUsageError : kFailure;
}

// Ends a command: prints an error on standard error, behind the name of the command, and returns the exit code.
inline int EndCommand(const std::string& command, const absl::Status& status) {
  if (!status.ok()) std::fprintf(stderr, "%s: %s\n", command.c_str(), std::string(status.message()).c_str());
  return ExitCodeOf(status);
}

}  // namespace vaquita
