#include "base/call_context.h"

#include "absl/strings/cord.h"

namespace vaquita {
namespace {

constexpr absl::string_view kWouldWaitUrl = "vaquita/would-wait";

}  // namespace

absl::Status WouldWait() {
  absl::Status status = absl::AbortedError("it would wait");
  status.SetPayload(kWouldWaitUrl, absl::Cord());
  return status;
}

bool IsWouldWait(const absl::Status& status) { return !status.ok() && status.GetPayload(kWouldWaitUrl).has_value(); }

}  // namespace vaquita
