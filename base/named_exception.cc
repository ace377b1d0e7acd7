#include "base/named_exception.h"

#include "absl/strings/cord.h"
#include "base/absl_text.h"

namespace vaquita {
namespace {

// The payload is the class, after a letter that says whether it may be retried.
constexpr absl::string_view kNamedUrl = "vaquita/named-exception";
constexpr char kRetry = 'r';
constexpr char kGiveUp = 'd';

}  // namespace

absl::Status ErrorOfClass(const NamedException& exception, std::string_view message) {
  absl::Status status(absl::StatusCode::kUnavailable, AbslText(message));
  status.SetPayload(kNamedUrl, absl::Cord((exception.do_not_retry ? kGiveUp : kRetry) + exception.java_class));
  return status;
}

bool GetNamedException(const absl::Status& status, NamedException* exception) {
  if (status.ok()) return false;
  const auto payload = status.GetPayload(kNamedUrl);
  if (!payload.has_value()) return false;
  const std::string text(*payload);
  exception->do_not_retry = text.front() == kGiveUp;
  exception->java_class = text.substr(1);
  return true;
}

}  // namespace vaquita
