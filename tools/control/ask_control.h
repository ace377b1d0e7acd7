// tools/control/ask_control.h: asks a server that was started with --test-control to do something
// (docs/test-control.md), in the words of `vaquita control`.
//
// Threads: any; it returns when the server has answered.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace vaquita {

// `address`: host:port of the server's gRPC. `words`: [get|post|delete] OPERATION [FIELD=VALUE... | JSON]. Returns the
// answer, which is JSON on several lines. InvalidArgument: the words are wrong, or the server's error;
// FailedPrecondition: the server has no test control, or the address is not gRPC's; Unavailable: nobody answers.
absl::StatusOr<std::string> AskControl(const std::string& address, const std::vector<std::string>& words);

}  // namespace vaquita
