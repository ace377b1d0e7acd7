// base/duration_text.h: durations as people write them: "250ms", "10s", "5m", "2h", "1d", "1h30m".
#pragma once

#include <cstdint>
#include <string_view>

#include "absl/status/statusor.h"

namespace vaquita {

// Returns milliseconds, at least 0. Returns InvalidArgument, naming the text and what would be right, if malformed.
absl::StatusOr<int64_t> ParseDurationMs(std::string_view text);

}  // namespace vaquita
