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
    int64_t days = 0;
    parsed = ReadWholeNumber(text.substr(0, text.size() - 1), &days) && days <= 1'000'000;
    duration = absl::Hours(24 * days);
  }
  if (!parsed || duration < absl::ZeroDuration() || duration == absl::InfiniteDuration()) {
    return absl::InvalidArgumentError("duration \"" + std::string(text) +
                                      "\": must be as \"250ms\", \"10s\", \"5m\", \"2h\" or \"1d\"");
  }
  return absl::ToInt64Milliseconds(duration);
}

}  // namespace vaquita
