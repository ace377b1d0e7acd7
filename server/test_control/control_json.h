// server/test_control/control_json.h: the messages of TestService as JSON.
//
// proto3's mapping, but that 64-bit integers are numbers, and that fields at their default are written, too. Threads:
// any.
#pragma once

#include <string_view>

#include "absl/status/status.h"
#include "base/json.h"
#include "google/protobuf/message.h"

namespace vaquita {

// Reads a JSON object; "" is the empty one. InvalidArgument names the wrong field and the message's fields.
absl::Status MessageFromJson(std::string_view text, google::protobuf::Message* message);

Json MessageToJson(const google::protobuf::Message& message);

}  // namespace vaquita
