#include "client/distribution/call_text.h"

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "base/absl_text.h"
#include "base/status.h"

namespace vaquita::client {

absl::StatusOr<CallText> ParseCallText(std::string_view text) {
  const size_t open = text.find('(');
  if (open == 0 || open == std::string_view::npos || !text.ends_with(')')) {
    return Error(ErrorKind::kIllegalArgument,
                 absl::StrCat("'", AbslText(text), "' is not of the form NAME(PARAMETERS)"));
  }
  return CallText{text, text.substr(0, open), text.substr(open + 1, text.size() - open - 2)};
}

absl::StatusOr<int> ParseBuckets(const CallText& call) {
  int buckets = 0;
  if (!absl::SimpleAtoi(AbslText(call.argument), &buckets)) {
    return Error(ErrorKind::kIllegalArgument, absl::StrCat("'", AbslText(call.whole), "': '", AbslText(call.argument),
                                                           "' is not a number of buckets"));
  }
  VAQUITA_RETURN_IF_ERROR(CheckOneByteBuckets(buckets));
  return buckets;
}

absl::Status CheckOneByteBuckets(int buckets) {
  if (buckets >= 1 && buckets <= 256) return absl::OkStatus();
  return Error(ErrorKind::kIllegalArgument, absl::StrCat("1 to 256 buckets fit in one byte, not ", buckets));
}

}  // namespace vaquita::client
