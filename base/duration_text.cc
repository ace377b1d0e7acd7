#include "base/duration_text.h"

#include <string>

#include "absl/time/time.h"
#include "base/absl_text.h"
#include "base/whole_number.h"

namespace vaquita {

absl::StatusOr<int64_t> ParseDurationMs(std::string_view text) {
  absl::Duration duration;
  bool parsed = absl::ParseDuration(AbslText(text), &duration);
  if (!parsed && text.ends_with('d')) {  // which Abseil does not know, since days differ
    int32_t days = 0;
    parsed = ReadWholeNumber(text.substr(0, text.size() - 1), &days);
    duration = absl::Hours(24) * days;
  }
  if (!parsed || duration < absl::ZeroDuration() || duration == absl::InfiniteDuration()) {
    return absl::InvalidArgumentError("duration \"" + std::string(text) +
                                      "\": must be as \"250ms\", \"10s\", \"5m\", \"2h\" or \"1d\"");
  }
  if (duration > absl::Milliseconds(kLongestMs)) {
    return absl::InvalidArgumentError("duration \"" + std::string(text) + "\": must be at most 100 years, \"36500d\"");
  }
  if (duration != absl::Floor(duration, absl::Milliseconds(1))) {
    return absl::InvalidArgumentError("duration \"" + std::string(text) + "\": must be a whole number of milliseconds");
  }
  return absl::ToInt64Milliseconds(duration);
}

}  // namespace vaquita
