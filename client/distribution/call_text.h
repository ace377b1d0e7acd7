// client/distribution/call_text.h: parses "Name(argument)", the form in which distributors and hashers are stored as
// text.
#pragma once

#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace vaquita::client {

// The parts of a parsed text, as views into it.
struct CallText {
  std::string_view whole, name, argument;
};

// Returns kIllegalArgument, with the text, if it does not have that form.
absl::StatusOr<CallText> ParseCallText(std::string_view text);

// Returns the argument as a number of buckets from 1 to 256, which one byte can tell apart; else kIllegalArgument.
absl::StatusOr<int> ParseBuckets(const CallText& call);
absl::Status CheckOneByteBuckets(int buckets);

}  // namespace vaquita::client
