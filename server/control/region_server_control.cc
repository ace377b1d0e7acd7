#include "server/control/region_server_control.h"

namespace vaquita {
namespace {

constexpr absl::string_view kPayloadUrl = "vaquita/unanswered";

}  // namespace

absl::Status Unanswered(std::string_view message) {
  absl::Status status = absl::UnavailableError(absl::string_view(message.data(), message.size()));
  status.SetPayload(kPayloadUrl, absl::Cord());
  return status;
}

bool IsUnanswered(const absl::Status& status) { return status.GetPayload(kPayloadUrl).has_value(); }

}  // namespace vaquita
