// tools/workshop/checks.h: checks of a cluster's state, one for the question of each exercise of the workshop.
#pragma once

#include <functional>
#include <string>

#include "absl/status/status.h"
#include "client/connection.h"

namespace vaquita::workshop {

inline constexpr int kExercises = 12;

// Calls `say` with each fact that is as it should be. Returns FailedPrecondition with the first that is not, and what
// would be right. `exercise` is 1 to kExercises.
absl::Status Check(int exercise, client::Connection* connection, const std::function<void(const std::string&)>& say);

// Returns the last line that is said: "Right: ..." or "Not yet: ...".
std::string ResultText(int exercise, const absl::Status& checked);

}  // namespace vaquita::workshop
