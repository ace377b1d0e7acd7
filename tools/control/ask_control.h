// tools/control/ask_control.h: sends a server's test control (docs/test-control.md) a command of `vaquita control`.
//
// Threads: any; it returns when the server has answered.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace vaquita {

// `address` is host:port of the server's gRPC; `words` are [get|post|delete] OPERATION [FIELD=VALUE... | JSON]. Returns
// the answer, which is JSON on several lines. Returns InvalidArgument if the words are wrong or the server refuses
// them; FailedPrecondition if the server has no test control or the address is not gRPC's; Unavailable if no server
// answers.
absl::StatusOr<std::string> AskControl(const std::string& address, const std::vector<std::string>& words);

}  // namespace vaquita
