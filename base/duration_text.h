// base/duration_text.h: durations as people write them: "250ms", "10s", "5m", "2h", "1d", "1h30m".
#pragma once

#include <cstdint>
#include <string_view>

#include "absl/status/statusor.h"

namespace vaquita {

// The longest time that is told from "for ever": 100 years. As nanoseconds it fits into 64 bits, with room for a sum
// with a time of today, so no wait for it overflows.
inline constexpr int64_t kLongestMs = int64_t{36'500} * 86'400'000;

// Returns milliseconds, from 0 to kLongestMs. Returns InvalidArgument, naming the text and what would be right, if it
// is malformed or longer, or has a part of a millisecond.
absl::StatusOr<int64_t> ParseDurationMs(std::string_view text);

}  // namespace vaquita
