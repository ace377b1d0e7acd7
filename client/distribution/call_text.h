// client/distribution/call_text.h: "Name(argument)", the form in which distributors and hashers are kept as text.
#pragma once

#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace vaquita::client {

// Views into what was parsed.
struct CallText {
  std::string_view whole, name, argument;
};

// kIllegalArgument, with the text, for what has not that form.
absl::StatusOr<CallText> ParseCallText(std::string_view text);

// The argument as a number of buckets that one byte can tell apart, 1 to 256; else kIllegalArgument.
absl::StatusOr<int> ParseBuckets(const CallText& call);
absl::Status CheckOneByteBuckets(int buckets);

}  // namespace vaquita::client
