// base/exit_code.h: the exit codes of the program's commands.
#pragma once

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

}  // namespace vaquita
