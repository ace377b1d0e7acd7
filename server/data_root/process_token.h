// server/data_root/process_token.h: the token by which the processes of a cluster know each other, where users have
// rights.
//
// It is in the data root, which all of them share, and which only their user may read. Threads and processes: any.
#pragma once

#include <string>

#include "absl/status/statusor.h"

namespace vaquita {

// Returns the token of the data root, and makes it if there is none.
absl::StatusOr<std::string> ProcessToken(const std::string& root);

}  // namespace vaquita
